import { ActionIcon, Menu, TextInput } from "@mantine/core";
import { CalendarClock } from "lucide-react";
import { formStrings } from "../../strings/forms.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** The times of a schedule, with the usual ones to choose from. */
export function CronWidget({ value, onChange, id, describedBy, isInvalid, isDisabled }: WidgetProps) {
  return (
    <TextInput
      id={id}
      value={typeof value === "string" ? value : ""}
      onChange={(event) => onChange(event.currentTarget.value)}
      placeholder="0 9 * * 1-5"
      error={isInvalid}
      disabled={isDisabled}
      aria-describedby={describedBy}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      rightSectionPointerEvents="all"
      rightSection={
        <Menu position="bottom-end" withinPortal>
          <Menu.Target>
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={formStrings.cronPresets}
              title={formStrings.cronPresets}
              disabled={isDisabled}
            >
              <CalendarClock size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {formStrings.presets.map(({ cron, title }) => (
              <Menu.Item key={cron} onClick={() => onChange(cron)}>
                {title}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      }
    />
  );
}
