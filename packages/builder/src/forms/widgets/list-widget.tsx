import { TagsInput } from "@mantine/core";
import { formStrings } from "../../strings/forms.ts";
import { asList } from "../fields/update-value.ts";
import type { WidgetProps } from "../form/form-scope.ts";

/** Several short texts. */
export function ListWidget({ field, value, onChange, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const isUnset = field.schema.default === undefined && !field.isRequired;
  return (
    <TagsInput
      id={id}
      value={asList(value).map(String)}
      onChange={(tags) => onChange(tags.length === 0 && isUnset ? undefined : tags)}
      placeholder={formStrings.listPlaceholder}
      acceptValueOnBlur
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}
