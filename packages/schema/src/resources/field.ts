import { z } from "zod";

/** A uuid of any version, brought to lower case. */
export const uuidSchema = z
  .guid("must be a uuid")
  .transform((value) => value.toLowerCase())
  .meta({ format: "uuid" });

/** A moment as the API shows it: ISO 8601, UTC, milliseconds. */
export const timestampSchema = z.string().meta({ format: "date-time" });

/** Text that may be unset: null is taken as `""`. */
export const textInputSchema = z
  .string()
  .nullable()
  .transform((value) => value ?? "");

/** A flag that may be unset: null is taken as false. */
export const flagInputSchema = z
  .boolean()
  .nullable()
  .transform((value) => value ?? false);

/** JSON text, kept byte for byte. Null and `""` are taken as `"{}"`. */
export const jsonTextInputSchema = z
  .string()
  .nullable()
  .transform((value) => (value === null || value === "" ? "{}" : value))
  .refine(isJsonText, 'must be JSON text, for example "{}"')
  .meta({ examples: ["{}"] });

/** JSON text of an object, kept byte for byte. */
export const jsonObjectTextSchema = z
  .string()
  .refine(isJsonObjectText, 'must be the JSON text of an object, for example {"nodes":[],"edges":[]}')
  .meta({ examples: ['{"nodes":[],"edges":[]}'] });

function isJsonText(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isJsonObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
