import { Select } from "@mantine/core";
import type { Json } from "@weft/schema";
import { Fragment } from "react";
import { formStrings } from "../../strings/forms.ts";
import type { Field, Variants } from "../fields/field.ts";
import { joinPath } from "../fields/field-problems.ts";
import { initialVariant } from "../fields/initial-value.ts";
import { asObject, shownValue, withProperty } from "../fields/update-value.ts";
import classes from "../form/form.module.css";
import { FormField } from "../form/form-field.tsx";
import type { WidgetProps } from "../form/form-scope.ts";
import { AddButton, useEntries } from "./add-button.tsx";
import { EntryMenu } from "./entry-menu.tsx";

/** Comparisons of two values, each by what its values are read as. */
export function ConditionsWidget(props: WidgetProps) {
  const { field, path, siblings, isDisabled } = props;
  const { list, item, nameOf, add, replace, move, remove, duplicate } = useEntries(props);
  const variants = field.entry?.variants;
  if (variants === undefined) return null;
  const link = siblings.match === "any" ? formStrings.or : formStrings.and;
  return (
    <div className={classes.rows}>
      {list.map((entry, index) => (
        <Fragment key={String(index)}>
          {index > 0 && <span className={classes.link}>{link}</span>}
          <div className={classes.row}>
            <Comparison
              variants={variants}
              value={entry}
              onChange={(changed) => replace(index, changed)}
              path={joinPath(path, String(index))}
              number={index + 1}
              isDisabled={isDisabled}
            />
            <div className={classes.rowActions}>
              <EntryMenu
                name={nameOf(index)}
                index={index}
                count={list.length}
                isDisabled={isDisabled}
                onMove={(to) => move(index, to)}
                onRemove={() => remove(index)}
                onDuplicate={() => duplicate(index)}
              />
            </div>
          </div>
        </Fragment>
      ))}
      <AddButton item={item} onClick={() => add()} isDisabled={isDisabled} />
    </div>
  );
}

type ComparisonProps = {
  variants: Variants;
  value: Json;
  onChange(value: Json): void;
  path: string;
  number: number;
  isDisabled: boolean;
};

function Comparison({ variants, value, onChange, path, number, isDisabled }: ComparisonProps) {
  const object = asObject(value);
  const kind = variants.kinds.find((one) => one.value === object[variants.tag]);
  const find = (name: string) => kind?.fields.find((field) => field.name === name);
  const [left, operation, right] = [find("left"), find("operation"), find("right")];
  const asked = operation && shownValue(operation, object[operation.name]);
  const needsRight = asked !== "is-empty" && asked !== "is-not-empty";
  const render = (field: Field | undefined, title: string) =>
    field && (
      <FormField
        field={field}
        value={object[field.name]}
        onChange={(changed) => onChange(withProperty(object, field.name, changed))}
        path={joinPath(path, field.name)}
        siblings={object}
        label={formStrings.cellOf(title, number)}
      />
    );
  return (
    <div className={`${classes.condition} ${classes.cells}`} style={{ display: "flex" }}>
      {render(left, formStrings.firstValue)}
      <div className={classes.cells}>
        <Select
          data={variants.kinds.map((one) => ({ value: String(one.value), label: one.title }))}
          value={kind === undefined ? null : String(kind.value)}
          onChange={(chosen) => {
            const next = variants.kinds.find((one) => String(one.value) === chosen);
            onChange(initialVariant(variants, next, undefined, object));
          }}
          allowDeselect={false}
          disabled={isDisabled}
          aria-label={formStrings.cellOf(formStrings.comparesAs, number)}
        />
        {render(operation, formStrings.operation)}
      </div>
      {needsRight && render(right, formStrings.secondValue)}
    </div>
  );
}
