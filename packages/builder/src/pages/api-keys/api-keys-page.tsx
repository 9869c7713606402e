import { Badge, Checkbox, Code, Group, MultiSelect, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ApiKey, NewApiKey } from "@weft/client";
import { useState } from "react";
import { agentsQuery } from "../../api/agents.ts";
import { client } from "../../api/client.ts";
import { apiKeyKeys, apiKeysQuery } from "../../api/settings.ts";
import { Ban, KeyRound, Pencil } from "../../icons/icons.gen.ts";
import { apiKeysStrings, commonStrings, textFor } from "../../strings.ts";
import { Moment } from "../../ui/content/time.tsx";
import { MenuAction } from "../../ui/controls/actions.tsx";
import { Choice } from "../../ui/controls/choice.tsx";
import { type Column, RowMenu } from "../../ui/list/list-page.tsx";
import { ResourcePage } from "../../ui/list/resource-page.tsx";
import { FormDialog, ShownOnceDialog } from "../../ui/page/dialogs.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import classes from "./permission-picker.module.css";
import { type Preset, permissionTable, presetOf, toPermissions } from "./permissions.ts";

export function ApiKeysPage() {
  const [created, setCreated] = useState<NewApiKey>();
  return (
    <ResourcePage
      strings={apiKeysStrings}
      icon={KeyRound}
      writes="apikeys:write"
      query={useQuery(apiKeysQuery)}
      columns={columns}
      nameOf={({ keyName }) => keyName}
      create={(onClose) => <ApiKeyDialog onCreated={setCreated} onClose={onClose} />}
      edit={(apiKey, onClose) => <ApiKeyDialog apiKey={apiKey} onCreated={setCreated} onClose={onClose} />}
      menu={({ keyName }, actions) => <ApiKeyMenu name={keyName} {...actions} />}
      remove={({ id }) => client.deleteApiKey({ id })}
      stale={[apiKeyKeys.all]}
    >
      {created !== undefined && <NewKeyDialog created={created} onClose={() => setCreated(undefined)} />}
    </ResourcePage>
  );
}

const columns: readonly Column<ApiKey>[] = [
  {
    key: "name",
    header: commonStrings.name,
    cell: ({ keyName }) => (
      <Text size="sm" fw={500}>
        {keyName}
      </Text>
    ),
  },
  { key: "key", header: apiKeysStrings.key, isNarrow: true, cell: ({ keyHint }) => <Code>{keyHint}</Code> },
  {
    key: "permissions",
    header: apiKeysStrings.permissions,
    cell: ({ permissions }) => (
      <Badge variant="light" color={permissions.includes("*") ? "orange" : "gray"} tt="none">
        {toPermissionText(permissions)}
      </Badge>
    ),
  },
  {
    key: "reach",
    header: apiKeysStrings.reach,
    cell: ({ agents, clientId }) => (
      <>
        <Text size="sm">{apiKeysStrings.agentCount({ count: agents.length })}</Text>
        <Code className={classes.client} title={clientId}>
          {clientId}
        </Code>
      </>
    ),
  },
  {
    key: "used",
    header: apiKeysStrings.lastUsed,
    isNarrow: true,
    cell: ({ lastUsedDate }) =>
      lastUsedDate === null ? <Hint>{apiKeysStrings.never}</Hint> : <Moment at={lastUsedDate} />,
  },
];

function ApiKeyMenu({ name, onEdit, onDelete }: { name: string; onEdit(): void; onDelete(): void }) {
  return (
    <RowMenu name={name}>
      <MenuAction icon={Pencil} label={commonStrings.edit} onClick={onEdit} />
      <MenuAction icon={Ban} label={apiKeysStrings.delete} isDanger onClick={onDelete} />
    </RowMenu>
  );
}

function toPermissionText(permissions: readonly string[]): string {
  const preset = presetOf(permissions);
  return preset === "chosen" ? apiKeysStrings.count({ count: permissions.length }) : apiKeysStrings.presets[preset];
}

function NewKeyDialog({ created, onClose }: { created: NewApiKey; onClose: () => void }) {
  return (
    <ShownOnceDialog
      title={apiKeysStrings.shownOnceTitle}
      warning={apiKeysStrings.shownOnceText}
      label={apiKeysStrings.newKey}
      value={created.apiKey}
      done={apiKeysStrings.copied}
      onClose={onClose}
    />
  );
}

type Props = {
  /** Absent: a new one. */
  apiKey?: ApiKey;
  /** The one time that the key itself is known. */
  onCreated: (created: NewApiKey) => void;
  onClose: () => void;
};

function ApiKeyDialog({ apiKey, onCreated, onClose }: Props) {
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
    else await client.updateApiKey({ id: apiKey.id }, body);
  };
  return (
    <FormDialog
      title={apiKey === undefined ? apiKeysStrings.createTitle : apiKeysStrings.editTitle}
      submitLabel={apiKey === undefined ? apiKeysStrings.createSubmit : commonStrings.save}
      isComplete={keyName.trim() !== "" && permissions.length > 0}
      onSubmit={save}
      stale={[apiKeyKeys.all]}
      done={apiKey && apiKeysStrings.saved({ name: keyName.trim() })}
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
      <Choice
        label={apiKeysStrings.presetLabel}
        value={preset}
        onChange={onPreset}
        options={presets.map((value) => ({
          value,
          label: apiKeysStrings.presets[value],
          hint: apiKeysStrings.presetHints[value] || undefined,
        }))}
      />
      {preset === "chosen" && (
        <Checkbox.Group value={[...chosen]} onChange={onChosen} aria-label={apiKeysStrings.permissions}>
          <div className={classes.table}>
            {Object.entries(permissionTable).map(([resource, actions]) => (
              <div key={resource} className={classes.row}>
                <Text size="sm">{textFor(apiKeysStrings.groups, resource) ?? resource}</Text>
                <Group gap="md">
                  {actions.map((action) => (
                    <Checkbox
                      key={action}
                      size="xs"
                      value={`${resource}:${action}`}
                      label={textFor(apiKeysStrings.actions, action) ?? action}
                      aria-label={commonStrings.labelled({
                        label: textFor(apiKeysStrings.groups, resource) ?? resource,
                        value: textFor(apiKeysStrings.actions, action) ?? action,
                      })}
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
