import { SegmentedControl, Select } from "@mantine/core";
import { toTitle } from "../fields/to-title.ts";
import { shownValue } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** Letters that the choices of a segmented control have together at most, so that none is cut. */
const segmentedLetters = 28;

/** One of several values: side by side while they are few and short, else in a list. */
export function SelectWidget(props: WidgetProps) {
  const { field, value, onChange, id, labelId, describedBy, isInvalid, isDisabled, label } = props;
  const { labels = {} } = field.schema;
  const data = (field.schema.enum ?? []).map((one) => ({
    value: String(one),
    label: labels[String(one)] ?? (isCode(String(one)) ? String(one) : toTitle(String(one))),
  }));
  const current = shownValue(field, value);
  const isOptional = !field.isRequired && field.schema.default === undefined;
  const letters = data.reduce((sum, choice) => sum + choice.label.length, 0);
  const change = (chosen: string | null) => onChange(field.schema.enum?.find((one) => String(one) === chosen));
  if (label === undefined && !isOptional && data.length <= 4 && letters <= segmentedLetters && !isInvalid) {
    return (
      <SegmentedControl
        fullWidth
        data={data}
        value={String(current ?? "")}
        onChange={change}
        disabled={isDisabled}
        aria-labelledby={labelId}
      />
    );
  }
  return (
    <Select
      id={id}
      data={data}
      value={current === undefined ? null : String(current)}
      onChange={change}
      clearable={isOptional}
      placeholder={field.schema.placeholder}
      allowDeselect={false}
      searchable={data.length > 12}
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}

/** Names such as GET, or application/json, that are no words. */
function isCode(name: string): boolean {
  return name === name.toUpperCase() || /[/[.]/.test(name);
}
