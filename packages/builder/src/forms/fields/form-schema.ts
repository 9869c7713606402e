import type { FormHints, Json } from "@weft/schema";

/** The part of JSON Schema (draft 2020-12) that forms are drawn from, with the hints of `.meta()`. */
export type FormSchema = FormHints & {
  title?: string;
  type?: string;
  enum?: readonly Json[];
  const?: Json;
  default?: Json;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  properties?: Readonly<Record<string, FormSchema>>;
  required?: readonly string[];
  items?: FormSchema;
  anyOf?: readonly FormSchema[];
  oneOf?: readonly FormSchema[];
};
