import { Checkbox, Switch } from "@mantine/core";
import { shownValue } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** A switch with its own label, or a box in a table's cell. */
export function BooleanWidget({ field, value, onChange, id, isDisabled, label }: WidgetProps) {
  const isOn = shownValue(field, value) === true;
  if (label !== undefined) {
    return (
      <Checkbox
        id={id}
        mt={8}
        checked={isOn}
        disabled={isDisabled}
        label={field.title}
        aria-label={label}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  return (
    <Switch
      id={id}
      checked={isOn}
      disabled={isDisabled}
      label={field.title}
      description={field.schema.help}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
