import { z } from "zod";

/** A JSON value (RFC 8259). */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A JSON Schema document (draft 2020-12, also what OpenAPI 3.1 embeds). */
export type JsonSchema = JsonObject;

export const jsonSchema: z.ZodType<Json> = z
  .lazy(() =>
    z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(jsonSchema), z.record(z.string(), jsonSchema)]),
  )
  .meta({ id: "Json", description: "Any JSON value" });
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema) as z.ZodType<JsonObject>;
