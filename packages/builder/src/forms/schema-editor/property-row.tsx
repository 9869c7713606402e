import { ActionIcon, Checkbox, Collapse, Select, TagsInput, Textarea, TextInput } from "@mantine/core";
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { formStrings } from "../../strings/forms.ts";
import formClasses from "../form/form.module.css";
import classes from "./schema-editor.module.css";
import type { PropertyPlace, PropertyType, SchemaFormat, SchemaProperty } from "./schema-property.ts";

type Props = {
  property: SchemaProperty;
  onChange(property: SchemaProperty): void;
  format: Pick<SchemaFormat, "types" | "hasPlaces" | "placeOf" | "nests">;
  number: number;
  isDisabled: boolean;
  menu: React.ReactNode;
  /** The list of an object's own properties. */
  renderProperties(
    properties: readonly SchemaProperty[],
    onChange: (changed: SchemaProperty[]) => void,
  ): React.ReactNode;
};

/** One property: its name and type in a line, the rest below. */
export function PropertyRow({ property, onChange, format, number, isDisabled, menu, renderProperties }: Props) {
  const [isOpen, setOpen] = useState(property.name === "");
  const change = (changed: Partial<SchemaProperty>) => onChange({ ...property, ...changed });
  const cell = (title: string) => formStrings.cellOf(title, number);
  const automatic = property.name === "" ? undefined : format.placeOf?.(property.name);
  const place = format.hasPlaces ? (property.place ?? automatic) : undefined;
  const name = property.name || formStrings.entryNumber(formStrings.property, number);
  return (
    <div className={formClasses.card}>
      <div className={classes.head}>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={24}
          aria-label={formStrings.expand(name)}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronRight size={14} className={formClasses.chevron} data-open={isOpen || undefined} aria-hidden />
        </ActionIcon>
        <TextInput
          size="xs"
          value={property.name}
          placeholder={formStrings.propertyName}
          aria-label={cell(formStrings.propertyName)}
          onChange={(event) => change({ name: event.currentTarget.value })}
          disabled={isDisabled}
        />
        <Select
          size="xs"
          data={format.types.map((type) => ({ value: type, label: formStrings.types[type] }))}
          value={property.type}
          onChange={(type) => change({ type: (type ?? "string") as PropertyType })}
          allowDeselect={false}
          disabled={isDisabled}
          aria-label={cell(formStrings.propertyType)}
        />
        {place !== undefined && (
          <span className={classes.place} title={formStrings.goesInto(name, formStrings.places[place])}>
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
            value={property.description}
            placeholder={formStrings.descriptionPlaceholder}
            aria-label={cell(formStrings.propertyDescription)}
            onChange={(event) => change({ description: event.currentTarget.value })}
            disabled={isDisabled}
          />
          <TypeDetails {...{ property, change, format, number, isDisabled, renderProperties }} />
          {format.hasPlaces && (
            <Select
              size="xs"
              label={formStrings.propertyPlace}
              data={[
                { value: "", label: formStrings.placeAutomatic(automatic && formStrings.places[automatic]) },
                ...placeNames.map((place) => ({ value: place, label: formStrings.places[place] })),
              ]}
              value={property.place ?? ""}
              onChange={(place) => change({ place: place ? (place as PropertyPlace) : undefined })}
              allowDeselect={false}
              disabled={isDisabled}
            />
          )}
          <Checkbox
            size="xs"
            label={formStrings.propertyRequired}
            checked={property.required}
            onChange={(event) => change({ required: event.currentTarget.checked })}
            disabled={isDisabled}
          />
        </div>
      </Collapse>
    </div>
  );
}

const placeNames = ["path", "query", "body"] as const;

type DetailsProps = Pick<Props, "property" | "format" | "number" | "isDisabled" | "renderProperties"> & {
  change(changed: Partial<SchemaProperty>): void;
};

/** What a type needs besides: the choices, the kind of its items, the properties of an object. */
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
          onChange={(one) => change({ itemType: (one ?? "string") as PropertyType })}
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
        <fieldset className={formClasses.nested} aria-label={formStrings.nestedProperties(name || String(number))}>
          {renderProperties(properties, (changed) => change({ properties: changed }))}
        </fieldset>
      )}
    </>
  );
}
