import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { VoiceServiceName } from "@weft/schema";
import { useState } from "react";
import { voicesQuery } from "../../../api/settings.ts";
import { agentSettingsStrings } from "../../../strings.ts";

const strings = agentSettingsStrings.speech;

type Props = {
  service: VoiceServiceName;
  /** Empty: the server's own key. */
  credentialId: string;
  /** Its id; empty: the service's default. */
  value: string;
  onChange(id: string): void;
};

/** A voice of the service by its name, or any other by its id. */
export function VoiceSelect({ service, credentialId, value, onChange }: Props) {
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
