import { Select, TagsInput } from "@mantine/core";
import { formStrings } from "../../strings/forms.ts";
import type { Variant, Variants } from "../fields/field.ts";
import { initialVariant } from "../fields/initial-value.ts";
import { asList, asObject, shownValue, withFieldOf, withProperty } from "../fields/update-value.ts";
import { FieldList } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";

/** An object with fields of its own. It comes into being with the first of them that is set. */
export function GroupWidget({ field, value, onChange, path }: WidgetProps) {
  return (
    <div className={classes.group}>
      <FieldList
        fields={field.fields}
        value={asObject(shownValue(field, value))}
        onChange={(name, changed) => onChange(withFieldOf(field, value, { name, value: changed }))}
        path={path}
      />
    </div>
  );
}

/** Several short texts. */
export function ListWidget({ field, value, onChange, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const isUnset = field.schema.default === undefined && !field.isRequired;
  return (
    <TagsInput
      id={id}
      value={asList(value).map(String)}
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

/** One of several kinds of object, and the fields of that kind. */
export function VariantsWidget({ field, value, onChange, path, id, labelId, isDisabled }: WidgetProps) {
  const { variants } = field;
  if (variants === undefined) return null;
  const object = asObject(shownValue(field, value));
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
