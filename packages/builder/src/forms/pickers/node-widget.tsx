import { formStrings } from "../../strings/forms.ts";
import { fromText } from "../fields/update-value.ts";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";
import { ResourceSelect } from "./resource-select.tsx";

/** Another step of the flow. */
export function NodeWidget({ field, onChange, ...props }: WidgetProps) {
  const { context } = useFormScope();
  return (
    <ResourceSelect
      {...props}
      choices={(context.nodes ?? []).map(({ id, label }) => ({ value: id, label: label || id }))}
      hasFailed={false}
      onChange={(id) => onChange(fromText(field, id ?? ""))}
      placeholder={formStrings.chooseNode}
      isOptional={!field.isRequired}
    />
  );
}
