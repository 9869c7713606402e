import {
  Checkbox,
  FileButton,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Switch,
  Textarea,
  TextInput,
} from "@mantine/core";
import type { Json } from "@weft/schema";
import { useState } from "react";
import { Upload } from "../../icons/icons.gen.ts";
import { formStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import { Hint } from "../../ui/text/hint.tsx";
import { CodeEditor } from "../code/code-editor.tsx";
import { TemplateEditor } from "../code/template-editor.tsx";
import { isCode, toTitle } from "../fields/to-title.ts";
import { fromText, shownValue } from "../fields/values.ts";
import { useFormScope, type WidgetProps } from "../form/form-scope.ts";

/** Single values. */
export const plainWidgets = {
  text: { component: TextWidget, frame: "label" },
  textarea: { component: TextareaWidget, frame: "label" },
  number: { component: NumberWidget, frame: "label" },
  boolean: { component: BooleanWidget, frame: "own" },
  select: { component: SelectWidget, frame: "label" },
  file: { component: FileWidget, frame: "label" },
  "port-id": { component: Nothing, frame: "none" },
} as const;

function TextWidget(props: WidgetProps) {
  return <AnyText {...props} isSingleLine />;
}

function TextareaWidget(props: WidgetProps) {
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

/** A number. Empty: unset, so that the default, shown faintly, applies. */
function NumberWidget({ field, value, onChange, id, describedBy, isInvalid, isDisabled, label }: WidgetProps) {
  const { minimum, maximum, type, default: standard, placeholder } = field.schema;
  const isFraction = type !== "integer" && maximum !== undefined && maximum <= 2;
  // An incomplete number, such as "0.", stays as typed.
  const [typed, setTyped] = useState<string | number>("");
  return (
    <NumberInput
      id={id}
      value={toNumber(typed) === value ? typed : typeof value === "number" ? value : ""}
      onChange={(next) => {
        setTyped(next);
        onChange(toNumber(next));
      }}
      placeholder={standard === undefined ? placeholder : String(standard)}
      allowDecimal={type !== "integer"}
      step={isFraction ? 0.1 : 1}
      {...(minimum === undefined ? {} : { min: minimum, allowNegative: minimum < 0 })}
      {...(maximum === undefined ? {} : { max: maximum })}
      clampBehavior="none"
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}

function toNumber(typed: string | number): number | undefined {
  const number = typed === "" ? Number.NaN : Number(typed);
  return Number.isSafeInteger(Math.trunc(number)) ? number : undefined;
}

/** A switch with its own label, or a checkbox in a table's cell. */
function BooleanWidget({ field, value, onChange, id, isDisabled, label }: WidgetProps) {
  const isOn = shownValue(field, value) === true;
  if (label !== undefined) {
    return (
      <Checkbox
        id={id}
        mt={8}
        checked={isOn}
        disabled={isDisabled}
        label={field.title}
        aria-label={label}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
    );
  }
  return (
    <Switch
      id={id}
      checked={isOn}
      disabled={isDisabled}
      label={field.title}
      description={field.schema.help}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}

/** Maximum total characters of a segmented control's choices, so that none is truncated. */
const segmentedLetters = 28;

/** One of several values: side by side while they are few and short, else in a list. */
function SelectWidget(props: WidgetProps) {
  const { field, value, onChange, id, labelId, describedBy, isInvalid, isDisabled, label } = props;
  const current = shownValue(field, value);
  const data = toChoices(field, current);
  const isOptional = !field.isRequired && field.schema.default === undefined;
  const letters = data.reduce((sum, choice) => sum + choice.label.length, 0);
  const change = (chosen: string | null) => onChange(field.schema.enum?.find((one) => String(one) === chosen));
  if (label === undefined && !isOptional && data.length <= 4 && letters <= segmentedLetters && !isInvalid) {
    return (
      <SegmentedControl
        fullWidth
        data={data}
        value={String(current ?? "")}
        onChange={change}
        disabled={isDisabled}
        aria-labelledby={labelId}
      />
    );
  }
  return (
    <Select
      id={id}
      data={data}
      value={current === undefined ? null : String(current)}
      onChange={change}
      clearable={isOptional}
      placeholder={field.schema.placeholder}
      allowDeselect={false}
      searchable={data.length > 12}
      error={isInvalid}
      disabled={isDisabled}
      aria-label={label}
      aria-describedby={describedBy}
    />
  );
}

/** What cannot be chosen on this server is offered only where it was chosen before, with what it needs. */
function toChoices({ schema }: WidgetProps["field"], current: Json | undefined) {
  const { labels = {}, needs = {}, unavailable = [] } = schema;
  return (schema.enum ?? []).flatMap((one) => {
    const value = String(one);
    const label = labels[value] ?? (isCode(value) ? value : toTitle(value));
    if (!unavailable.includes(value)) return { value, label };
    return current === one
      ? { value, label: formStrings.unavailable({ choice: label, setting: needs[value] ?? "" }) }
      : [];
  });
}

/** For values that a form keeps but nobody edits, such as the id of a port. */
function Nothing() {
  return null;
}

/** The text of a file, uploaded or pasted. */
function FileWidget({ field, value, onChange, labelId, describedBy, isInvalid, isDisabled }: WidgetProps) {
  const text = typeof value === "string" ? value : "";
  const read = async (file: File | null) => {
    if (file !== null) onChange(fromText(field, await file.text()));
  };
  return (
    <>
      <CodeEditor
        language="text"
        value={text}
        onChange={(typed) => onChange(fromText(field, typed))}
        placeholder={formStrings.pasteHere}
        maxLines={8}
        labelledBy={labelId}
        {...{ describedBy, isInvalid, isDisabled }}
      />
      <Group gap="xs" mt={6}>
        <FileButton onChange={(file) => void read(file)} disabled={isDisabled}>
          {(button) => <Action {...button} icon={Upload} label={formStrings.upload} size="xs" />}
        </FileButton>
        {text !== "" && <Hint size="xs">{formStrings.fileSize({ characters: text.length })}</Hint>}
      </Group>
    </>
  );
}
