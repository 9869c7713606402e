import { z } from "zod";
import { jsonObjectSchema, parseJson } from "../json.ts";
import { textInputSchema, timestampSchema, uuidSchema } from "./field.ts";

/** A function that agents can call (reference, "Tool"). */
export const toolSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    description: z.string(),
    color: z.string(),
    iconSrc: z.string().nullable().meta({ description: "URL of an icon" }),
    schema: z.string().nullable().meta({ description: "JSON text: parameters of the function" }),
    func: z.string().nullable().meta({ description: "JavaScript: body of an async function" }),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "Tool",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        name: "get_weather",
        description: "Tells the weather of a city",
        color: "#6366f1",
        iconSrc: null,
        schema: '[{"property":"city","type":"string","description":"Name of the city","required":true}]',
        func: 'return "It is sunny in " + $city;',
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type Tool = z.infer<typeof toolSchema>;

const defaultColor = "#6366f1";

const nameInputSchema = z.string().min(1, "must not be empty").max(500);
/** Hex, as the reference says, or the rgb gradients that existing clients generate. */
const color =
  /^(?:#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|(?:rgba?|hsla?|linear-gradient|radial-gradient)\([\w\s#%.,()-]{1,180}\))$/i;
const colorInputSchema = z
  .string()
  .nullable()
  .refine((value) => !value || color.test(value), "must be a colour such as #6366f1")
  .transform((value) => value || defaultColor);

/** JSON text of a JSON Schema or of a list of parameters, stored byte for byte. `""` means no parameters. */
const parametersTextSchema = z
  .string()
  .nullable()
  .refine(
    (text) => text === null || text === "" || isObjectOrListText(text),
    'must be JSON text: a JSON Schema, or a list such as [{"property":"city","type":"string","required":true}]',
  );

/** A create may bring its own new id; the server sets the dates. */
export const toolCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    name: nameInputSchema,
    description: textInputSchema.default(""),
    color: colorInputSchema.default(defaultColor),
    iconSrc: z.string().nullable().default(null),
    schema: parametersTextSchema.default(null),
    func: z.string().nullable().default(null),
  })
  .meta({
    id: "ToolCreate",
    examples: [
      {
        name: "get_weather",
        description: "Tells the weather of a city",
        schema: '[{"property":"city","type":"string","description":"Name of the city","required":true}]',
        func: 'return "It is sunny in " + $city;',
      },
    ],
  });
export type ToolCreate = z.infer<typeof toolCreateSchema>;

/** Absent fields stay unchanged. */
export const toolUpdateSchema = z
  .object({
    name: nameInputSchema.optional(),
    description: textInputSchema.optional(),
    color: colorInputSchema.optional(),
    iconSrc: z.string().nullable().optional(),
    schema: parametersTextSchema.optional(),
    func: z.string().nullable().optional(),
  })
  .meta({ id: "ToolUpdate", examples: [{ description: "Tells the weather of any city" }] });
export type ToolUpdate = z.infer<typeof toolUpdateSchema>;

export const toolTrialRequestSchema = z
  .object({
    input: jsonObjectSchema.default({}).meta({ description: "Arguments, as a model would send them" }),
    vars: jsonObjectSchema
      .default({})
      .meta({ description: "Values the code reads as $vars; stored variables are not used" }),
    schema: parametersTextSchema.optional().meta({ description: "Used instead of the stored one" }),
    func: z.string().nullable().optional().meta({ description: "Used instead of the stored one" }),
    timeoutMs: z.number().int().min(1).max(30_000).default(10_000),
  })
  .meta({ id: "ToolTrialRequest", examples: [{ input: { city: "London" } }] });
export type ToolTrialRequest = z.infer<typeof toolTrialRequestSchema>;

export const toolTrialSchema = z
  .object({
    output: z.string().meta({ description: "What a model would receive" }),
    isError: z.boolean(),
    logs: z.array(z.string()).meta({ description: "What the code wrote to the console" }),
    durationMs: z.number().int(),
  })
  .meta({ id: "ToolTrial", examples: [{ output: "It is sunny in London.", isError: false, logs: [], durationMs: 3 }] });
export type ToolTrial = z.infer<typeof toolTrialSchema>;

function isObjectOrListText(text: string): boolean {
  const value = parseJson(text);
  return typeof value === "object" && value !== null;
}
