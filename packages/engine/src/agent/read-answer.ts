import { isDeeperThan, isJsonObject, type Json, type JsonSchema, maxJsonDepth, WeftError } from "@weft/schema";
import type { ModelAnswer, ModelCall, ModelMessage } from "../ports/chat-model.ts";
import { schemaProblems } from "./read-arguments.ts";

export type AnswerSchema = NonNullable<ModelCall["responseSchema"]>;

/** An answer read as data, or the problem with it. Text that is not an answer is in `rejected` only. */
export type StructuredAnswer = ModelAnswer & { json?: Json; rejected?: { text: string; problem: string } };

/**
 * Reads an answer as JSON of the schema, with or without a code fence. One that does not fit is rejected; if `isLast`,
 * it throws `model-invalid-answer`.
 */
export function readAnswer(answer: ModelAnswer, { schema }: AnswerSchema, isLast: boolean): StructuredAnswer {
  const text = withoutFence(answer.text);
  const read = parse(text, schema);
  if (read.ok) return { ...answer, text: read.isWrapped ? JSON.stringify(read.json) : text, json: read.json };
  if (isLast) throw new WeftError("model-invalid-answer", { params: { reason: withoutDot(read.problem) } });
  return { ...answer, text: "", rejected: { text: answer.text, problem: read.problem } };
}

/**
 * The schema that models are asked for. Vendors accept only object schemas, so any other value is requested as the
 * `value` of an object. `readAnswer` accepts it with or without the wrapper.
 */
export function toAskedSchema({ name, schema }: AnswerSchema): AnswerSchema {
  if (!isOfValue(schema)) return { name, schema };
  const { $defs, definitions, ...value } = schema;
  const shared = { ...($defs === undefined ? {} : { $defs }), ...(definitions === undefined ? {} : { definitions }) };
  const asked = { type: "object", properties: { value }, required: ["value"], additionalProperties: false };
  return { name, schema: { ...asked, ...shared } };
}

function isOfValue({ type }: JsonSchema): boolean {
  return typeof type === "string" && type !== "object";
}

/** Tells a model that may call tools what its final answer must look like. */
export function describeAnswer({ schema }: AnswerSchema): string {
  return `When you give the final answer, give ${oneValue(schema)}`;
}

export function askAgain(
  { text, problem }: { text: string; problem: string },
  { schema }: AnswerSchema,
): ModelMessage[] {
  return [
    { role: "assistant", content: text },
    { role: "user", content: `This answer cannot be used. ${problem} Answer again with ${oneValue(schema)}` },
  ];
}

type Parsed = { ok: true; json: Json; isWrapped: boolean } | { ok: false; problem: string };

function parse(text: string, schema: JsonSchema): Parsed {
  let written: Json;
  try {
    written = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: `It is not valid JSON: ${(error as Error).message}.` };
  }
  if (isDeeperThan(written, maxJsonDepth)) {
    return { ok: false, problem: `It is nested more than ${maxJsonDepth} levels deep.` };
  }
  const inner = isOfValue(schema) && isJsonObject(written) ? written.value : undefined;
  const json = inner ?? written;
  const problems = schemaProblems(json, schema, "answer");
  if (problems === undefined) return { ok: false, problem: "The schema of the structured output itself is broken." };
  if (problems.length === 0) return { ok: true, json, isWrapped: inner !== undefined };
  return { ok: false, problem: `It does not match the schema. ${problems.join(" ")}` };
}

const fence = "```";

function withoutFence(text: string): string {
  const trimmed = text.trim();
  if (trimmed.length < 2 * fence.length || !trimmed.startsWith(fence) || !trimmed.endsWith(fence)) return trimmed;
  const fenced = trimmed.slice(fence.length, -fence.length);
  const lineEnds = fenced.indexOf("\n");
  const isNamed = lineEnds >= 0 && ["", "json"].includes(fenced.slice(0, lineEnds).trim());
  return isNamed ? fenced.slice(lineEnds).trim() : trimmed;
}

function withoutDot(sentence: string): string {
  return sentence.replace(/\.$/, "");
}

function oneValue(schema: JsonSchema): string {
  return `nothing but one JSON value, without words around it, that fits this JSON Schema: ${JSON.stringify(schema)}`;
}
