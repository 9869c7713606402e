import { Alert, Autocomplete, List, PasswordInput, Select, Stack, TagsInput, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Credential, CredentialType, ModelProvider } from "@weft/client";
import { type SubmitEvent, useState } from "react";
import { client } from "../api/client.ts";
import { credentialKeys, credentialTypesQuery, modelKeys } from "../api/settings.ts";
import { formatList, languageTag } from "../languages/index.ts";
import { commonStrings, credentialsStrings, modelsStrings } from "../strings.ts";
import { Action } from "../ui/controls/actions.tsx";
import { FormDialog } from "../ui/page/dialogs.tsx";
import { ErrorNotice } from "../ui/page/notices.tsx";
import { useRequest } from "../ui/page/requests.ts";
import { Hint } from "../ui/text/hint.tsx";
import { vendorMarksIn } from "../ui/vendor-mark.tsx";

type Props = {
  /** Absent: a new one. */
  credential?: Credential;
  /** The initial type of a new one. */
  typeName?: string;
  onSaved?: (credential: Credential) => void;
  onClose: () => void;
};

/** A credential's name and values. Stored values are not shown: empty fields keep them. */
export function CredentialDialog({ credential, typeName, onSaved, onClose }: Props) {
  const { data: types = [] } = useQuery(credentialTypesQuery);
  const [chosen, setChosen] = useState(credential?.credentialName ?? typeName);
  const credentialName = chosen ?? types[0]?.name ?? "";
  const type = types.find(({ name }) => name === credentialName);
  const [name, setName] = useState(credential?.name ?? "");
  const [values, setValues] = useState<Record<string, string>>({});
  const [hosts, setHosts] = useState<string[]>(credential?.hosts ?? []);
  const isStored = (field: string) => credential?.readable === true && credential.fields.includes(field);
  const isComplete = type?.fields.every((field) => !field.required || isStored(field.name) || values[field.name]);
  const save = () => {
    const plainDataObj = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ""));
    const body = { name: name.trim() || (type?.title ?? credentialName), credentialName, plainDataObj, hosts };
    return credential === undefined
      ? client.createCredential(body)
      : client.updateCredential({ id: credential.id }, body);
  };
  return (
    <FormDialog
      title={credential === undefined ? credentialsStrings.createTitle : credentialsStrings.editTitle}
      submitLabel={credential === undefined ? commonStrings.create : commonStrings.save}
      stale={[credentialKeys.all]}
      done={(saved) => credentialsStrings.saved({ name: saved.name })}
      next={onSaved}
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
          {...vendorMarksIn(types.map(toChoice), credentialName)}
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
        description={credentialsStrings.hostsHelp({
          count: credential?.impliedHosts.length ?? 0,
          implied: formatList(credential?.impliedHosts ?? []),
        })}
        placeholder={hosts.length === 0 ? "api.example.com" : ""}
        splitChars={[",", " "]}
        value={hosts}
        onChange={setHosts}
      />
      <AllowedDestinations destinations={credential?.destinations ?? []} />
    </FormDialog>
  );
}

function toGroups(types: readonly CredentialType[]) {
  const items = (purpose: CredentialType["purpose"]) =>
    types.filter((type) => type.isOffered && type.purpose === purpose).map(toChoice);
  return [
    { group: credentialsStrings.modelGroup, items: items("model") },
    { group: credentialsStrings.otherGroup, items: items("other") },
  ];
}

function toChoice({ name, title }: { name: string; title: string }) {
  return { value: name, label: title };
}

type Values = Readonly<Record<string, string>>;

type CredentialFieldsProps = {
  fields: CredentialType["fields"];
  values: Values;
  /** Whether the server already has a value for the field, which is kept while the field stays empty. */
  isStored?: (name: string) => boolean;
  onChange: (values: Record<string, string>) => void;
};

/** One input per field of a credential type. */
function CredentialFields({ fields, values, isStored = () => false, onChange }: CredentialFieldsProps) {
  return fields.map(({ name, title, help, secret, required }) => {
    const Input = secret ? PasswordInput : TextInput;
    return (
      <Input
        key={name}
        label={required ? title : credentialsStrings.optional({ title })}
        description={help}
        placeholder={isStored(name) ? credentialsStrings.keepsValue : ""}
        required={required && !isStored(name)}
        withAsterisk={false}
        // A password manager would offer to store a secret that belongs only to the server.
        autoComplete={secret ? "new-password" : "off"}
        value={values[name] ?? ""}
        onChange={(event) => onChange({ ...values, [name]: event.currentTarget.value })}
      />
    );
  });
}

