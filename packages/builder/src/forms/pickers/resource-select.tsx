import { Select } from "@mantine/core";
import { formStrings } from "../../strings/forms.ts";
import type { WidgetProps } from "../form/form-scope.ts";

type Props = Pick<WidgetProps, "id" | "describedBy" | "isInvalid" | "isDisabled" | "label" | "value"> & {
  choices: readonly { value: string; label: string }[] | undefined;
  hasFailed: boolean;
  onChange(value: string | undefined): void;
  placeholder: string;
  /** Whether none can be chosen. */
  isOptional: boolean;
};

/** One thing of a list that the API gives. What the list does not have any more is shown by its id. */
export function ResourceSelect({ choices, hasFailed, value, onChange, placeholder, isOptional, ...props }: Props) {
  const { id, describedBy, isInvalid, isDisabled, label } = props;
  const current = typeof value === "string" && value !== "" ? value : null;
  const isLost = current !== null && choices !== undefined && !choices.some((one) => one.value === current);
  const lost = isLost ? [{ value: current, label: formStrings.missing(current) }] : [];
  return (
    <Select
      id={id}
      data={[...(choices ?? []), ...lost]}
      value={current}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      placeholder={choices === undefined ? (hasFailed ? formStrings.loadFailed : formStrings.loading) : placeholder}
      searchable
      clearable={isOptional}
      allowDeselect={false}
      nothingFoundMessage={formStrings.noMatch}
      error={isInvalid || isLost}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}
