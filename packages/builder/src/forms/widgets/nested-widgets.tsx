import { Collapse, Select, TagsInput, Text, UnstyledButton } from "@mantine/core";
import { type Json, toJsonList, toJsonObject } from "@weft/schema";
import { useState } from "react";
import { ChevronRight } from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { joinPath } from "../fields/field-problems.ts";
import type { Field, Variant, Variants } from "../fields/to-field.ts";
import { initialVariant, isShown, shownValue, withFieldOf, withProperty } from "../fields/values.ts";
import { useEntries } from "../form/entries.tsx";
import { FieldList, FormField } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";

/** Fields that hold fields. */
export const nestedWidgets = {
  list: { component: ListWidget, frame: "label" },
  rows: { component: RowsWidget, frame: "group" },
  group: { component: GroupWidget, frame: "group" },
  variants: { component: VariantsWidget, frame: "group" },
} as const;

/** An object with fields of its own. Created when the first of them is set. */
function GroupWidget({ field, value, onChange, path }: WidgetProps) {
  return (
    <div className={classes.group}>
      <FieldList
        fields={field.fields}
        value={toJsonObject(shownValue(field, value))}
        onChange={(name, changed) => onChange(withFieldOf(field, value, { name, value: changed }))}
        path={path}
      />
    </div>
  );
}

/** Several short texts. */
function ListWidget({ field, value, onChange, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const isUnset = field.schema.default === undefined && !field.isRequired;
  return (
    <TagsInput
      id={id}
      value={toJsonList(value).map(String)}
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

/** One of several object types, and the fields of that type. */
function VariantsWidget({ field, value, onChange, path, id, labelId, isDisabled }: WidgetProps) {
  const { variants } = field;
  if (variants === undefined) return null;
  const object = toJsonObject(shownValue(field, value));
  const kind = kindOf(variants, object[variants.tag]);
  const data = variants.kinds.map((one) => ({ value: String(one.value), label: one.title }));
  return (
    <div className={classes.group}>
      <Select
        id={id}
        data={data}
        value={kind === undefined ? null : String(kind.value)}
        onChange={(chosen) => onChange(initialVariant(variants, kindOf(variants, chosen), undefined, object))}
        allowDeselect={false}
        disabled={isDisabled}
        aria-labelledby={labelId}
      />
      {kind !== undefined && kind.fields.length > 0 && (
        <FieldList
          fields={kind.fields}
          value={object}
          onChange={(name, changed) => onChange(withProperty(object, name, changed))}
          path={path}
        />
      )}
    </div>
  );
}

function kindOf({ kinds }: Variants, tag: unknown): Variant | undefined {
  return kinds.find(({ value }) => String(value) === String(tag));
}

/** A list of objects: table rows while they are small, otherwise cards that open. */
function RowsWidget(props: WidgetProps) {
  const { rows, addButton } = useEntries(props);
  const fields = props.field.entry?.fields ?? [];
  const cells = toCells(fields);
  return (
    <div className={classes.rows}>
      {rows.map(({ entry, name, path, replace, menu }, index) => {
        const row = { fields, value: entry, onChange: replace, path, menu };
        // Entries have no other stable key while edited.
        const key = index;
        if (cells === undefined) return <EntryCard key={key} {...row} name={name} />;
        return <Row key={key} {...row} fields={cells} number={index + 1} />;
      })}
      {addButton}
    </div>
  );
}

type RowProps = {
  fields: readonly Field[];
  value: Json;
  onChange(value: Json): void;
  path: string;
  menu: React.ReactNode;
  number: number;
};

function Row({ fields, value, onChange, path, menu, number }: RowProps) {
  const object = toJsonObject(value);
  return (
    <div className={classes.row}>
      <div className={classes.cells}>
        {fields.map((field) => (
          <FormField
            key={field.name}
            field={field}
            value={object[field.name]}
            onChange={(changed) => onChange(withProperty(object, field.name, changed))}
            path={joinPath(path, field.name)}
            siblings={object}
            label={formStrings.cellOf({ title: field.title, number })}
          />
        ))}
      </div>
      <div className={classes.rowActions}>{menu}</div>
    </div>
  );
}

const cellWidgets = new Set(["text", "select", "boolean", "number", "document-store"]);

/** The fields to show side by side; undefined if they are too many or too large. */
function toCells(fields: readonly Field[]): readonly Field[] | undefined {
  const shown = fields.filter((field) => isShown(field, fields, {}) && field.widget !== "port-id");
  const fits = shown.length <= 3 && shown.every(({ widget, schema }) => cellWidgets.has(widget) && !schema.advanced);
  return fits && shown.length === fields.length ? shown : undefined;
}

type EntryCardProps = {
  /** Fallback name of an entry. */
  name: string;
  fields: readonly Field[];
  value: Json;
  onChange(value: Json): void;
  path: string;
  menu: React.ReactNode;
};

/** An entry of a list as a card: its first text as the title, its fields when it is open. New ones are open. */
function EntryCard({ name, fields, value, onChange, path, menu }: EntryCardProps) {
  const { problems } = useFormScope();
  const object = toJsonObject(value);
  const title = titleOf(fields, object) || name;
  const [isOpen, setOpen] = useState(() => titleOf(fields, object) === "");
  const count = problems.count(path);
  return (
    <div className={classes.card}>
      <div className={classes.cardHeader}>
        <UnstyledButton className={classes.cardToggle} onClick={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          <ChevronRight size={14} className={classes.chevron} data-open={isOpen || undefined} aria-hidden />
          <span className={classes.cardTitle}>{title}</span>
          {count > 0 && !isOpen && (
            <Text span size="xs" c="var(--mantine-color-error)">
              {formStrings.problems({ count })}
            </Text>
          )}
        </UnstyledButton>
        {menu}
      </div>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={classes.cardBody}>
          <FieldList
            fields={fields}
            value={object}
            onChange={(field, changed) => onChange(withProperty(object, field, changed))}
            path={path}
          />
        </div>
      </Collapse>
    </div>
  );
}

const titles = ["title", "label", "name", "description", "key"];

function titleOf(fields: readonly Field[], object: Record<string, Json>): string {
  const texts = titles.filter((name) => fields.some((field) => field.name === name)).map((name) => object[name]);
  const text = texts.find((one) => typeof one === "string" && one !== "");
  return typeof text === "string" ? text.slice(0, 120) : "";
}
