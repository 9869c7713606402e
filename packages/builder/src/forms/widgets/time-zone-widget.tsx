import { Select } from "@mantine/core";
import { formStrings } from "../../strings/forms.ts";
import { shownValue } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

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
