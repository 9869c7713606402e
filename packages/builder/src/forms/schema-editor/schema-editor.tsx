import { ActionIcon, Checkbox, Collapse, Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { isSameJson, type Json } from "@weft/schema";
import { useState } from "react";
import { ChevronRight } from "../../icons/icons.gen.ts";
import { commonStrings, formStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { bind } from "../../ui/controls/bind.ts";
import { Hint } from "../../ui/text/hint.tsx";
import { JsonEditor } from "../code/code-editor.tsx";
import { moved } from "../fields/values.ts";
import { AddButton, EntryMenu, entryName } from "../form/entries.tsx";
import formClasses from "../form/form.module.css";
import { newProperty, type PropertyPlace, type SchemaFormat, type SchemaProperty } from "./formats.ts";
import classes from "./schema-editor.module.css";

type Props = {
  format: SchemaFormat;
  value: Json | undefined;
  /** Undefined if nothing is declared any more, or the JSON is empty. */
  onChange(value: Json | undefined): void;
  /** For the JSON editor. */
  label: string;
  isInvalid?: boolean;
  isDisabled?: boolean;
};

/** Declares the properties of an object, in rows or as JSON; only as JSON if rows cannot show everything. */
export function SchemaEditor({ format, value, onChange, label, isInvalid = false, isDisabled = false }: Props) {
  const [prefersJson, setPrefersJson] = useState(false);
  const [typed, setTyped] = useState<readonly SchemaProperty[]>([]);
  const read = format.read(value);
  // Rows without a name, or with a duplicate one, are kept here until they have their own.
  const rows = isSameJson(writtenBy(format, typed), value ?? null) ? typed : (read ?? []);
  const change = (next: SchemaProperty[]) => {
    setTyped(next);
    onChange(writtenBy(format, next) ?? undefined);
  };
  const isJson = prefersJson || read === undefined;
  return (
    <div className={classes.editor}>
      {isJson ? (
        <JsonEditor
          value={value}
          onChange={onChange}
          label={label}
          minLines={6}
          isInvalid={isInvalid}
          isDisabled={isDisabled}
        />
      ) : (
        <PropertyList properties={rows} onChange={change} format={format} isDisabled={isDisabled} />
      )}
      {read === undefined ? (
        <Hint size="xs">{formStrings.onlyJson}</Hint>
      ) : (
        <Action
          label={isJson ? formStrings.editAsRows : formStrings.editAsJson}
          className={classes.toggle}
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={() => setPrefersJson(!isJson)}
        />
      )}
    </div>
  );
}

function writtenBy(format: SchemaFormat, properties: readonly SchemaProperty[]): Json | null {
  const named = properties.filter(({ name }) => name !== "");
  return named.length === 0 ? null : format.write(named);
}

type PropertyListProps = {
  properties: readonly SchemaProperty[];
  onChange(properties: SchemaProperty[]): void;
  format: SchemaFormat;
  isDisabled: boolean;
};

function PropertyList({ properties, onChange, format, isDisabled }: PropertyListProps) {
  return (
    <div className={formClasses.rows}>
      {properties.map((property, index) => (
        <PropertyRow
          // Rows have no other stable key while edited.
          key={String(index)}
          property={property}
          onChange={(changed) => onChange(properties.with(index, changed))}
          format={format}
          number={index + 1}
          isDisabled={isDisabled}
          renderProperties={(inner, change) => (
            <PropertyList properties={inner} onChange={change} format={format} isDisabled={isDisabled} />
          )}
          menu={
            <EntryMenu
              name={property.name || entryName(formStrings.property, index + 1)}
              index={index}
              count={properties.length}
              isDisabled={isDisabled}
              onMove={(to) => onChange(moved(properties, index, to))}
              onRemove={() => onChange(properties.toSpliced(index, 1))}
            />
          }
        />
      ))}
      <AddButton
        item={formStrings.property}
        onClick={() => onChange([...properties, newProperty])}
        isDisabled={isDisabled}
      />
    </div>
  );
}

type PropertyRowProps = {
  property: SchemaProperty;
  onChange(property: SchemaProperty): void;
  format: SchemaFormat;
  number: number;
  isDisabled: boolean;
  menu: React.ReactNode;
  /** The list of an object's own properties. */
  renderProperties(
    properties: readonly SchemaProperty[],
    onChange: (changed: SchemaProperty[]) => void,
  ): React.ReactNode;
};

/** One property: its name and type on one line, the rest below. */
function PropertyRow({ property, onChange, format, number, isDisabled, menu, renderProperties }: PropertyRowProps) {
  const [isOpen, setOpen] = useState(property.name === "");
  const change = (changed: Partial<SchemaProperty>) => onChange({ ...property, ...changed });
  const field = bind(property, change);
  const cell = (title: string) => formStrings.cellOf({ title, number });
  const automatic = property.name === "" ? undefined : format.placeOf?.(property.name);
  const place = format.hasPlaces ? (property.place ?? automatic) : undefined;
  const name = property.name || entryName(formStrings.property, number);
  return (
    <div className={formClasses.card}>
      <div className={classes.head}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={formStrings.expand({ name })}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} className={formClasses.chevron} data-open={isOpen || undefined} aria-hidden />
        </ActionIcon>
        <NameAndType {...{ property, change, format, number, isDisabled }} />
        {place !== undefined && (
          <span className={classes.place} title={formStrings.goesInto({ name, place: formStrings.places[place] })}>
            {formStrings.places[place]}
          </span>
        )}
        {menu}
      </div>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div className={classes.body}>
          <Textarea
            size="xs"
            autosize
            minRows={1}
            maxRows={6}
            {...field.text("description")}
            placeholder={formStrings.descriptionPlaceholder}
            aria-label={cell(formStrings.propertyDescription)}
            disabled={isDisabled}
          />
          <TypeDetails {...{ property, change, format, number, isDisabled, renderProperties }} />
          {format.hasPlaces && <PlaceSelect {...{ property, automatic, change, isDisabled }} />}
          <Checkbox size="xs" label={formStrings.propertyRequired} {...field.flag("required")} disabled={isDisabled} />
        </div>
      </Collapse>
    </div>
  );
}

type PartProps = Pick<PropertyRowProps, "property" | "isDisabled"> & { change(changed: Partial<SchemaProperty>): void };

function NameAndType({
  property,
  change,
  format,
  number,
  isDisabled,
}: PartProps & Pick<PropertyRowProps, "format" | "number">) {
  const field = bind(property, change);
  const cell = (title: string) => formStrings.cellOf({ title, number });
  return (
    <>
      <TextInput
        size="xs"
        {...field.text("name")}
        placeholder={formStrings.propertyName}
        aria-label={cell(formStrings.propertyName)}
        disabled={isDisabled}
      />
      <Select
        size="xs"
        data={format.types.map((type) => ({ value: type, label: formStrings.types[type] }))}
        value={property.type}
        onChange={(type) => change({ type: type ?? "string" })}
        allowDeselect={false}
        disabled={isDisabled}
        aria-label={cell(formStrings.propertyType)}
      />
    </>
  );
}

/** `automatic`: the parameter's place unless one is chosen. */
function PlaceSelect({
  property,
  automatic,
  change,
  isDisabled,
}: PartProps & { automatic: PropertyPlace | undefined }) {
  return (
    <Select
      size="xs"
      label={formStrings.propertyPlace}
      data={[
        {
          value: "",
          label:
            automatic === undefined
              ? formStrings.placeAutomatic
              : commonStrings.labelled({ label: formStrings.placeAutomatic, value: formStrings.places[automatic] }),
        },
        ...placeNames.map((place) => ({ value: place, label: formStrings.places[place] })),
      ]}
      value={property.place ?? ""}
      onChange={(place) => change({ place: place || undefined })}
      allowDeselect={false}
      disabled={isDisabled}
    />
  );
}

const placeNames = ["path", "query", "body"] as const;

type DetailsProps = PartProps & Pick<PropertyRowProps, "format" | "number" | "renderProperties">;

/** Additional fields of a type: choices, item type, or properties of an object. */
function TypeDetails({ property, change, format, number, isDisabled, renderProperties }: DetailsProps) {
  const { type, itemType, choices, properties, name } = property;
  const isObject = type === "object" || (type === "array" && itemType === "object");
  const hasChoices = type === "enum" || (type === "array" && itemType === "enum");
  return (
    <>
      {type === "array" && (
        <Select
          size="xs"
          label={formStrings.propertyItems}
          data={format.types
            .filter((one) => one !== "array" && (one !== "enum" || format.nests))
            .map((one) => ({ value: one, label: formStrings.types[one] }))}
          value={itemType}
          onChange={(one) => change({ itemType: one ?? "string" })}
          allowDeselect={false}
          disabled={isDisabled}
        />
      )}
      {hasChoices && (
        <TagsInput
          size="xs"
          label={formStrings.propertyChoices}
          placeholder={formStrings.listPlaceholder}
          value={[...choices]}
          onChange={(tags) => change({ choices: tags })}
          acceptValueOnBlur
          disabled={isDisabled}
        />
      )}
      {isObject && format.nests && (
        <fieldset
          className={formClasses.nested}
          aria-label={formStrings.nestedProperties({
            name: name || String(number),
          })}
        >
          {renderProperties(properties, (changed) => change({ properties: changed }))}
        </fieldset>
      )}
    </>
  );
}
