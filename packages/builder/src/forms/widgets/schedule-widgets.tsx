import { Menu, Select, TextInput } from "@mantine/core";
import { lazy, Suspense } from "react";
import { CalendarClock } from "../../icons/icons.gen.ts";
import { formStrings, scheduleStrings } from "../../strings.ts";
import { Action, IconAction } from "../../ui/controls/actions.tsx";
import { shownValue } from "../fields/values.ts";
import type { WidgetProps } from "../form/form-scope.ts";

const NextRuns = lazy(async () => ({ default: (await import("../../schedule/next-runs.tsx")).NextRuns }));

/** Widgets for when a flow starts by itself. */
export const scheduleWidgets = {
  cron: { component: CronWidget, frame: "label" },
  "time-zone": { component: TimeZoneWidget, frame: "label" },
} as const;

/** The times of a schedule, with common ones to choose from. */
function CronWidget({ value, onChange, siblings, id, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const { timeZone = "UTC", endDate } = siblings;
  const field = (
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
            <IconAction
              icon={CalendarClock}
              label={formStrings.cronPresets}
              title={formStrings.cronPresets}
              disabled={isDisabled}
              size={28}
              iconSize={16}
            />
          </Menu.Target>
          <Menu.Dropdown>
            {cronPresets.map(([preset, cron]) => (
              <Menu.Item key={preset} onClick={() => onChange(cron)}>
                {formStrings.presets[preset]}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      }
    />
  );
  return (
    <>
      {field}
      <Suspense fallback={null}>
        <NextRuns
          cron={String(value ?? "")}
          timeZone={String(timeZone)}
          endDate={endDate ? String(endDate) : undefined}
        />
      </Suspense>
    </>
  );
}

const cronPresets = [
  ["hourly", "0 * * * *"],
  ["daily", "0 9 * * *"],
  ["weekdays", "0 9 * * 1-5"],
  ["mondays", "0 9 * * 1"],
  ["monthly", "0 9 1 * *"],
] as const;

const shownAtOnce = 50;

/** A time zone of the browser's list, or the value's current one. */
function TimeZoneWidget({ field, value, onChange, id, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const current = String(shownValue(field, value) ?? "");
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone"), ...(current === "" ? [] : [current])])];
  const select = (
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
  return (
    <>
      {select}
      {own !== current && (
        <Action
          label={scheduleStrings.ownZone({ zone: own })}
          variant="subtle"
          size="compact-sm"
          disabled={isDisabled}
          onClick={() => onChange(own)}
        />
      )}
    </>
  );
}
