import { templated } from "@weft/engine";
import { jsonSchema } from "@weft/schema";
import { z } from "zod";

/** Types that an entry of a schema setting may have. */
const parameterTypes = ["string", "number", "integer", "boolean", "object", "array"] as const;

/** One entry of a request-parameter or body schema. Source: reference, "Builder integrations". */
export const parameterEntrySchema = z.object({
  type: z.enum(parameterTypes).default("string"),
  in: z.enum(["path", "query", "body"]).optional(),
  required: z.boolean().optional(),
  description: z.string().max(2_000).optional(),
  enum: z.array(jsonSchema).min(1).optional(),
  /** JSON Schema of an array's items. */
  items: z.record(z.string(), jsonSchema).optional(),
  /** JSON Schemas of an object's properties. */
  properties: z.record(z.string(), jsonSchema).optional(),
});
export type ParameterEntry = z.infer<typeof parameterEntrySchema>;

const objectOrText = z.union([z.record(z.string(), jsonSchema), z.string()]);

const schemaHelp = "Parameters the model fills in. If empty, it can send anything; use {} to allow nothing.";

/** The setting that says what the model fills in. As text it is checked when the tool is built. */
export const parameterSetting = objectOrText
  .optional()
  .meta({ title: "Request parameters", help: schemaHelp, widget: "parameters", item: "parameter" });
export const bodySchemaSetting = objectOrText
  .optional()
  .meta({ title: "Body schema", help: schemaHelp, widget: "parameters", item: "field" });
export const fixedBodySetting = objectOrText.optional().meta({
  title: "Body",
  help: "Fixed values. They override the model's values key by key.",
  widget: "json",
  ...templated,
});

/** How a call is made, the same for every integration that calls HTTP APIs. */
export const callFields = {
  headers: objectOrText.optional().meta({
    title: "Headers",
    help: "Sent with every call.",
    widget: "key-value",
    item: "header",
    ...templated,
  }),
  credential: z.string().max(100).optional().meta({
    title: "Credential",
    help: "A token, a user name and password, or a header. It is never shown to the model.",
    widget: "credential",
  }),
  timeoutMs: z.number().int().min(1).max(600_000).default(30_000).meta({ title: "Time limit (ms)", advanced: true }),
  maxBytes: z
    .number()
    .int()
    .min(1)
    .max(50_000_000)
    .default(262_144)
    .meta({ title: "Most that is read (bytes)", advanced: true }),
  maxCharacters: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(20_000)
    .meta({ title: "Most that the model sees (characters)", advanced: true }),
  retries: z.number().int().min(0).max(5).optional().meta({
    title: "Retries",
    help: "After a network error or status 502, 503 or 504. Defaults to 2 for reads. Writes are only retried if they may be repeated.",
    advanced: true,
  }),
};

export const idempotentField = z.boolean().default(false).meta({
  title: "May be repeated",
  help: "The API honours Idempotency-Key, so an interrupted call is retried.",
  advanced: true,
});

/** Settings of every request integration. `example`: a name as one of its kind has. */
export const requestFields = (example: string) => ({
  url: z
    .string()
    .trim()
    .min(1, "Enter the address to call")
    .max(8_000)
    .meta({
      title: "URL",
      placeholder: "https://…",
      help: "Path parameters replace :name or {name}; the others are appended.",
      ...templated,
    }),
  name: z
    .string()
    .max(200)
    .optional()
    .meta({ title: "Name", placeholder: example, help: "Name the model uses for this tool." }),
  description: z
    .string()
    .max(4_000)
    .optional()
    .meta({ title: "Description", help: "Tells the model when to use it.", widget: "textarea" }),
});