type ConnectionProps = {
  providers: readonly ModelProvider[];
  submitLabel: string;
  onConnected: () => Promise<unknown> | undefined;
};

/** A provider, its key and a model. They become the default once the model has answered a test. */
export function ModelConnectionForm({ providers, submitLabel, onConnected }: ConnectionProps) {
  const real = providers.filter(({ credentialFields }) => credentialFields.length > 0);
  const [name, setName] = useState(real[0]?.name ?? "");
  const [model, setModel] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const provider = real.find((candidate) => candidate.name === name);
  const shown = neededFields(provider);
  const connect = useRequest(async () => provider && connectModel({ provider, model, values }), {
    stale: [credentialKeys.all, modelKeys.default, modelKeys.providers],
    next: onConnected,
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    connect.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Select
          label={modelsStrings.provider}
          data={real.map(toChoice)}
          value={name}
          {...vendorMarksIn(real.map(toChoice), name)}
          allowDeselect={false}
          onChange={(value) => {
            setName(value ?? name);
            setModel("");
            setValues({});
            connect.reset();
          }}
        />
        <CredentialFields fields={shown} values={values} onChange={setValues} />
        <Autocomplete
          label={modelsStrings.model}
          description={modelsStrings.modelHint}
          placeholder={provider?.models[0]}
          data={provider?.models ?? []}
          value={model}
          onChange={setModel}
        />
        <ErrorNotice error={connect.error} title={modelsStrings.refused} />
        <Action label={submitLabel} type="submit" size="md" fullWidth loading={connect.isPending} variant="filled" />
        <Hint size="xs">{modelsStrings.keyStays}</Hint>
      </Stack>
    </form>
  );
}

type Field = ModelProvider["credentialFields"][number];

/**
 * The fields needed to reach the provider: the required ones, or all of them if none is required. A custom server also
 * needs its address. The rest can be set later, under Credentials.
 */
function neededFields(provider: ModelProvider | undefined): Field[] {
  const isAnyServer = provider?.name === "openai-compatible";
  const fields = (provider?.credentialFields ?? []).map((field) => ({
    ...field,
    required: field.required || (isAnyServer && field.name === "baseUrl"),
  }));
  return isAnyServer || !fields.some(({ required }) => required) ? fields : fields.filter(({ required }) => required);
}

type Connection = {
  provider: ModelProvider;
  /** Empty: the provider's own default. */
  model: string;
  /** Of the provider's credential fields, without empty ones. */
  values: Readonly<Record<string, string>>;
};

/**
 * Stores the credential, tests the model, and makes it the default. If the model does not respond, rejects with the
 * reason and removes the credential.
 */
async function connectModel({ provider, model, values }: Connection): Promise<void> {
  const plainDataObj = Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, value.trim()] as const)
      .filter(([, value]) => value !== ""),
  );
  const isEmpty = Object.keys(plainDataObj).length === 0;
  const credential = isEmpty
    ? ""
    : (await client.createCredential({ name: provider.title, credentialName: provider.name, plainDataObj })).id;
  const choice = { provider: provider.name, model: model.trim(), credential };
  try {
    const trial = await client.testModel(choice);
    if (!trial.ok) throw new Error(trial.message);
    await client.chooseDefaultModel(choice);
  } catch (cause) {
    if (credential !== "") await client.deleteCredential({ id: credential }).catch(() => undefined);
    throw cause;
  }
}

/** Who allowed each destination, and when. */
function AllowedDestinations({ destinations }: Pick<Credential, "destinations">) {
  if (destinations.length === 0) return null;
  return (
    <List size="xs" spacing={4} c="dimmed">
      {destinations.map(({ destination, confirmedBy, confirmedDate }) => (
        <List.Item key={destination} style={{ overflowWrap: "anywhere" }}>
          {`${destination} · ${
            confirmedBy === null || confirmedDate === null
              ? credentialsStrings.allowedBefore
              : credentialsStrings.allowedBy({
                  by: confirmedBy,
                  date: new Date(confirmedDate).toLocaleDateString(languageTag()),
                })
          }`}
        </List.Item>
      ))}
    </List>
  );
}
