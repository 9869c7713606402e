import { ActionIcon, Select } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Credential, CredentialType } from "@weft/client";
import { Plus } from "lucide-react";
import { credentialsQuery, credentialTypesQuery } from "../../api/credentials.ts";
import { formStrings } from "../../strings/forms.ts";
import { fromText } from "../fields/update-value.ts";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";
import { NewCredential } from "./new-credential.tsx";

/** A stored credential, or a new one made on the spot. */
export function CredentialWidget(props: WidgetProps) {
  const { field, value, onChange, siblings, id, describedBy, isInvalid, isDisabled, label } = props;
  const { data: credentials } = useQuery(credentialsQuery);
  const { data: types } = useQuery(credentialTypesQuery);
  const [isCreating, { open, close }] = useDisclosure(false);
  const current = typeof value === "string" && value !== "" ? value : null;
  const groups = toGroups(credentials ?? [], types ?? []);
  const isLost = current !== null && credentials !== undefined && !credentials.some((one) => one.id === current);
  const lost = isLost
    ? [{ group: formStrings.credentialOther, items: [{ value: current, label: formStrings.missing(current) }] }]
    : [];
  const choose = (chosen: string | null) => onChange(fromText(field, chosen ?? ""));
  return (
    <div className={classes.row}>
      <Select
        style={{ flex: 1 }}
        id={id}
        data={[...groups, ...lost]}
        value={current}
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
      <ActionIcon
        variant="default"
        size={36}
        aria-label={formStrings.newCredential}
        title={formStrings.newCredential}
        onClick={open}
        disabled={isDisabled}
      >
        <Plus size={16} aria-hidden />
      </ActionIcon>
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
      .map((credential) => ({ value: credential.id, label: credential.name })),
  }));
}
