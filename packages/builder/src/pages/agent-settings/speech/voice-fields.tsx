import { Select, Stack, Switch } from "@mantine/core";
import { type JsonObject, toJsonObject, type VoiceServiceName, voiceServices } from "@weft/schema";
import { ConfigForm } from "../../../forms/form/config-form.tsx";
import { agentSettingsStrings } from "../strings.ts";
import { withActive } from "./speech-settings.ts";

const strings = agentSettingsStrings.speech;

type Props = {
  /** The settings of each service by its name. */
  voice: JsonObject;
  onChange(voice: JsonObject): void;
};

const names = Object.keys(voiceServices) as VoiceServiceName[];
const choices = names.map((name) => ({ value: name, label: voiceServices[name] }));

/** Whether answers can be read aloud, by which service and in which voice. */
export function VoiceFields({ voice, onChange }: Props) {
  const active = names.find((name) => toJsonObject(voice[name]).status === true);
  const known = names.find((name) => Object.hasOwn(voice, name)) ?? names[0];
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
          <ConfigForm
            key={active}
            schema={form}
            // A new credential is by default one of this service.
            value={{ ...toGiven(voice[active]), provider: active }}
            onChange={({ provider: _, ...changed }) => onChange({ ...voice, [active]: changed })}
          />
        </>
      )}
    </Stack>
  );
}

const form = {
  type: "object",
  properties: {
    credentialId: {
      type: "string",
      title: strings.voiceCredential,
      widget: "credential",
      help: strings.serverKeyHelp,
    },
    voice: { type: "string", title: strings.voice, help: strings.voiceHelp },
    model: { type: "string", title: strings.voiceModel, help: strings.voiceHelp },
  },
};

/** Forms of other clients send empty texts. */
function toGiven(settings: JsonObject[string] | undefined): JsonObject {
  return Object.fromEntries(Object.entries(toJsonObject(settings)).filter(([, value]) => value !== ""));
}
