import { Checkbox, NumberInput, Select, Textarea, Title } from "@mantine/core";
import type { Json, StartForm } from "@weft/client";
import { type FormEvent, useState } from "react";
import { chatStrings } from "../../strings.ts";
import { Action } from "../../ui/controls/actions.tsx";
import type { Message } from "../session/chat-session.ts";
import classes from "./start-form-view.module.css";

type FormField = StartForm["fields"][number];
type FormValues = Readonly<Record<string, string | number | boolean>>;

export function initialValues({ fields }: StartForm): FormValues {
  return Object.fromEntries(
    fields.map(({ name, type, default: given }) => {
      if (type === "boolean") return [name, given === true || given === "true"];
      return [name, given ?? ""];
    }),
  );
}

export function missingFields({ fields }: StartForm, values: FormValues): string[] {
  return fields.filter(({ name, required }) => required && isBlank(values[name])).map(({ name }) => name);
}

/** Values to send: empty fields are left to the agent. */
export function toFormBody({ fields }: StartForm, values: FormValues): Record<string, Json> {
  return Object.fromEntries(
    fields.flatMap(({ name }): [string, Json][] => {
      const value = values[name];
      return value === undefined || isBlank(value) ? [] : [[name, value]];
    }),
  );
}

/** The form as text, for the chat. */
export function formText({ fields }: StartForm, values: FormValues): string {
  return fields
    .filter(({ name }) => !isBlank(values[name]))
    .map(({ name, label }) => `${label || name}: ${values[name]}`)
    .join("\n");
}

function isBlank(value: string | number | boolean | undefined): boolean {
  return value === undefined || (typeof value === "string" && value.trim() === "");
}

type Props = { form: StartForm; isBusy: boolean; onSend: (message: Message) => void };

/** The form of an agent that takes a form instead of a message. */
export function StartFormView({ form, isBusy, onSend }: Props) {
  const [values, setValues] = useState(() => initialValues(form));
  const [missing, setMissing] = useState<readonly string[]>([]);

  function submit(event: FormEvent) {
    event.preventDefault();
    const left = missingFields(form, values);
    setMissing(left);
    if (left.length > 0) return;
    onSend({ question: { text: formText(form, values), attachments: [] }, form: toFormBody(form, values) });
  }

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      {form.title !== "" && (
        <Title order={2} size="h3">
          {form.title}
        </Title>
      )}
      {form.description !== "" && <p className={classes.description}>{form.description}</p>}
      {form.fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name] ?? ""}
          error={missing.includes(field.name) ? chatStrings.formRequired : undefined}
          onChange={(value) => setValues((present: FormValues) => ({ ...present, [field.name]: value }))}
        />
      ))}
      <Action label={chatStrings.formSubmit} type="submit" disabled={isBusy} variant="filled" />
    </form>
  );
}

type FieldProps = {
  field: FormField;
  value: string | number | boolean;
  error: string | undefined;
  onChange: (value: string | number | boolean) => void;
};

function FieldInput({ field: { name, label, type, options, required }, value, error, onChange }: FieldProps) {
  const shared = { label: label || name, name, error, required };
  switch (type) {
    case "number":
      return <NumberInput {...shared} value={typeof value === "boolean" ? "" : value} onChange={onChange} />;
    case "boolean":
      return (
        <Checkbox {...shared} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />
      );
    case "options":
      return (
        <Select
          {...shared}
          data={options}
          value={String(value) || null}
          onChange={(chosen) => onChange(chosen ?? "")}
        />
      );
    case "string":
      return (
        <Textarea
          {...shared}
          autosize
          minRows={1}
          maxRows={6}
          value={String(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
