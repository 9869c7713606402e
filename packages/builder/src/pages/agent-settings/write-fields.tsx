import { Group, Select } from "@mantine/core";
import type { WritePolicy, WriteRuling } from "@weft/schema";
import { agentSettingsStrings as strings } from "../../strings/agent-settings.ts";
import type { SettingsFields } from "./settings-fields.ts";

const rulings = Object.entries(strings.rulings).map(([value, label]) => ({ value, label }));

/** What visitors may have the agent's tools and requests do. */
export function WriteFields({ draft, change }: SettingsFields) {
  const { visitorWrites } = draft;
  const field = (name: keyof WritePolicy) => ({
    label: strings.effects[name],
    data: rulings,
    value: visitorWrites[name],
    onChange: (ruling: string | null) =>
      change({ visitorWrites: { ...visitorWrites, [name]: (ruling ?? "ask") as WriteRuling } }),
    allowDeselect: false,
  });
  return (
    <Group align="flex-end">
      <Select {...field("write")} />
      <Select {...field("destructive")} />
    </Group>
  );
}
