import { Checkbox, Group, Radio, Stack, Text } from "@mantine/core";
import { apiKeysStrings } from "../../strings/api-keys.ts";
import classes from "./permission-picker.module.css";
import { type Preset, permissionTable } from "./permissions.ts";

type Props = {
  preset: Preset;
  chosen: readonly string[];
  onPreset: (preset: Preset) => void;
  onChosen: (chosen: string[]) => void;
};

const presets: readonly Preset[] = ["chat", "everything", "chosen"];

/** What a key may do: the two usual cases, or permission by permission. */
export function PermissionPicker({ preset, chosen, onPreset, onChosen }: Props) {
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
