import { Group, type SelectProps } from "@mantine/core";
import { Check } from "../icons/icons.gen.ts";
import classes from "./vendor-mark.module.css";
import { initialsOf, markOf } from "./vendor-marks.ts";

type Props = {
  /** Of a provider, a type of credentials or a tool. */
  name: string;
  /** The name shown beside the mark. Vendors without a mark get its initials. */
  title: string;
  /** On a ground of its own, for lists. */
  isTile?: boolean;
};

/** The mark of a vendor in the colour of the text, or initials. Decoration: the name stands beside it. */
export function VendorMark({ name, title, isTile = false }: Props) {
  const mark = markOf(name);
  return (
    <span
      className={classes.mark}
      data-mark={mark}
      data-initials={mark === undefined || undefined}
      data-tile={isTile || undefined}
      aria-hidden
    >
      {mark === undefined ? (
        initialsOf(title)
      ) : (
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <use href={`/vendor-marks.svg#${mark}`} />
        </svg>
      )}
    </span>
  );
}

/** A choice, with the name of its vendor where that is not its value. */
export type VendorChoice = { value: string; label: string; vendor?: string };

/** Marks in a select's list, and in its field. */
export function vendorMarksIn(choices: readonly VendorChoice[], chosen: string | null | undefined) {
  const current = choices.find(({ value }) => value === chosen);
  const draw = ({ value, label, vendor = value }: VendorChoice) => <VendorMark name={vendor} title={label} />;
  const renderOption: NonNullable<SelectProps["renderOption"]> = ({ option, checked }) => (
    <Group gap="sm" wrap="nowrap" flex={1}>
      {draw(choices.find(({ value }) => value === option.value) ?? option)}
      <span className={classes.option}>{option.label}</span>
      {checked && <Check size={14} aria-hidden />}
    </Group>
  );
  return { renderOption, leftSection: current ? draw(current) : undefined };
}
