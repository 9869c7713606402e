import { asObject, shownValue, withFieldOf } from "../fields/update-value.ts";
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
