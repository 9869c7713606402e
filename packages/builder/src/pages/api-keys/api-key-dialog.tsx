import { Checkbox, Group, MultiSelect, Radio, Stack, Text, TextInput } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ApiKey, NewApiKey } from "@weft/client";
import { useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { apiKeyKeys } from "../../api/api-keys.ts";
import { client } from "../../api/client.ts";
import { FormDialog } from "../../components/form-dialog.tsx";
import { notifyDone } from "../../components/notify.ts";
import { apiKeysStrings } from "../../strings/api-keys.ts";
import { commonStrings } from "../../strings/common.ts";
import classes from "./permission-picker.module.css";
import { type Preset, permissionTable, presetOf, toPermissions } from "./permissions.ts";

type Props = {
  /** Absent: a new one. */
  apiKey?: ApiKey;
  /** The one time that the key itself is known. */
  onCreated: (created: NewApiKey) => void;
  onClose: () => void;
};

export function ApiKeyDialog({ apiKey, onCreated, onClose }: Props) {
  const queries = useQueryClient();
  const [keyName, setKeyName] = useState(apiKey?.keyName ?? "");
  const [preset, setPreset] = useState(apiKey === undefined ? "chat" : presetOf(apiKey.permissions));
  const [chosen, setChosen] = useState(apiKey?.permissions.filter((permission) => permission !== "*") ?? []);
  const [agents, setAgents] = useState<string[]>(apiKey?.agents ?? []);
  const [clientId, setClientId] = useState(apiKey?.clientId ?? "");
  const permissions = toPermissions(preset, chosen);
  const save = async () => {
    const ofClient = clientId.trim() === "" ? {} : { clientId: clientId.trim() };
    const body = { keyName: keyName.trim(), permissions, agents, ...ofClient };
    if (apiKey === undefined) onCreated(await client.createApiKey(body));
    else {
      await client.updateApiKey({ id: apiKey.id }, body);
      notifyDone(apiKeysStrings.saved(body.keyName));
    }
    await queries.invalidateQueries({ queryKey: apiKeyKeys.all });
  };
  return (
    <FormDialog
      title={apiKey === undefined ? apiKeysStrings.createTitle : apiKeysStrings.editTitle}
      submitLabel={apiKey === undefined ? apiKeysStrings.createSubmit : commonStrings.save}
      isComplete={keyName.trim() !== "" && permissions.length > 0}
      onSubmit={save}
      onClose={onClose}
    >
      <TextInput
        label={apiKeysStrings.name}
        placeholder={apiKeysStrings.namePlaceholder}
        data-autofocus
        autoComplete="off"
        value={keyName}
        onChange={(event) => setKeyName(event.currentTarget.value)}
      />
      <AgentPicker chosen={agents} onChosen={setAgents} />
      <TextInput
        label={apiKeysStrings.client}
        description={apiKeysStrings.clientHint}
        placeholder={apiKeysStrings.clientPlaceholder}
        autoComplete="off"
        value={clientId}
        onChange={(event) => setClientId(event.currentTarget.value)}
      />
      <PermissionPicker preset={preset} chosen={chosen} onPreset={setPreset} onChosen={setChosen} />
    </FormDialog>
  );
}

/** The agents a key is limited to. Keeps ids that do not belong to an agent, such as an assistant's. */
function AgentPicker({ chosen, onChosen }: { chosen: string[]; onChosen: (ids: string[]) => void }) {
  const agents = useQuery(agentsQuery).data ?? [];
  const names = new Map([
    ...chosen.map((id) => [id, id] as const),
    ...agents.map(({ id, name }) => [id, name] as const),
  ]);
  return (
    <MultiSelect
      label={apiKeysStrings.agents}
      description={apiKeysStrings.agentsHint}
      placeholder={chosen.length === 0 ? apiKeysStrings.allAgents : undefined}
      searchable
      data={[...names].map(([value, label]) => ({ value, label }))}
      value={chosen}
      onChange={onChosen}
    />
  );
}

type PermissionPickerProps = {
  preset: Preset;
  chosen: readonly string[];
  onPreset: (preset: Preset) => void;
  onChosen: (chosen: string[]) => void;
};

const presets: readonly Preset[] = ["chat", "everything", "chosen"];

/** The permissions of a key: one of the two presets, or a list of individual permissions. */
function PermissionPicker({ preset, chosen, onPreset, onChosen }: PermissionPickerProps) {
  return (
    <Stack gap="sm">
      <Radio.Group
        label={apiKeysStrings.presetLabel}
        value={preset}
        onChange={(value) => onPreset(presets.find((candidate) => candidate === value) ?? preset)}
      >
        <Stack gap="xs" mt="xs">
          {presets.map((value) => (
            <Radio
              key={value}
              value={value}
              label={apiKeysStrings.presets[value]}
              description={apiKeysStrings.presetHints[value] || undefined}
            />
          ))}
        </Stack>
      </Radio.Group>
      {preset === "chosen" && (
        <Checkbox.Group value={[...chosen]} onChange={onChosen} aria-label={apiKeysStrings.permissions}>
          <div className={classes.table}>
            {Object.entries(permissionTable).map(([resource, actions]) => (
              <div key={resource} className={classes.row}>
                <Text size="sm">{apiKeysStrings.groups[resource] ?? resource}</Text>
                <Group gap="md">
                  {actions.map((action) => (
                    <Checkbox
                      key={action}
                      size="xs"
                      value={`${resource}:${action}`}
                      label={apiKeysStrings.actions[action] ?? action}
                      aria-label={`${apiKeysStrings.groups[resource] ?? resource}: ${apiKeysStrings.actions[action] ?? action}`}
                    />
                  ))}
                </Group>
              </div>
            ))}
          </div>
        </Checkbox.Group>
      )}
    </Stack>
  );
}
