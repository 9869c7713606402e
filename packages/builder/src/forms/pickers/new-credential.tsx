import { Button, Group, Modal, PasswordInput, Select, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { CredentialType } from "@weft/client";
import { useState } from "react";
import { client } from "../../api/client.ts";
import { credentialKeys } from "../../api/credentials.ts";
import { ErrorNotice } from "../../components/error-notice.tsx";
import { formStrings } from "../../strings/forms.ts";

type Props = {
  types: readonly CredentialType[];
  /** Chosen first, where there is such a type. */
  preferredType: string;
  onClose(): void;
  onCreated(id: string): void;
};

/** A small form that stores a credential, for a field that needs one. */
export function NewCredential({ types, preferredType, onClose, onCreated }: Props) {
  const queries = useQueryClient();
  const [typeName, setTypeName] = useState(() => types.find(({ name }) => name === preferredType)?.name ?? null);
  const type = types.find(({ name }) => name === typeName);
  const [name, setName] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const { mutate, isPending, error } = useMutation({
    mutationFn: () =>
      client.createCredential({
        name: name || (type?.title ?? ""),
        credentialName: type?.name ?? "",
        plainDataObj: values,
      }),
    async onSuccess({ id }) {
      await queries.invalidateQueries({ queryKey: credentialKeys.all });
      onCreated(id);
      onClose();
    },
  });
  const isComplete = type?.fields.every((field) => !field.required || (values[field.name] ?? "") !== "") ?? false;
  return (
    <Modal
      opened
      onClose={onClose}
      title={formStrings.newCredentialTitle}
      closeButtonProps={{ "aria-label": formStrings.close }}
    >
      <form
        onSubmit={(event) => {
          // A portal's events reach the forms around the place that opened it.
          event.preventDefault();
          event.stopPropagation();
          mutate();
        }}
      >
        <Stack gap="md">
          <Select
            label={formStrings.credentialType}
            placeholder={formStrings.credentialTypePlaceholder}
            data={types.map((one) => ({ value: one.name, label: one.title }))}
            value={typeName}
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
          {type?.fields.map((field) => {
            const Input = field.secret ? PasswordInput : TextInput;
            return (
              <Input
                key={field.name}
                label={field.title}
                description={field.help}
                required={field.required}
                autoComplete="off"
                value={values[field.name] ?? ""}
                onChange={(event) => setValues({ ...values, [field.name]: event.currentTarget.value })}
              />
            );
          })}
          <Text size="xs" c="dimmed">
            {formStrings.credentialSecret}
          </Text>
          <ErrorNotice error={error} />
          <Group justify="flex-end">
            <Button type="submit" loading={isPending} disabled={!isComplete}>
              {formStrings.credentialCreate}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
