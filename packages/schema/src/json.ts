import { z } from "zod";

/** A JSON value (RFC 8259). */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

/** A JSON Schema document (draft 2020-12, also what OpenAPI 3.1 embeds). */
export type JsonSchema = JsonObject;

export const jsonSchema: z.ZodType<Json> = z.json() as z.ZodType<Json>;
export const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), jsonSchema) as z.ZodType<JsonObject>;
