import { effectKindSchema, jsonObjectSchema, jsonSchema, runErrorSchema } from "@weft/schema";
import { z } from "zod";
import { FileError, parseJson } from "../read-flow-file.ts";

const failure = z.strictObject({ error: runErrorSchema });

const toolDefinitionSchema = z.strictObject({
  name: z.string(),
  description: z.string(),
  parameters: jsonObjectSchema,
  kind: effectKindSchema,
  requiresApproval: z.boolean().optional(),
});
export type ToolDefinition = z.infer<typeof toolDefinitionSchema>;

const effectSchema = z.strictObject({
  /** What was called: the model, the tool, the address. */
  name: z.string(),
  /** Hash of everything that the request consisted of. */
  request: z.string(),
  /** `unfinished`: the run left it behind. */
  outcome: z.union([z.strictObject({ value: jsonSchema }), failure, z.strictObject({ unfinished: z.literal(true) })]),
});
export type RecordedEffect = z.infer<typeof effectSchema>;

const recordingsSchema = z.strictObject({
  weftRecordings: z.literal(1),
  /** The models that nodes asked for, by what they asked for. */
  models: z.record(z.string(), z.union([z.strictObject({ id: z.string(), acceptsImages: z.boolean() }), failure])),
  /** The tools of integrations, by the hash of their settings. */
  tools: z.record(z.string(), z.union([z.strictObject({ tools: z.array(toolDefinitionSchema) }), failure])),
  /** What models and tools answered: by the name of the case, then by turn, step and effect. */
  cases: z.record(z.string(), z.record(z.string(), effectSchema)),
});

/** External answers recorded while the tests of one file ran for real. */
export type Recordings = z.infer<typeof recordingsSchema>;

export function noRecordings(): Recordings {
  return { weftRecordings: 1, models: {}, tools: {}, cases: {} };
}

/** Throws `FileError` for a text that is not recordings. */
export function parseRecordings(path: string, text: string): Recordings {
  const parsed = recordingsSchema.safeParse(parseJson(path, text));
  if (parsed.success) return parsed.data;
  const place = parsed.error.issues[0]?.path.join(".") || "its top";
  throw new FileError(`${path} holds no recordings (see ${place}). Delete it and run with --record.`);
}

/** Deterministic text, whatever the order of the recordings. */
export function toRecordingsText({ models, tools, cases, ...rest }: Recordings): string {
  const sortedCases = Object.entries(cases).map(([name, effects]) => [name, sorted(effects)] as const);
  const text = { ...rest, models: sorted(models), tools: sorted(tools), cases: Object.fromEntries(sortedCases) };
  return `${JSON.stringify(text, null, 2)}\n`;
}

function sorted<T>(entries: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(entries).sort(([a], [b]) => (a < b ? -1 : 1)));
}
