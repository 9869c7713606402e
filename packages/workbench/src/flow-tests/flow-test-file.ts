import { type HistoryMessage, historyMessageSchema, type JsonObject, jsonObjectSchema, jsonSchema } from "@weft/schema";
import { z } from "zod";
import { type Script, scriptSchema } from "./scripted-answer.ts";

/** Time of a case that names none. */
const defaultNow = "2026-01-01T09:00:00Z";

const texts = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat());

const answerSchema = z.union(
  [
    z.string().transform((equals) => ({ equals })),
    z.strictObject({
      equals: z.string().optional(),
      contains: texts.optional(),
      excludes: texts.optional(),
      matches: z.string().refine(isPattern, "is no regular expression").optional(),
      json: jsonSchema.optional(),
    }),
  ],
  "must be a text, or an object with equals, contains, excludes, matches (texts: numbers in quotes) or json",
);

const toolSchema = z.union(
  [
    z.string().transform((tool) => ({ tool })),
    z.strictObject({ tool: z.string(), arguments: jsonObjectSchema.optional(), isError: z.boolean().optional() }),
  ],
  "must be the name of a tool, or an object with tool, arguments and isError",
);

const moment = z.iso.datetime({ offset: true, error: "must be a moment such as 2026-03-02T08:30:00Z" });

const expectSchema = z.strictObject({
  /** Default `completed`; with `error`, `failed`. */
  status: z.enum(["completed", "failed", "waiting"]).optional(),
  /** Code of the error that the run fails with. */
  error: z.string().optional(),
  answer: answerSchema.optional(),
  /** Every call of a tool, in order. */
  tools: z.array(toolSchema).optional(),
  notTools: z.array(z.string()).optional(),
  state: jsonObjectSchema.optional(),
  /** Ids of the steps that ran, in order; those of a sub-flow once for each item. */
  steps: z.array(z.string()).optional(),
  /** Every request of an HTTP step, in order. */
  requests: z
    .array(
      z.strictObject({ request: z.string(), body: jsonSchema.optional() }),
      "must be a list of objects with request",
    )
    .optional(),
  /** Codes of the run's warnings, in order. */
  warnings: z.array(z.string()).optional(),
});
export type Expectations = z.infer<typeof expectSchema>;

const messageFields = {
  question: z.string().optional(),
  form: jsonObjectSchema.optional(),
  /** A person's answer to the waiting run. */
  human: z.strictObject({ type: z.enum(["proceed", "reject"]), feedback: z.string().optional() }).optional(),
  vars: jsonObjectSchema.optional(),
  history: z.array(historyMessageSchema).optional(),
  answers: scriptSchema.optional(),
  expect: expectSchema.default({}),
};

const oneMessage = "needs exactly one of question, form and human";
const turnSchema = z.strictObject(messageFields).refine(hasOneMessage, oneMessage);

const caseSchema = z
  .strictObject({
    name: z.string().min(1, "must not be empty"),
    now: moment.optional(),
    turns: z.array(turnSchema).min(1, "needs at least one turn").optional(),
    ...messageFields,
    expect: expectSchema.optional(),
  })
  .refine(
    ({ turns, ...message }) => (turns ? !hasMessage(message) : hasOneMessage(message)),
    "needs either turns, or one message of its own: question or form, with expect",
  );

const fileSchema = z.strictObject({
  /** From the folder of the test file. Default: the file of the same name with `.flow.json`. */
  flow: z.string().optional(),
  now: moment.default(defaultNow),
  /** Flows that this one calls, by agent id. Needed only for recording. */
  agents: z.record(z.uuid("must be the id of an agent, a uuid"), z.string()).default({}),
  /** Codes of all findings of the flow, in any order. */
  findings: z.array(z.string()).optional(),
  cases: z
    .array(caseSchema)
    .min(1, "needs at least one case")
    .refine((cases) => new Set(cases.map(({ name }) => name)).size === cases.length, "has two cases of one name"),
});

/** One message of a chat and the expectations of its answer. */
export type TurnTest = {
  question?: string | undefined;
  form?: JsonObject | undefined;
  human?: { type: "proceed" | "reject"; feedback?: string | undefined } | undefined;
  vars?: JsonObject | undefined;
  history?: HistoryMessage[] | undefined;
  /** Scripted answers, replacing recordings. */
  answers?: Script | undefined;
  expect: Expectations;
};

/** A chat of one message or several. */
export type FlowTestCase = { name: string; nowMs: number; turns: readonly TurnTest[] };

export type FlowTestFile = {
  flow: string | undefined;
  agents: Readonly<Record<string, string>>;
  findings: readonly string[] | undefined;
  /** Whether cases script the answers of models and tools; nothing is recorded then. */
  isScripted: boolean;
  cases: readonly FlowTestCase[];
};

/** Parses a test file. `mistakes` are sentences, each with its location. */
export function parseFlowTests(content: unknown): { ok: true; file: FlowTestFile } | { ok: false; mistakes: string[] } {
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) return { ok: false, mistakes: parsed.error.issues.slice(0, 10).map(toSentence) };
  const { flow, agents, findings, now, cases } = parsed.data;
  const toCase = ({ name, now: own, turns, expect = {}, ...message }: (typeof cases)[number]): FlowTestCase => ({
    name,
    nowMs: Date.parse(own ?? now),
    turns: turns ?? [{ ...message, expect }],
  });
  const read = cases.map(toCase);
  const isScripted = read.some(({ turns }) => turns.some(({ answers }) => answers !== undefined));
  return { ok: true, file: { flow, agents, findings, isScripted, cases: read } };
}

type Message = { question?: unknown; form?: unknown; human?: unknown };

function messagesOf({ question, form, human }: Message): unknown[] {
  return [question, form, human].filter((part) => part !== undefined);
}

function hasOneMessage(message: Message): boolean {
  return messagesOf(message).length === 1;
}

type MessageParts = Message & { vars?: unknown; history?: unknown; answers?: unknown; expect?: unknown };

function hasMessage(message: MessageParts): boolean {
  const { vars, history, answers, expect } = message;
  return messagesOf(message).length > 0 || [vars, history, answers, expect].some((part) => part !== undefined);
}

function isPattern(text: string): boolean {
  try {
    // linear: it is only compiled
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
}

function toSentence({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${String(step)}`)).join("");
  return `${place.replace(/^\./, "") || "The file"}: ${message}.`;
}
