import { MultiSelect, Stack, Switch, TagsInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { variablesQuery } from "../../api/variables.ts";
import { agentSettingsStrings as strings } from "../../strings/agent-settings.ts";
import { type OverrideSettings, overridableNodes } from "./override-settings.ts";
import type { SettingsFields } from "./settings-fields.ts";

type Props = SettingsFields & { flowData: string };

/** What callers with an API key, and visitors, may change for one run. */
export function OverrideFields({ draft: { overrides }, change, flowData }: Props) {
  const { data: variables } = useQuery(variablesQuery);
  const set = (changed: Partial<OverrideSettings>) => change({ overrides: { ...overrides, ...changed } });
  return (
    <Stack gap="md">
      <Switch
        label={strings.overridesOn}
        description={strings.overridesOnHelp}
        checked={overrides.isOn}
        onChange={({ currentTarget }) => set({ isOn: currentTarget.checked })}
      />
      {overrides.isOn && (
        <>
          <TagsInput
            label={strings.overrideVariables}
            description={strings.overrideVariablesHelp}
            data={[...new Set(variables?.map(({ name }) => name))]}
            value={[...overrides.variables]}
            onChange={(names) => set({ variables: names })}
          />
          {overridableNodes(flowData, overrides).map(({ label, names }) => (
            <MultiSelect
              key={label}
              label={strings.overrideNode(label)}
              data={[...names]}
              value={[...(overrides.nodes[label] ?? [])]}
              onChange={(enabled) => set({ nodes: { ...overrides.nodes, [label]: enabled } })}
              searchable
              clearable
              nothingFoundMessage={strings.noMatch}
            />
          ))}
          <Switch
            label={strings.overrideHistory}
            description={strings.overrideHistoryHelp}
            checked={overrides.history}
            onChange={({ currentTarget }) => set({ history: currentTarget.checked })}
          />
        </>
      )}
    </Stack>
  );
}
