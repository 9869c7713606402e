import { Input, Select, TextInput } from "@mantine/core";
import {
  isSameJson,
  type Json,
  type JsonObject,
  parseJson,
  parseJsonOrText,
  toJsonList,
  toJsonObject,
} from "@weft/schema";
import { Fragment, useState } from "react";
import { X } from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { IconAction } from "../../ui/controls/actions.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { TemplateEditor } from "../code/template-editor.tsx";
import { joinPath } from "../fields/field-problems.ts";
import type { Field, Variants } from "../fields/to-field.ts";
import { initialVariant, shownValue, withProperty } from "../fields/values.ts";
import { AddButton, useEntries } from "../form/entries.tsx";
import { Fold, FormField } from "../form/field-list.tsx";
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
  const object = toJsonObject(value);
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

type RoleFields = { role: Field; text: Field };

/**
 * Messages with roles. The first system message is what people think of as the instructions: a large editor that comes
 * and goes with it in the list. The others, which few steps have, are folded.
 */
function MessagesWidget(props: WidgetProps) {
  const { field, value, onChange, path, labelId, isDisabled } = props;
  const { context, problems } = useFormScope();
  const { rows, add } = useEntries(props);
  const fields = roleFieldsOf(field);
  if (fields === undefined) return null;
  const { role, text } = fields;
  const list = toJsonList(shownValue(field, value));
  const at = list.findIndex((entry) => toJsonObject(entry)[role.name] === instructing);
  const others = rows.map((row, index) => ({ ...row, index })).filter(({ index }) => index !== at);
  const said = at < 0 ? [] : problems.at(joinPath(joinPath(path, String(at)), text.name));
  const write = (typed: string) => {
    const next = withInstructions(list, at, { [role.name]: instructing, [text.name]: typed });
    if (next !== list) onChange(next.length === 0 ? undefined : next);
  };
  return (
    <div className={classes.rows}>
      <TemplateEditor
        title={field.title}
        labelledBy={labelId}
        value={String(toJsonObject(list[at])[text.name] ?? "")}
        onChange={write}
        variables={context.variables}
        placeholder={formStrings.instructions}
        minLines={8}
        maxLines={18}
        isInvalid={said.length > 0}
        isDisabled={isDisabled}
      />
      {said.length > 0 && <Input.Error>{said.join(" ")}</Input.Error>}
      <Fold
        title={formStrings.moreMessages({ count: others.length })}
        problemCount={others.reduce((sum, other) => sum + problems.count(other.path), 0)}
      >
        <Hint size="xs">{formStrings.moreMessagesHelp}</Hint>
        <div className={classes.rows}>
          {others.map((other) => (
            <MessageCard key={String(other.index)} {...fields} {...other} isDisabled={isDisabled} />
          ))}
          <AddButton
            item={field.schema.item ?? formStrings.entry}
            onClick={() => add({ [role.name]: "user", [text.name]: "" })}
            isDisabled={isDisabled}
          />
        </div>
      </Fold>
    </div>
  );
}

/** The role of instructions. */
const instructing = "system";

function roleFieldsOf({ entry }: Field): RoleFields | undefined {
  const role = entry?.fields.find(({ widget }) => widget === "select");
  const text = entry?.fields.find((one) => one !== role);
  return role && text && { role, text };
}

/** The list with the message in the place `at`, or before all others where that is -1; without it once it is empty. */
export function withInstructions(list: Json[], at: number, message: JsonObject): Json[] {
  const isEmpty = Object.values(message).includes("");
  if (at < 0) return isEmpty ? list : [message, ...list];
  return isEmpty ? list.toSpliced(at, 1) : list.with(at, { ...toJsonObject(list[at]), ...message });
}

type MessageCardProps = RoleFields & {
  entry: Json;
  index: number;
  path: string;
  replace(changed: Json): void;
  menu: React.ReactNode;
  isDisabled: boolean;
};

/** A message: its role is selected above its text. */
function MessageCard({ role, text, entry, index, path, replace, menu, isDisabled }: MessageCardProps) {
  const message = toJsonObject(entry);
  const roles = (role.schema.enum ?? []).map(String);
  return (
    <div className={classes.card}>
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
  return toJsonObject(typeof value === "string" ? parseJson(value) : value);
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
