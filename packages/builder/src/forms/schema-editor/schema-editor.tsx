import { Button, Text } from "@mantine/core";
import type { Json } from "@weft/schema";
import { useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import { JsonEditor } from "../code/json-editor.tsx";
import { moved } from "../fields/update-value.ts";
import formClasses from "../form/form.module.css";
import { AddButton } from "../widgets/add-button.tsx";
import { EntryMenu } from "../widgets/entry-menu.tsx";
import { PropertyRow } from "./property-row.tsx";
import { isSameJson } from "./same-json.ts";
import classes from "./schema-editor.module.css";
import type { SchemaFormat, SchemaProperty } from "./schema-property.ts";
import { newProperty } from "./schema-property.ts";

type Props = {
  format: SchemaFormat;
  value: Json | undefined;
  /** Undefined where nothing is declared any more, or the JSON is empty. */
  onChange(value: Json | undefined): void;
  /** For the JSON editor. */
  label: string;
  isInvalid?: boolean;
  isDisabled?: boolean;
};

/** Declares the properties of an object, in rows or as JSON; as JSON only where rows cannot show it all. */
export function SchemaEditor({ format, value, onChange, label, isInvalid = false, isDisabled = false }: Props) {
  const [prefersJson, setPrefersJson] = useState(false);
  const [typed, setTyped] = useState<readonly SchemaProperty[]>([]);
  const read = format.read(value);
  // Rows without a name, or with another's, are kept here until they have one of their own.
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
        <Text size="xs" c="dimmed">
          {formStrings.onlyJson}
        </Text>
      ) : (
        <Button
          className={classes.toggle}
          variant="subtle"
          color="gray"
          size="compact-xs"
          onClick={() => setPrefersJson(!isJson)}
        >
          {isJson ? formStrings.editAsRows : formStrings.editAsJson}
        </Button>
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
  format: Pick<SchemaFormat, "types" | "hasPlaces" | "placeOf" | "nests">;
  isDisabled: boolean;
};

/** The properties of an object, one below the other. */
function PropertyList({ properties, onChange, format, isDisabled }: PropertyListProps) {
  return (
    <div className={formClasses.rows}>
      {properties.map((property, index) => (
        <PropertyRow
          // Rows have nothing else that stays the same while they are edited.
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
              name={property.name || formStrings.entryNumber(formStrings.property, index + 1)}
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
