import { ActionIcon, Menu, Select, TextInput } from "@mantine/core";
import { CalendarClock } from "lucide-react";
import { formStrings } from "../../strings/forms.ts";
import { shownValue } from "../fields/update-value.ts";
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

const shownAtOnce = 50;

/** A time zone of the browser's list, or another that the value has already. */
export function TimeZoneWidget({ field, value, onChange, id, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const current = String(shownValue(field, value) ?? "");
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(current === "" ? [] : [current])])];
  return (
    <Select
      id={id}
      data={zones}
      value={current === "" ? null : current}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      searchable
      limit={shownAtOnce}
      allowDeselect={false}
      nothingFoundMessage={formStrings.noMatch}
      error={isInvalid}
      disabled={isDisabled}
      aria-describedby={describedBy}
    />
  );
}
