import { formStrings } from "../../strings/forms.ts";
import { moved } from "../fields/update-value.ts";
import formClasses from "../form/form.module.css";
import { AddButton } from "../widgets/add-button.tsx";
import { EntryMenu } from "../widgets/entry-menu.tsx";
import { PropertyRow } from "./property-row.tsx";
import { newProperty, type SchemaFormat, type SchemaProperty } from "./schema-property.ts";

type Props = {
  properties: readonly SchemaProperty[];
  onChange(properties: SchemaProperty[]): void;
  format: Pick<SchemaFormat, "types" | "hasPlaces" | "placeOf" | "nests">;
  isDisabled: boolean;
};

/** The properties of an object, one below the other. */
export function PropertyList({ properties, onChange, format, isDisabled }: Props) {
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
