import { Textarea, TextInput } from "@mantine/core";
import type { Json } from "@weft/schema";
import { fromText, shownValue } from "../fields/update-value.ts";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";
import { TemplateEditor } from "../template/template-editor.tsx";

/** A line of text. */
export function TextWidget(props: WidgetProps) {
  return <AnyText {...props} isSingleLine />;
}

/** Several lines of text. */
export function TextareaWidget(props: WidgetProps) {
  return <AnyText {...props} isSingleLine={false} />;
}

function AnyText(props: WidgetProps & { isSingleLine: boolean }) {
  const { field, value, onChange, isSingleLine, id, labelId, describedBy, isInvalid, isDisabled, label } = props;
  const { context } = useFormScope();
  const { placeholder, template } = field.schema;
  const text = toText(shownValue(field, value));
  const change = (typed: string) => onChange(fromText(field, typed));
  if (template) {
    return (
      <TemplateEditor
        title={label ?? field.title}
        value={text}
        onChange={change}
        variables={context.variables}
        placeholder={placeholder ?? (label === undefined ? undefined : field.title)}
        {...(label === undefined ? { labelledBy: labelId } : { label })}
        {...{ isSingleLine, describedBy, isInvalid, isDisabled }}
      />
    );
  }
  const common = {
    id,
    value: text,
    placeholder: placeholder ?? (label === undefined ? undefined : field.title),
    error: isInvalid,
    disabled: isDisabled,
    "aria-label": label,
    "aria-describedby": describedBy,
  };
  if (isSingleLine) return <TextInput {...common} onChange={(event) => change(event.currentTarget.value)} />;
  return (
    <Textarea {...common} autosize minRows={2} maxRows={12} onChange={(event) => change(event.currentTarget.value)} />
  );
}

function toText(value: Json | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}
