import { Select, Stack, Switch, TextInput } from "@mantine/core";
import {
  type JsonObject,
  textOrEmpty,
  toJsonObject,
  type VoiceServiceName,
  voiceServiceNames,
  voiceServices,
} from "@weft/schema";
import { ConfigForm } from "../../../forms/form/config-form.tsx";
import { agentSettingsStrings } from "../../../strings.ts";
import { withActive } from "./speech-settings.ts";
import { VoiceSelect } from "./voice-select.tsx";

const strings = agentSettingsStrings.speech;

type Props = {
  /** The settings of each service by its name. */
  voice: JsonObject;
  onChange(voice: JsonObject): void;
};

const choices = voiceServiceNames.map((name) => ({ value: name, label: voiceServices[name] }));

/** Whether answers can be read aloud, by which service and in which voice. */
export function VoiceFields({ voice, onChange }: Props) {
  const active = voiceServiceNames.find((name) => toJsonObject(voice[name]).status === true);
  const known = voiceServiceNames.find((name) => Object.hasOwn(voice, name)) ?? voiceServiceNames[0];
  const choose = (name: string | undefined) => onChange(withActive(voice, name));
  return (
    <Stack gap="md">
      <Switch
        label={strings.readsAloud}
        description={strings.readsAloudHelp}
        checked={active !== undefined}
        onChange={({ currentTarget }) => choose(currentTarget.checked ? known : undefined)}
      />
      {active && (
        <>
          <Select
            label={strings.voiceService}
            data={choices}
            value={active}
            allowDeselect={false}
            onChange={(name) => choose(name ?? active)}
          />
          <ServiceFields
            key={active}
            service={active}
            settings={toGiven(voice[active])}
            onChange={(settings) => onChange({ ...voice, [active]: settings })}
          />
        </>
      )}
    </Stack>
  );
}

type ServiceProps = { service: VoiceServiceName; settings: JsonObject; onChange(settings: JsonObject): void };

function ServiceFields({ service, settings, onChange }: ServiceProps) {
  const set = (name: string, value: string | boolean) => {
    const { [name]: _, ...others } = settings;
    onChange(value === "" ? others : { ...others, [name]: value });
  };
  return (
    <>
      <ConfigForm
        schema={credentialForm}
        // A new credential is by default one of this service.
        value={{ ...settings, provider: service }}
        onChange={({ provider: _, ...changed }) => onChange(changed)}
      />
      <VoiceSelect
        service={service}
        credentialId={textOrEmpty(settings.credentialId)}
        value={textOrEmpty(settings.voice)}
        onChange={(id) => set("voice", id)}
      />
      <TextInput
        label={strings.voiceModel}
        description={strings.voiceHelp}
        value={textOrEmpty(settings.model)}
        onChange={({ currentTarget }) => set("model", currentTarget.value)}
      />
      <Switch
        label={strings.autoPlay}
        description={strings.autoPlayHelp}
        checked={settings.autoPlay === true}
        onChange={({ currentTarget }) => set("autoPlay", currentTarget.checked)}
      />
    </>
  );
}

const credentialForm = {
  type: "object",
  properties: {
    credentialId: {
      type: "string",
      title: strings.voiceCredential,
      widget: "credential",
      help: strings.serverKeyHelp,
    },
  },
};

/** Forms of other clients send empty texts. */
function toGiven(settings: JsonObject[string] | undefined): JsonObject {
  return Object.fromEntries(Object.entries(toJsonObject(settings)).filter(([, value]) => value !== ""));
}
