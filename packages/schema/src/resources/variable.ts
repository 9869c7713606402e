import { z } from "zod";
import { isDeeperThan, type Json, maxJsonDepth } from "../json.ts";
import { timestampSchema, uuidSchema } from "./field.ts";

/**
 * `static` is what clients of the Flowise API call `string`; it is stored as sent. The value of a `runtime` variable is
 * in the server's environment, not here.
 */
export const variableTypeSchema = z.enum(["string", "number", "boolean", "json", "runtime", "static"]);
export type VariableType = z.infer<typeof variableTypeSchema>;

/** A value that flows read as `$vars.name` (reference, "Variable"). */
export const variableSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    value: z.string().nullable().meta({ description: "Text in the format of the type" }),
    type: variableTypeSchema,
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "Variable",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        name: "city",
        value: "London",
        type: "string",
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type Variable = z.infer<typeof variableSchema>;

const nameInputSchema = z.string().min(1, "must not be empty").max(500, "must have at most 500 characters");

/** Every run receives all variables. */
const valueInputSchema = z.string().max(65_536, "must have at most 65,536 characters").nullable();

/** A create may bring its own new id; the server sets the dates. */
export const variableCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    name: nameInputSchema,
    value: valueInputSchema.default(null),
    type: variableTypeSchema.default("string"),
  })
  .superRefine(({ type, value }, context) => {
    const parsed = parseVariableValue(type, value);
    if (!parsed.ok) context.addIssue({ code: "custom", path: ["value"], message: parsed.message });
  })
  .meta({ id: "VariableCreate", examples: [{ name: "city", value: "London", type: "string" }] });
export type VariableCreate = z.infer<typeof variableCreateSchema>;

/** Absent fields stay unchanged. The value must fit the variable's resulting type. */
export const variableUpdateSchema = z
  .object({
    name: nameInputSchema.optional(),
    value: valueInputSchema.optional(),
    type: variableTypeSchema.optional(),
  })
  .meta({ id: "VariableUpdate", examples: [{ value: "Paris" }] });
export type VariableUpdate = z.infer<typeof variableUpdateSchema>;

/** The value that flows read for a stored text, or why the text does not fit the type. Null is null in every type. */
export function parseVariableValue(
  type: VariableType,
  text: string | null,
): { ok: true; value: Json } | { ok: false; message: string } {
  if (text === null) return { ok: true, value: null };
  switch (type) {
    case "number":
      return parseNumber(text);
    case "boolean":
      if (text === "true" || text === "false") return { ok: true, value: text === "true" };
      return { ok: false, message: 'must be "true" or "false"' };
    case "json":
      return parseJson(text);
    case "string":
    case "static":
    case "runtime":
      return { ok: true, value: text };
  }
}

/** Numbers as JSON writes them (RFC 8259, 6), so that no text is read as another number than it looks like. */
function parseNumber(text: string) {
  const value = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return { ok: true, value } as const;
  return { ok: false, message: 'must be the text of a number, for example "12.5"' } as const;
}

function parseJson(text: string) {
  try {
    const value: Json = JSON.parse(text);
    if (!isDeeperThan(value, maxJsonDepth)) return { ok: true, value } as const;
    return { ok: false, message: `must not be nested more than ${maxJsonDepth} levels deep` } as const;
  } catch {
    return { ok: false, message: 'must be JSON text, for example "[1, 2]"' } as const;
  }
}
