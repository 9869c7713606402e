import { Alert, Select, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type JsonObject, toJsonObject } from "@weft/schema";
import { credentialsQuery, modelProvidersQuery } from "../../../api/settings.ts";
import { ConfigForm } from "../../../forms/form/config-form.tsx";
import { agentSettingsStrings } from "../../../strings.ts";
import { Loaded } from "../../../ui/page/notices.tsx";
import { vendorMarksIn } from "../../../ui/vendor-mark.tsx";
import {
  findActive,
  findUnsupported,
  firstChoice,
  isSpeechProvider,
  type SpeechProvider,
  speechProblems,
  toSpeechForm,
  toSpeechValue,
  withActive,
} from "./speech-settings.ts";

const strings = agentSettingsStrings.speech;

type Props = {
  /** The settings of each service by its name. */
  speech: JsonObject;
  onChange(speech: JsonObject): void;
};

/** Whether visitors can record messages, and the service that turns them into text. */
export function SpeechFields(props: Props) {
  return (
    <Loaded query={useQuery(modelProvidersQuery)} until={36}>
      {(known) => <ServiceChoice {...props} providers={known.filter(isSpeechProvider)} />}
    </Loaded>
  );
}

function ServiceChoice({ speech, onChange, providers }: Props & { providers: readonly SpeechProvider[] }) {
  const active = findActive(speech, providers);
  const unsupported = findUnsupported(speech, providers);
  const choices = providers.map(({ name, title }) => ({ value: name, label: title }));
  const choose = (provider: SpeechProvider | undefined) => onChange(withActive(speech, provider?.speech.service));
  return (
    <Stack gap="md">
      {unsupported !== undefined && active === undefined && (
        <Alert color="yellow" variant="light">
          {strings.unsupported({ service: unsupported })}
        </Alert>
      )}
      <Switch
        label={strings.isOn}
        description={strings.isOnHelp}
        checked={active !== undefined}
        onChange={({ currentTarget }) => choose(currentTarget.checked ? firstChoice(speech, providers) : undefined)}
      />
      {active && (
        <>
          <Select
            label={strings.service}
            data={choices}
            value={active.name}
            {...vendorMarksIn(choices, active.name)}
            allowDeselect={false}
            onChange={(name) => choose(providers.find((provider) => provider.name === name) ?? active)}
          />
          <ServiceForm key={active.name} provider={active} speech={speech} onChange={onChange} />
        </>
      )}
    </Stack>
  );
}

function ServiceForm({ provider, speech, onChange }: Props & { provider: SpeechProvider }) {
  const { data: credentials } = useQuery(credentialsQuery);
  const { service } = provider.speech;
  const value = toSpeechValue(toJsonObject(speech[service]));
  return (
    <ConfigForm
      schema={toSpeechForm(provider, value)}
      // A new credential is by default one of this provider.
      value={{ ...value, provider: provider.name }}
      onChange={({ provider: _, ...changed }) => onChange({ ...speech, [service]: changed })}
      errors={speechProblems(
        provider,
        value,
        credentials?.map(({ id }) => id),
      )}
    />
  );
}
