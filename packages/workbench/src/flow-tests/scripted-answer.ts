import { jsonObjectSchema, jsonSchema } from "@weft/schema";
import { z } from "zod";

/**
 * What a model, tool, address, store or agent answers in a test, written by hand. A text is the answer in words: of a
 * model, a tool, an agent, an address or the only passage of a store.
 */
export const scriptedAnswerSchema = z.union(
  [
    z.string().transform((text) => ({ text })),
    /** A model's answer as data. */
    z.strictObject({ json: jsonSchema }),
    /** The tools that a model calls. */
    z.strictObject({
      calls: z.array(z.strictObject({ tool: z.string(), arguments: jsonObjectSchema.default({}) })).min(1),
    }),
    /** An HTTP API's answer. */
    z.strictObject({ status: z.number().int().min(200).max(599).default(200), data: jsonSchema }),
    /** What a document store finds. */
    z.strictObject({ passages: z.array(z.string()) }),
    /** Why there is no answer. */
    z.strictObject({ error: z.string().min(1) }),
    /** The result as the step gets it: of a write to a store, of code that uses `fetch`. */
    z.strictObject({ value: jsonSchema }),
  ],
  "must be a text, or an object with json, calls, status and data, passages, error or value",
);
export type ScriptedAnswer = z.infer<typeof scriptedAnswerSchema>;

/** Answers by the id of the step that asks, in the order in which it asks. */
export const scriptSchema = z.record(z.string(), z.array(scriptedAnswerSchema).min(1));
export type Script = z.infer<typeof scriptSchema>;
