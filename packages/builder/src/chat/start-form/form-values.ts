import type { Json, StartForm } from "@weft/client";

export type FormField = StartForm["fields"][number];
export type FormValues = Readonly<Record<string, string | number | boolean>>;

/** Initial values of a form. */
export function initialValues({ fields }: StartForm): FormValues {
  return Object.fromEntries(
    fields.map(({ name, type, default: given }) => {
      if (type === "boolean") return [name, given === true || given === "true"];
      return [name, given ?? ""];
    }),
  );
}

/** Names of the required fields that are empty. */
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
