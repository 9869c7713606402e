import { Select, Stack, Switch, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { VoiceServiceName } from "@weft/schema";
import { type JsonObject, textOrEmpty, toJsonObject, voiceServiceNames, voiceServices } from "@weft/schema";
import { useState } from "react";
import { voicesQuery } from "../../../api/settings.ts";
import { ConfigForm } from "../../../forms/form/config-form.tsx";
import { agentSettingsStrings } from "../../../strings.ts";
import { withActive } from "./speech-settings.ts";

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

type VoiceSelectProps = {
  service: VoiceServiceName;
  /** Empty: the server's own key. */
  credentialId: string;
  /** Its id; empty: the service's default. */
  value: string;
  onChange(id: string): void;
};

/** A voice of the service by its name, or any other by its id. */
function VoiceSelect({ service, credentialId, value, onChange }: VoiceSelectProps) {
  const { data: voices = [], isError } = useQuery(voicesQuery(service, credentialId));
  const [typed, setTyped] = useState("");
  const known = voices.map(({ id, name }) => ({ value: id, label: name || id }));
  const other = [value, typed.trim()].filter(
    (text) => text !== "" && !known.some((voice) => voice.value === text || voice.label === text),
  );
  const data = [...[...new Set(other)].map((id) => ({ value: id, label: id })), ...known];

  /** What is typed and not in the list is the id of a voice. */
  function take(): void {
    if (other.includes(typed.trim())) onChange(typed.trim());
  }

  return (
    <Select
      label={strings.voice}
      description={isError ? strings.voicesUnknown : strings.voiceHelp}
      data={data}
      value={value === "" ? null : value}
      onChange={(id) => onChange(id ?? "")}
      searchable
      clearable
      onSearchChange={setTyped}
      onBlur={take}
    />
  );
}
