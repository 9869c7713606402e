import { Group, Modal, PasswordInput, Select, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Credential, CredentialType } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { credentialKeys, credentialsQuery, credentialTypesQuery } from "../../api/settings.ts";
import { Plus } from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { ErrorNotice } from "../../ui/page/notices.tsx";
import { useRequest } from "../../ui/page/requests.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { vendorMarksIn } from "../../ui/vendor-mark.tsx";
import { fromText } from "../fields/values.ts";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";

/** A credential, with a way to add one. */
export const credentialWidgets = {
  credential: { component: CredentialWidget, frame: "label" },
} as const;

function CredentialWidget(props: WidgetProps) {
  const { field, value, onChange, siblings, id, describedBy, isInvalid, isDisabled, label } = props;
  const { data: credentials } = useQuery(credentialsQuery);
  const { data: types } = useQuery(credentialTypesQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  const current = typeof value === "string" && value !== "" ? value : null;
  const groups = toGroups(credentials ?? [], types ?? []);
  const isLost = current !== null && credentials !== undefined && !credentials.some((one) => one.id === current);
  const lost = isLost
    ? [{ group: formStrings.credentialOther, items: [{ value: current, label: formStrings.missing({ id: current }) }] }]
    : [];
  const choose = (chosen: string | null) => onChange(fromText(field, chosen ?? ""));
  return (
    <div className={classes.row}>
      <Select
        style={{ flex: 1 }}
        id={id}
        data={[...groups, ...lost]}
        value={current}
        {...vendorMarksIn(
          groups.flatMap(({ items }) => items),
          current,
        )}
        onChange={choose}
        placeholder={formStrings.noCredential}
        clearable
        searchable
        nothingFoundMessage={formStrings.noMatch}
        error={isInvalid || isLost}
        disabled={isDisabled}
        aria-label={label}
        aria-describedby={describedBy}
      />
      <IconAction
        icon={Plus}
        label={formStrings.newCredential}
        variant="default"
        title={formStrings.newCredential}
        onClick={open}
        disabled={isDisabled}
        size={36}
        iconSize={16}
      />
      {isCreating && (
        <NewCredential
          types={types?.filter(({ isOffered }) => isOffered) ?? []}
          preferredType={typeof siblings.provider === "string" ? siblings.provider : ""}
          onClose={close}
          onCreated={choose}
        />
      )}
    </div>
  );
}

function toGroups(credentials: readonly Credential[], types: readonly CredentialType[]) {
  const titleOf = (name: string) => types.find((type) => type.name === name)?.title ?? name;
  const names = [...new Set(credentials.map(({ credentialName }) => credentialName))];
  return names.map((name) => ({
    group: titleOf(name),
    items: credentials
      .filter(({ credentialName }) => credentialName === name)
      .map((credential) => ({ value: credential.id, label: credential.name, vendor: name })),
  }));
}

type NewCredentialProps = {
  types: readonly CredentialType[];
  /** Preselected, if there is such a type. */
  preferredType: string;
  onClose(): void;
  onCreated(id: string): void;
};

/** A small form that stores a credential, for a field that needs one. */
function NewCredential({ types, preferredType, onClose, onCreated }: NewCredentialProps) {
  const [typeName, setTypeName] = useState(() => types.find(({ name }) => name === preferredType)?.name ?? null);
  const type = types.find(({ name }) => name === typeName);
  const choices = types.map((one) => ({ value: one.name, label: one.title }));
  const [name, setName] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const create = useRequest(
    () =>
      client.createCredential({
        name: name || (type?.title ?? ""),
        credentialName: type?.name ?? "",
        plainDataObj: values,
      }),
    {
      stale: [credentialKeys.all],
      next({ id }) {
        onCreated(id);
        onClose();
      },
    },
  );
  const isComplete = type?.fields.every((field) => !field.required || (values[field.name] ?? "") !== "") ?? false;
  return (
    <Modal opened onClose={onClose} title={formStrings.newCredentialTitle}>
      <form
        onSubmit={(event) => {
          // A portal's events bubble to the forms around its opener.
          event.preventDefault();
          event.stopPropagation();
          create.mutate();
        }}
      >
        <Stack gap="md">
          <Select
            label={formStrings.credentialType}
            placeholder={formStrings.credentialTypePlaceholder}
            data={choices}
            value={typeName}
            {...vendorMarksIn(choices, typeName)}
            onChange={(chosen) => {
              setTypeName(chosen);
              setValues({});
            }}
            allowDeselect={false}
            searchable
          />
          <TextInput
            label={formStrings.credentialName}
            value={name}
            placeholder={type?.title}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          {type && <SecretFields type={type} values={values} onChange={setValues} />}
          <Hint size="xs">{formStrings.credentialSecret}</Hint>
          <ErrorNotice error={create.error} />
          <Group justify="flex-end">
            <Action
              label={formStrings.credentialCreate}
              type="submit"
              loading={create.isPending}
              disabled={!isComplete}
              variant="filled"
            />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

type SecretFieldsProps = {
  type: CredentialType;
  values: Record<string, string>;
  onChange(values: Record<string, string>): void;
};

function SecretFields({ type, values, onChange }: SecretFieldsProps) {
  return type.fields.map((field) => {
    const Input = field.secret ? PasswordInput : TextInput;
    return (
      <Input
        key={field.name}
        label={field.title}
        description={field.help}
        required={field.required}
        autoComplete="off"
        value={values[field.name] ?? ""}
        onChange={(event) => onChange({ ...values, [field.name]: event.currentTarget.value })}
      />
    );
  });
}
