import { z } from "zod";
import { parseJson, parseJsonObject } from "../json.ts";

/** A uuid of any version, normalised to lower case. */
export const uuidSchema = z
  .guid("must be a uuid")
  .transform((value) => value.toLowerCase())
  .meta({ format: "uuid" });

/** A moment as the API shows it: ISO 8601, UTC, milliseconds. */
export const timestampSchema = z.string().meta({ format: "date-time" });

/** Optional text: null becomes `""`. */
export const textInputSchema = z
  .string()
  .nullable()
  .transform((value) => value ?? "");

/** Optional flag: null becomes false. */
export const flagInputSchema = z
  .boolean()
  .nullable()
  .transform((value) => value ?? false);

/** A boolean, or as forms send it: `true`, `false` in any case, `1`, `0`. Source: contract "Resources". */
export const formFlagSchema = z
  .union([z.boolean(), z.string().regex(/^(true|false|1|0)$/i, "must be true or false")])
  .transform((value) => (typeof value === "boolean" ? value : /^(true|1)$/i.test(value)));

/** JSON text, stored byte for byte. Null and `""` become `"{}"`. */
export const jsonTextInputSchema = z
  .string()
  .nullable()
  .transform((value) => (value === null || value === "" ? "{}" : value))
  .refine(isJsonText, 'must be JSON text, for example "{}"')
  .meta({ examples: ["{}"] });

/** More than any hand-drawn flow needs, and little enough to parse without a noticeable pause. */
const [maxFlowCharacters, maxFlowValues] = [4_000_000, 200_000];

/** JSON text of an object, stored byte for byte: 4,000,000 characters and about 200,000 values at most. */
export const jsonObjectTextSchema = z
  .string()
  .max(maxFlowCharacters, { abort: true })
  .refine((text) => countCommas(text) <= maxFlowValues, {
    error: `must not hold more than ${maxFlowValues} values`,
    abort: true,
  })
  .refine(isJsonObjectText, 'must be the JSON text of an object, for example {"nodes":[],"edges":[]}')
  .meta({ examples: ['{"nodes":[],"edges":[]}'] });

/** Includes commas in texts, so the parsing cost is never underestimated. */
function countCommas(text: string): number {
  let count = 0;
  for (let at = text.indexOf(","); at >= 0 && count <= maxFlowValues; at = text.indexOf(",", at + 1)) count += 1;
  return count;
}

function isJsonText(text: string): boolean {
  return parseJson(text) !== undefined;
}

function isJsonObjectText(text: string): boolean {
  return parseJsonObject(text) !== undefined;
}
