import { NumberInput } from "@mantine/core";
import type { WidgetProps } from "../form/form-scope.ts";

/** A number. Empty: not set, so that the default holds, which is shown faintly. */
export function NumberWidget({ field, value, onChange, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const { minimum, maximum, type, default: standard, placeholder } = field.schema;
  const isFraction = type !== "integer" && maximum !== undefined && maximum <= 2;
  return (
    <NumberInput
      id={id}
      value={typeof value === "number" ? value : ""}
      onChange={(typed) => onChange(typeof typed === "number" ? typed : undefined)}
      placeholder={standard === undefined ? placeholder : String(standard)}
      allowDecimal={type !== "integer"}
      step={isFraction ? 0.1 : 1}
      {...(minimum === undefined ? {} : { min: minimum, allowNegative: minimum < 0 })}
      {...(maximum === undefined ? {} : { max: maximum })}
      clampBehavior="none"
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}
