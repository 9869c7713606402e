import { Group, NumberInput, Stack, Switch, TextInput } from "@mantine/core";
import { agentSettingsStrings as strings } from "../../strings/agent-settings.ts";
import type { SettingsFields } from "./settings-fields.ts";

const most = 1_000_000;

export function LimitFields({ draft, change }: SettingsFields) {
  return (
    <Stack gap="md">
      <Switch
        label={strings.isLimited}
        checked={draft.isLimited}
        onChange={({ currentTarget }) => change({ isLimited: currentTarget.checked })}
      />
      {draft.isLimited && (
        <>
          <Group align="flex-end">
            <Whole label={strings.limitMax} value={draft.limitMax} onChange={(limitMax) => change({ limitMax })} />
            <Whole
              label={strings.limitDuration}
              value={draft.limitSeconds}
              onChange={(limitSeconds) => change({ limitSeconds })}
            />
          </Group>
          <TextInput
            label={strings.limitMessage}
            value={draft.limitMessage}
            onChange={(event) => change({ limitMessage: event.currentTarget.value })}
          />
        </>
      )}
    </Stack>
  );
}

type WholeProps = { label: string; value: number; onChange(value: number): void };

/** A whole number from 1 on. While the field is empty it keeps what it had. */
function Whole({ label, value, onChange }: WholeProps) {
  return (
    <NumberInput
      label={label}
      min={1}
      max={most}
      clampBehavior="strict"
      allowDecimal={false}
      allowNegative={false}
      value={value}
      onChange={(entered) => typeof entered === "number" && onChange(entered)}
    />
  );
}
