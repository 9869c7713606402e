import { Alert, Select, Stack, Switch } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Check, Lock } from "lucide-react";
import { apiKeysQuery } from "../../api/api-keys.ts";
import { isOpenQuery } from "../../api/visitors.ts";
import { agentSettingsStrings as strings } from "../../strings/agent-settings.ts";
import type { SettingsFields } from "./settings-fields.ts";

type Props = SettingsFields & { agentId: string; isDirty: boolean };

export function AccessFields({ draft, change, agentId, isDirty }: Props) {
  const { data: keys } = useQuery(apiKeysQuery);
  const known = keys?.map(({ id, keyName }) => ({ value: id, label: keyName })) ?? [];
  const isLost = draft.apiKeyId !== "" && keys !== undefined && !known.some(({ value }) => value === draft.apiKeyId);
  const lost = isLost ? [{ value: draft.apiKeyId, label: strings.missingKey(draft.apiKeyId) }] : [];
  return (
    <Stack gap="md">
      <Switch
        label={strings.isPublic}
        description={strings.isPublicHelp}
        checked={draft.isPublic}
        onChange={({ currentTarget }) => change({ isPublic: currentTarget.checked })}
      />
      {draft.isPublic && !isDirty && <Openness agentId={agentId} />}
      <Switch
        label={strings.deployed}
        description={strings.deployedHelp}
        checked={draft.deployed}
        onChange={({ currentTarget }) => change({ deployed: currentTarget.checked })}
      />
      <Select
        label={strings.key}
        description={strings.keyHelp}
        maw={420}
        data={[{ value: "", label: strings.anyKey }, ...known, ...lost]}
        value={draft.apiKeyId}
        onChange={(id) => change({ apiKeyId: id ?? "" })}
        allowDeselect={false}
        searchable
        nothingFoundMessage={strings.noMatch}
      />
    </Stack>
  );
}

/** Whether visitors are let in, as a visitor finds it. */
function Openness({ agentId }: { agentId: string }) {
  const { data: isOpen } = useQuery(isOpenQuery(agentId));
  if (isOpen === undefined) return null;
  const Icon = isOpen ? Check : Lock;
  return (
    <Alert color={isOpen ? "green" : "yellow"} variant="light" icon={<Icon size={18} aria-hidden />} role="status">
      {isOpen ? strings.opened : strings.closed}
    </Alert>
  );
}
