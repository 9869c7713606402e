import { ActionIcon, TextInput } from "@mantine/core";
import type { Json } from "@weft/schema";
import { X } from "lucide-react";
import { useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import { asObject, shownValue } from "../fields/update-value.ts";
import classes from "../form/form.module.css";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";
import { isSameJson } from "../schema-editor/same-json.ts";
import { TemplateEditor } from "../template/template-editor.tsx";
import { AddButton } from "./add-button.tsx";
import { fromRows, type KeyValueRow, toRows } from "./key-value-rows.ts";

/** An object with names chosen by the user. */
export function KeyValueWidget({ field, value, onChange, isDisabled }: WidgetProps) {
  const object = readObject(shownValue(field, value));
  const [typed, setTyped] = useState<KeyValueRow[]>(() => toRows(object));
  const rows = isSameJson(fromRows(typed), object) ? typed : toRows(object);
  const item = field.schema.item ?? formStrings.entry;
  const isUnset = field.schema.default === undefined && !field.isRequired;
  const change = (next: KeyValueRow[]) => {
    setTyped(next);
    const written = fromRows(next);
    onChange(Object.keys(written).length === 0 && isUnset ? undefined : written);
  };
  return (
    <div className={classes.rows}>
      {rows.map((row, index) => (
        <KeyValue
          // Rows have nothing else that stays the same while they are edited.
          key={String(index)}
          row={row}
          number={index + 1}
          item={item}
          isTwice={row.key !== "" && rows.findIndex(({ key }) => key === row.key) < index}
          isTemplate={field.schema.template === true}
          isDisabled={isDisabled}
          onChange={(changed) => change(rows.with(index, changed))}
          onRemove={() => change(rows.toSpliced(index, 1))}
        />
      ))}
      <AddButton item={item} onClick={() => setTyped([...rows, { key: "", text: "" }])} isDisabled={isDisabled} />
    </div>
  );
}

/** Some settings may also be the JSON text of an object. */
function readObject(value: Json | undefined) {
  if (typeof value !== "string") return asObject(value);
  try {
    return asObject(JSON.parse(value) as Json);
  } catch {
    return {};
  }
}

type RowProps = {
  row: KeyValueRow;
  number: number;
  item: string;
  isTwice: boolean;
  isTemplate: boolean;
  isDisabled: boolean;
  onChange(row: KeyValueRow): void;
  onRemove(): void;
};

function KeyValue({ row, number, item, isTwice, isTemplate, isDisabled, onChange, onRemove }: RowProps) {
  const { context } = useFormScope();
  const valueLabel = formStrings.valueOf(item, number);
  return (
    <div className={classes.row}>
      <div className={classes.cells}>
        <TextInput
          value={row.key}
          onChange={(event) => onChange({ ...row, key: event.currentTarget.value })}
          placeholder={formStrings.keyPlaceholder}
          aria-label={formStrings.keyOf(item, number)}
          error={isTwice ? formStrings.sameKey : undefined}
          disabled={isDisabled}
        />
        {isTemplate ? (
          <TemplateEditor
            isSingleLine
            title={valueLabel}
            label={valueLabel}
            value={row.text}
            onChange={(text) => onChange({ ...row, text })}
            placeholder={formStrings.valuePlaceholder}
            variables={context.variables}
            isDisabled={isDisabled}
          />
        ) : (
          <TextInput
            value={row.text}
            onChange={(event) => onChange({ ...row, text: event.currentTarget.value })}
            placeholder={formStrings.valuePlaceholder}
            aria-label={valueLabel}
            disabled={isDisabled}
          />
        )}
      </div>
      <div className={classes.rowActions}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={formStrings.removeEntry(row.key || `${item} ${number}`)}
          onClick={onRemove}
          disabled={isDisabled}
        >
          <X size={16} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  );
}
