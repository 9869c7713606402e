import { Select, TextInput } from "@mantine/core";
import { type Json, type JsonObject, parseJson, parseJsonOrText } from "@weft/schema";
import { Fragment, useState } from "react";
import { X } from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { IconAction } from "../../ui/controls/actions.tsx";
import { TemplateEditor } from "../code/template-editor.tsx";
import { joinPath } from "../fields/field-problems.ts";
import type { Field, Variants } from "../fields/to-field.ts";
import { asObject, initialVariant, isSameJson, shownValue, withProperty } from "../fields/values.ts";
import { AddButton, useEntries } from "../form/entries.tsx";
import { FormField } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";

export const listWidgets = {
  "key-value": { component: KeyValueWidget, frame: "group" },
  messages: { component: MessagesWidget, frame: "group" },
  conditions: { component: ConditionsWidget, frame: "group" },
} as const;

/** Comparisons of two values, each with the type that its values are read as. */
function ConditionsWidget(props: WidgetProps) {
  const { field, siblings, isDisabled } = props;
  const { rows, addButton } = useEntries(props);
  const variants = field.entry?.variants;
  if (variants === undefined) return null;
  const link = siblings.match === "any" ? formStrings.or : formStrings.and;
  return (
    <div className={classes.rows}>
      {rows.map(({ entry, path, replace, menu }, index) => (
        <Fragment key={String(index)}>
          {index > 0 && <span className={classes.link}>{link}</span>}
          <div className={classes.row}>
            <Comparison
              variants={variants}
              value={entry}
              onChange={replace}
              path={path}
              number={index + 1}
              isDisabled={isDisabled}
            />
            <div className={classes.rowActions}>{menu}</div>
          </div>
        </Fragment>
      ))}
      {addButton}
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
        label={formStrings.cellOf({ title, number })}
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
          aria-label={formStrings.cellOf({ title: formStrings.comparesAs, number })}
        />
        {render(operation, formStrings.operation)}
      </div>
      {needsRight && render(right, formStrings.secondValue)}
    </div>
  );
}

/** A message with a role: the role is selected above the text. */
function MessagesWidget(props: WidgetProps) {
  const { field, isDisabled } = props;
  const { rows, addButton } = useEntries(props);
  const role = field.entry?.fields.find(({ widget }) => widget === "select");
  const text = field.entry?.fields.find((one) => one !== role);
  if (role === undefined || text === undefined) return null;
  const roles = (role.schema.enum ?? []).map(String);
  return (
    <div className={classes.rows}>
      {rows.map(({ entry, path, replace, menu }, index) => {
        const message = asObject(entry);
        return (
          <div className={classes.card} key={String(index)}>
            <div className={classes.cardHeader}>
              <Select
                variant="unstyled"
                size="xs"
                w={120}
                ml={8}
                data={roles.map((value) => ({ value, label: role.schema.labels?.[value] ?? value }))}
                value={String(message[role.name] ?? "")}
                onChange={(chosen) => replace(withProperty(message, role.name, chosen ?? undefined))}
                allowDeselect={false}
                disabled={isDisabled}
                aria-label={formStrings.cellOf({ title: role.title, number: index + 1 })}
              />
              <span style={{ flex: 1 }} />
              {menu}
            </div>
            <div className={classes.messageBody}>
              <FormField
                field={text}
                value={message[text.name]}
                onChange={(changed) => replace(withProperty(message, text.name, changed))}
                path={joinPath(path, text.name)}
                siblings={message}
                label={formStrings.cellOf({ title: text.title, number: index + 1 })}
              />
            </div>
          </div>
        );
      })}
      {addButton}
    </div>
  );
}

/** An object with names chosen by the user. */
function KeyValueWidget({ field, value, onChange, isDisabled }: WidgetProps) {
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
          // Rows have no other stable key while edited.
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
  const valueLabel = formStrings.valueOf({ item, number });
  return (
    <div className={classes.row}>
      <div className={classes.cells}>
        <TextInput
          value={row.key}
          onChange={(event) => onChange({ ...row, key: event.currentTarget.value })}
          placeholder={formStrings.keyPlaceholder}
          aria-label={formStrings.keyOf({ item, number })}
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
        <IconAction
          icon={X}
          label={formStrings.removeEntry({ name: row.key || `${item} ${number}` })}
          onClick={onRemove}
          disabled={isDisabled}
          size={28}
          iconSize={16}
        />
      </div>
    </div>
  );
}

/** A name and a value while typed; names may be temporarily empty or duplicate. */
type KeyValueRow = { key: string; text: string };

export function toRows(object: JsonObject): KeyValueRow[] {
  return Object.entries(object).map(([key, value]) => ({ key, text: toValueText(value) }));
}

/** Rows without a name are left out; the first of duplicate names wins. */
export function fromRows(rows: readonly KeyValueRow[]): JsonObject {
  const named = rows.filter(({ key }) => key !== "").map(({ key, text }) => [key, parseJsonOrText(text)] as const);
  return Object.fromEntries(named.filter(([key], index) => named.findIndex(([one]) => one === key) === index));
}

export function toValueText(value: Json): string {
  if (typeof value !== "string") return JSON.stringify(value);
  return isJson(value) ? JSON.stringify(value) : value;
}

function isJson(text: string): boolean {
  return parseJson(text) !== undefined;
}
