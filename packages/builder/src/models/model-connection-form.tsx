import { Autocomplete, Button, Select, Stack, Text } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ModelProvider } from "@weft/client";
import { type SubmitEvent, useState } from "react";
import { client } from "../api/client.ts";
import { credentialKeys } from "../api/credentials.ts";
import { modelKeys } from "../api/models.ts";
import { ErrorNotice } from "../components/error-notice.tsx";
import { CredentialFields } from "../credentials/credential-dialog.tsx";
import { modelsStrings } from "../strings/settings.ts";

type Props = {
  providers: readonly ModelProvider[];
  submitLabel: string;
  onConnected: () => Promise<unknown> | undefined;
};

/** A provider, its key and a model. They become the default once the model has answered a test. */
export function ModelConnectionForm({ providers, submitLabel, onConnected }: Props) {
  const queries = useQueryClient();
  const real = providers.filter(({ credentialFields }) => credentialFields.length > 0);
  const [name, setName] = useState(real[0]?.name ?? "");
  const [model, setModel] = useState("");
  const [values, setValues] = useState<Record<string, string>>({});
  const provider = real.find((candidate) => candidate.name === name);
  const shown = neededFields(provider);
  const connect = useMutation({
    mutationFn: async () => provider && connectModel({ provider, model, values }),
    async onSuccess() {
      await queries.invalidateQueries({ queryKey: credentialKeys.all });
      await queries.invalidateQueries({ queryKey: modelKeys.default });
      await queries.invalidateQueries({ queryKey: modelKeys.providers });
      await onConnected();
    },
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
          data={real.map(({ name: value, title }) => ({ value, label: title }))}
          value={name}
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
        <Button type="submit" size="md" fullWidth loading={connect.isPending}>
          {submitLabel}
        </Button>
        <Text size="xs" c="dimmed">
          {modelsStrings.keyStays}
        </Text>
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
  provider: Pick<ModelProvider, "name" | "title">;
  /** Empty: the provider's own default. */
  model: string;
  /** Of the provider's credential fields; empty ones are left out. */
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
