import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "../json.ts";

/** Settings to build a test request from: those of a request integration, an OpenAPI toolkit or an HTTP step. */
const settings = {
  type: z.string().max(100).meta({
    description: "`request-get`, `request-post`, `request-put`, `request-delete`, `openapi-toolkit` or `http`",
  }),
  config: jsonObjectSchema.meta({ description: "The settings, as stored in a flow" }),
};

export const requestDescriptionQuerySchema = z
  .object(settings)
  .meta({ id: "RequestDescriptionQuery", examples: [{ type: "request-get", config: { url: "https://example.com" } }] });

/** The requests that these settings allow, and the values to fill in first. */
export const requestDescriptionSchema = z
  .object({
    requests: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        changes: z.boolean().meta({ description: "Whether the request may change data in the called API" }),
        input: jsonObjectSchema.meta({ description: "JSON Schema of the parameters" }),
      }),
    ),
    references: z.array(z.string()).meta({ description: "Templates in the settings that need a value" }),
  })
  .meta({
    id: "RequestDescription",
    examples: [
      { requests: [{ name: "get_events", description: "Gets events", changes: false, input: {} }], references: [] },
    ],
  });
export type RequestDescription = z.infer<typeof requestDescriptionSchema>;

export const requestTrialRequestSchema = z
  .object({
    ...settings,
    name: z.string().max(200).optional().meta({ description: "Name of the request, if the settings define several" }),
    input: jsonObjectSchema.default({}).meta({ description: "Parameters, as a model would provide them" }),
    values: z
      .record(z.string(), jsonSchema)
      .default({})
      .meta({ description: "Template values, keyed by the text between the braces" }),
  })
  .meta({
    id: "RequestTrialRequest",
    examples: [{ type: "request-get", config: { url: "https://example.com/events" }, input: { id: "7" } }],
  });
export type RequestTrialRequest = z.infer<typeof requestTrialRequestSchema>;

export const requestTrialSchema = z
  .object({
    status: z.number().int().nullable().meta({ description: "Null if there was no response" }),
    url: z.string().meta({ description: "Without secrets and without the query values from the settings" }),
    output: z
      .string()
      .meta({ description: "What a model or the next step would receive; truncated to 20,000 characters" }),
    isError: z.boolean(),
    durationMs: z.number().int(),
  })
  .meta({
    id: "RequestTrial",
    examples: [{ status: 200, url: "https://example.com/events", output: "[]", isError: false, durationMs: 42 }],
  });
export type RequestTrial = z.infer<typeof requestTrialSchema>;
