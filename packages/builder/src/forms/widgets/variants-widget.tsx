import { Select } from "@mantine/core";
import type { Variant, Variants } from "../fields/field.ts";
import { initialVariant } from "../fields/initial-value.ts";
import { asObject, shownValue, withProperty } from "../fields/update-value.ts";
import { FieldList } from "../form/field-list.tsx";
import classes from "../form/form.module.css";
import type { WidgetProps } from "../form/form-scope.ts";

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
