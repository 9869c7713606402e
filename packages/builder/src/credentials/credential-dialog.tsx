import { Alert, PasswordInput, Select, TagsInput, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { Credential, CredentialType } from "@weft/client";
import { useState } from "react";
import { client } from "../api/client.ts";
import { credentialKeys, credentialTypesQuery } from "../api/credentials.ts";
import { FormDialog } from "../components/form-dialog.tsx";
import { notifyDone } from "../components/notify.ts";
import { commonStrings } from "../strings/common.ts";
import { credentialsStrings } from "../strings/settings.ts";

type Props = {
  /** Absent: a new one. */
  credential?: Credential;
  /** The kind that a new one begins with. */
  typeName?: string;
  onSaved?: (credential: Credential) => void;
  onClose: () => void;
};

/** A credential's name and values. Stored values are not shown: empty fields keep them. */
export function CredentialDialog({ credential, typeName, onSaved, onClose }: Props) {
  const queries = useQueryClient();
  const { data: types = [] } = useQuery(credentialTypesQuery);
  const [chosen, setChosen] = useState(credential?.credentialName ?? typeName);
  const credentialName = chosen ?? types[0]?.name ?? "";
  const type = types.find(({ name }) => name === credentialName);
  const [name, setName] = useState(credential?.name ?? "");
  const [values, setValues] = useState<Record<string, string>>({});
  const [hosts, setHosts] = useState<string[]>(credential?.hosts ?? []);
  const isStored = (field: string) => credential?.readable === true && credential.fields.includes(field);
  const isComplete = type?.fields.every((field) => !field.required || isStored(field.name) || values[field.name]);
  const save = async () => {
    const plainDataObj = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    const body = { name: name.trim() || (type?.title ?? credentialName), credentialName, plainDataObj, hosts };
    const saved = await (credential === undefined
      ? client.createCredential(body)
      : client.updateCredential({ id: credential.id }, body));
    await queries.invalidateQueries({ queryKey: credentialKeys.all });
    notifyDone(credentialsStrings.saved(saved.name));
    onSaved?.(saved);
  };
  return (
    <FormDialog
      title={credential === undefined ? credentialsStrings.createTitle : credentialsStrings.editTitle}
      submitLabel={credential === undefined ? commonStrings.create : commonStrings.save}
      isComplete={isComplete ?? credential !== undefined}
      onSubmit={save}
      onClose={onClose}
    >
      {credential?.readable === false && <Alert color="red">{credentialsStrings.unreadableText}</Alert>}
      {credential === undefined && (
        <Select
          label={commonStrings.type}
          data={toGroups(types)}
          allowDeselect={false}
          searchable
          value={credentialName}
          onChange={(next) => {
            setChosen(next ?? credentialName);
            setValues({});
          }}
        />
      )}
      <TextInput
        label={commonStrings.name}
        placeholder={type?.title}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      {type === undefined ? (
        credential !== undefined && <Alert color="gray">{credentialsStrings.unknownType}</Alert>
      ) : (
        <CredentialFields fields={type.fields} values={values} isStored={isStored} onChange={setValues} />
      )}
      <TagsInput
        label={credentialsStrings.hosts}
        description={credentialsStrings.hostsHelp(credential?.impliedHosts ?? [])}
        placeholder={hosts.length === 0 ? "api.example.com" : ""}
        splitChars={[",", " "]}
        value={hosts}
        onChange={setHosts}
      />
    </FormDialog>
  );
}

function toGroups(types: readonly CredentialType[]) {
  const items = (purpose: CredentialType["purpose"]) =>
    types
      .filter((type) => type.isOffered && type.purpose === purpose)
      .map(({ name, title }) => ({ value: name, label: title }));
  return [
    { group: credentialsStrings.modelGroup, items: items("model") },
    { group: credentialsStrings.otherGroup, items: items("other") },
  ];
}

type Values = Readonly<Record<string, string>>;

type CredentialFieldsProps = {
  fields: CredentialType["fields"];
  values: Values;
  /** Whether the server holds a value of the field already; that one is kept while the field stays empty. */
  isStored?: (name: string) => boolean;
  onChange: (values: Record<string, string>) => void;
};

/** One input for each value of a kind of credential. */
export function CredentialFields({ fields, values, isStored = () => false, onChange }: CredentialFieldsProps) {
  return fields.map(({ name, title, help, secret, required }) => {
    const Input = secret ? PasswordInput : TextInput;
    return (
      <Input
        key={name}
        label={required ? title : credentialsStrings.optional(title)}
        description={help}
        placeholder={isStored(name) ? credentialsStrings.keepsValue : ""}
        required={required && !isStored(name)}
        withAsterisk={false}
        // A password manager would offer to keep what belongs to the server alone.
        autoComplete={secret ? "new-password" : "off"}
        value={values[name] ?? ""}
        onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
      />
    );
  });
}
