import { z } from "zod";
import { maxRefusals, refusalSchema } from "../flow.ts";
import { type JsonObject, jsonObjectSchema, jsonSchema, parseJsonObject } from "../json.ts";
import { textInputSchema, timestampSchema, uuidSchema } from "./field.ts";

export const assistantToolSchema = z.enum(["function", "code_interpreter", "file_search"]).meta({
  description: "function: custom tools; code_interpreter: sandboxed JavaScript; file_search: document stores",
});
export type AssistantTool = z.infer<typeof assistantToolSchema>;

const detailsShape = {
  id: z.string(),
  name: z.string().min(1, "must not be empty"),
  description: z.string(),
  model: z.string().max(200).meta({ description: "Model id; if empty, the default of the provider or the server" }),
  provider: z
    .string()
    .max(100)
    .optional()
    .meta({ description: "Name of the model provider; defaults to the server's" }),
  instructions: z
    .string()
    .max(200_000)
    .meta({ description: "System prompt; may contain templates such as {{ current_date_time }}" }),
  temperature: z.number().min(0).max(2),
  top_p: z.number().min(0).max(1),
  tools: z.array(assistantToolSchema).max(10),
  tool_resources: jsonObjectSchema.meta({
    description:
      'For function: {"function": {"tool_ids": […]}}, ids of custom tools. For file_search: {"file_search": {"vector_store_ids": […]}}, ids of document stores',
  }),
  refused: z
    .array(refusalSchema.pick({ code: true, message: true }))
    .max(maxRefusals)
    .optional()
    .meta({ description: "What an import could not carry over: it stops runs until it is removed here" }),
};

/** Properties of an assistant (reference, "Assistant"). Unknown properties are stored unchanged. */
export const assistantDetailsSchema = z
  .object(detailsShape)
  .catchall(jsonSchema)
  .meta({
    id: "AssistantDetails",
    examples: [
      {
        id: "6f0c5b1e-3c5d-4b6e-9c50-6f1f4f3b2a11",
        name: "Event assistant",
        description: "Knows our events.",
        model: "gpt-4o-mini",
        instructions: "You help with events. It is {{ current_date_time }}.",
        temperature: 0.7,
        top_p: 1,
        tools: ["function", "code_interpreter"],
        tool_resources: {},
      },
    ],
  });
export type AssistantDetails = z.infer<typeof assistantDetailsSchema>;

/** A model with instructions and tools that predictions can be sent to (reference, "Assistant"). */
export const assistantSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    details: assistantDetailsSchema,
    credential: z
      .string()
      .meta({ description: "Id of the model's credential; if empty, the server's own key is used" }),
    iconSrc: z.string(),
    createdDate: timestampSchema,
    updatedDate: timestampSchema,
  })
  .meta({
    id: "Assistant",
    examples: [
      {
        id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        details: {
          id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
          name: "Event assistant",
          model: "gpt-4o-mini",
          instructions: "You help with events. It is {{ current_date_time }}.",
          tools: ["function"],
          description: "",
          temperature: 0.7,
          top_p: 1,
          tool_resources: {},
        },
        credential: "",
        iconSrc: "",
        createdDate: "2025-01-31T12:00:00.000Z",
        updatedDate: "2025-02-01T08:30:00.000Z",
      },
    ],
  });
export type Assistant = z.infer<typeof assistantSchema>;

const { name, ...optionalDetails } = detailsShape;
const { id: _, ...settableDetails } = optionalDetails;

const detailsInputSchema = z
  .object({
    name,
    id: z.string().max(200).nullish().meta({ description: "The client's own id; defaults to the assistant's id" }),
    ...z.object(settableDetails).partial().shape,
  })
  .catchall(jsonSchema);
export type AssistantDetailsInput = z.infer<typeof detailsInputSchema>;

const credentialInputSchema = z
  .union([uuidSchema, z.literal("")])
  .nullable()
  .transform((value) => value ?? "");

/** `details` may be JSON text, as existing clients send it. */
export const assistantCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    details: objectOrText(detailsInputSchema),
    credential: credentialInputSchema.optional(),
    iconSrc: textInputSchema.optional(),
  })
  .meta({
    id: "AssistantCreate",
    examples: [
      {
        details: {
          name: "Event assistant",
          model: "gpt-4o-mini",
          instructions: "You help with events. It is {{ current_date_time }}.",
          tools: ["function"],
        },
      },
    ],
  });
export type AssistantCreate = z.infer<typeof assistantCreateSchema>;

/** Absent fields stay unchanged, also within `details`. */
export const assistantUpdateSchema = z
  .object({
    details: objectOrText(detailsInputSchema.partial()).optional(),
    credential: credentialInputSchema.optional(),
    iconSrc: textInputSchema.optional(),
  })
  .meta({ id: "AssistantUpdate", examples: [{ details: { temperature: 0.2 } }] });
export type AssistantUpdate = z.infer<typeof assistantUpdateSchema>;

/** An object, or its JSON text. */
function objectOrText<T>(schema: z.ZodType<T>) {
  return z.union([z.string().transform(parseObject), jsonObjectSchema]).transform((value, context) => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    for (const { path, message } of parsed.error.issues) context.addIssue({ code: "custom", path, message });
    return z.NEVER;
  });
}

function parseObject(text: string, context: z.RefinementCtx): JsonObject {
  const value = parseJsonObject(text);
  if (value) return value;
  context.addIssue({ code: "custom", message: "must be an object, or the JSON text of one" });
  return z.NEVER;
}
