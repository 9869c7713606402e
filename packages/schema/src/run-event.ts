import { z } from "zod";
import { runCeilingsOf } from "./budget.ts";
import { jsonObjectSchema, jsonSchema } from "./json.ts";
import { modelParametersSchema } from "./model-parameters.ts";
import { writePolicySchema } from "./write-policy.ts";

/** A failure as the journal stores it: never a stack, never a secret. */
export const runErrorSchema = z.object({
  code: z.string(),
  message: z.string(),
  retryable: z.boolean(),
  upstream: z.object({ status: z.number(), retryAfterSeconds: z.number().optional() }).optional(),
});
export type RunError = z.infer<typeof runErrorSchema>;

/** Tokens as the model server counted them. */
export const usageSchema = z.object({
  inputTokens: z.number().int().nonnegative(),
  outputTokens: z.number().int().nonnegative(),
  totalTokens: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

export function usageOf(inputTokens: number, outputTokens: number): Usage {
  return { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
}

/** What a run may use. */
export const runBudgetSchema = z.object({
  /** The run whose limits it shares. Default: itself. */
  rootRunId: z.string().optional(),
  /** Limits that differ from the defaults. */
  limits: z.object(runCeilingsOf(z.number().optional())).optional(),
  /** Its usage also counts for its agent or its visitor. */
  isCounted: z.literal(true).optional(),
});
export type RunBudgetFacts = z.infer<typeof runBudgetSchema>;

export const historyMessageSchema = z.object({
  role: z.enum(["apiMessage", "userMessage"]),
  content: z.string(),
});
export type HistoryMessage = z.infer<typeof historyMessageSchema>;

/** A file sent with the question, as journalled: its bytes are stored under `fileId`. */
export const runUploadSchema = z.object({
  kind: z.enum(["image", "audio", "document"]),
  /** As the chat message shows it. */
  type: z.enum(["stored-file", "stored-file:full", "url"]),
  name: z.string(),
  mime: z.string(),
  /** The address of a `url`; else `""`. */
  data: z.string(),
  /** Absent if only the text was sent. */
  fileId: z.string().optional(),
  /** Of the file, or of the text; absent for addresses and in records of older versions. */
  sizeBytes: z.number().int().optional(),
});
export type RunUpload = z.infer<typeof runUploadSchema>;

/** The output of a step that is not executed while a flow is being built. */
export const pinSchema = z
  .object({
    output: jsonSchema,
    text: z.string().optional().meta({ description: "The answer, where the step gives one." }),
    json: jsonSchema.optional().meta({ description: "The answer as data, where the step has structured output." }),
    ports: z
      .array(z.string().max(200))
      .max(100)
      .optional()
      .meta({ description: "The branches taken. Default: the step's only way on." }),
    state: jsonObjectSchema.optional().meta({ description: "What the step puts into the flow's state." }),
  })
  .meta({ id: "Pin" });
export type Pin = z.infer<typeof pinSchema>;

/** By node id. */
export const pinsSchema = z.record(z.string().max(200), pinSchema);
export type Pins = z.infer<typeof pinsSchema>;

/** The input of a run, fixed when it is accepted. */
export const runInputSchema = z.object({
  question: z.string().optional(),
  form: jsonObjectSchema.optional(),
  /** The request that started it: `{ method, headers, query, body }`, without secret headers. */
  webhook: jsonObjectSchema.optional(),
  /** Replaces the stored memory for this run. */
  history: z.array(historyMessageSchema).optional(),
  vars: jsonObjectSchema.optional(),
  /** Model parameters that the caller overrides on every model of the run. */
  modelParameters: modelParametersSchema.optional(),
  /** Config values that the caller overrides, by node id. */
  nodeConfig: z.record(z.string(), jsonObjectSchema).optional(),
  /** Outputs of steps that are not executed, by node id. Only in test runs of drafts. */
  pins: pinsSchema.optional(),
  /** The only step execution wanted: the run ends after it. Only in test runs. */
  onlyStep: z.string().optional(),
  /** The lead's address: both messages of the turn carry it. */
  leadEmail: z.string().optional(),
  /** Files sent with the question. */
  uploads: z.array(runUploadSchema).optional(),
  /**
   * It continues from a step of another run, as an experiment: a person decides on everything that changes the world.
   */
  isReplay: z.literal(true).optional(),
  /** Changes that the run may make for an anonymous visitor. Absent: any. */
  visitorWrites: writePolicySchema.optional(),
  /** Texts of the documents among them, each as `<doc name='…'>…</doc>`. */
  fileAttachment: z.string().optional(),
});
export type RunInput = z.infer<typeof runInputSchema>;

/** Suspends a run until a human's answer, a moment, or a signal; the first to come ends it. */
export const waitSchema = z.object({
  waitId: z.string(),
  nodeId: z.string(),
  /** The question to the human; or what is waited for. */
  text: z.string(),
  details: jsonObjectSchema,
  /** Identifies the question, if a node asks several. */
  key: z.string().optional(),
  /** Milliseconds since the epoch at which the wait ends. */
  until: z.number().int().optional(),
  /** Name of the signal that ends the wait. */
  signal: z.string().optional(),
  /** False: nobody is asked, so only the moment or the signal ends the wait. */
  asks: z.literal(false).optional(),
});
export type Wait = z.infer<typeof waitSchema>;

/** Names of signals, which fit into the path of a request. */
export const signalNamePattern = /^[A-Za-z0-9._-]{1,100}$/;

/** What ended a wait without a human. */
export const resumedBySchema = z.enum(["time", "signal"]);
export type ResumedBy = z.infer<typeof resumedBySchema>;

/**
 * Address of one execution of one node: `<scope><nodeId>#<pass>`. The scope is empty at the top and
 * `<iterationKey>[<item>]/` inside the items of a sub-flow; a loop's jump raises the pass.
 */
export type NodeKey = string;

/**
 * The trace that a run continues (W3C Trace Context): its id and the span above the run's own. `sampled` is absent if
 * the caller leaves the sampling decision open.
 */
export const runTraceSchema = z.object({
  id: z.string().regex(/^[0-9a-f]{32}$/),
  parent: z.string().regex(/^[0-9a-f]{16}$/),
  sampled: z.boolean().optional(),
});
export type RunTrace = z.infer<typeof runTraceSchema>;

const outcomeSchema = z.discriminatedUnion("ok", [
  z.object({ ok: z.literal(true), value: jsonSchema }),
  z.object({ ok: z.literal(false), error: runErrorSchema }),
]);
export type EffectOutcome = z.infer<typeof outcomeSchema>;

export const effectCategorySchema = z.enum(["model", "tool", "http", "flow", "function", "retrieval"]);
export type EffectCategory = z.infer<typeof effectCategorySchema>;

/** `read` may be repeated freely, `idempotent` repeats with the same key, `write` happens at most once. */
export const effectKindSchema = z.enum(["read", "idempotent", "write"]);
export type EffectKind = z.infer<typeof effectKindSchema>;

const eventBodies = [
  z.object({
    type: z.literal("run-started"),
    agentId: z.string(),
    flowVersionId: z.string(),
    chatId: z.string(),
    sessionId: z.string(),
    chatType: z.enum(["INTERNAL", "EXTERNAL"]),
    /** The caller: `account:<id>`, `client:<id>` or `anonymous`. Absent in runs that predate chat owners. */
    owner: z.string().optional(),
    /** Owner of the chat that it continues, if other than `owner`; empty for one that predates chat owners. */
    chatOwner: z.string().optional(),
    userMessageId: z.string(),
    apiMessageId: z.string(),
    input: runInputSchema,
    /** Depth of flows in flows; 0 for a client's run. */
    depth: z.number().int(),
    /** The run that started this one. Absent at depth 0. */
    parentRunId: z.string().optional(),
    /** Type of the agent, which determines how its streams open. Default: AGENTFLOW. */
    agentType: z.string().optional(),
    /** The failed run that this one continues. */
    retriedFrom: z.string().optional(),
    /** The run that this one continues from one of its steps. */
    replayedFrom: z.string().optional(),
    /** How many of the following events happened in the run that it continues. Their tokens count only there. */
    repeats: z.number().int().nonnegative().optional(),
    /** Absent: only the platform's limits, shared with nobody. */
    budget: runBudgetSchema.optional(),
    /** False: the answer is wanted as a whole. Absent: as it is written. */
    isStreamed: z.boolean().optional(),
    /** Absent: the run starts its own trace. */
    trace: runTraceSchema.optional(),
  }),
  z.object({ type: z.literal("run-warned"), code: z.string(), message: z.string(), nodeKey: z.string().optional() }),
  z.object({
    type: z.literal("node-started"),
    nodeKey: z.string(),
    nodeId: z.string(),
    attempt: z.number().int(),
    /** Present if its text is certain to be shown: as the answer, or as a message of its own. */
    isAnswer: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("effect-started"),
    nodeKey: z.string(),
    effectKey: z.string(),
    attempt: z.number().int(),
    kind: effectKindSchema,
    category: effectCategorySchema,
    name: z.string(),
    input: jsonSchema,
    /** The last messages that led the model to make this call. */
    follows: z.array(z.string()).optional(),
  }),
  z.object({
    type: z.literal("effect-finished"),
    nodeKey: z.string(),
    effectKey: z.string(),
    outcome: outcomeSchema,
    /** Present if it failed and will be retried: the pause before. */
    retryAfterMs: z.number().optional(),
  }),
  z.object({
    type: z.literal("node-completed"),
    nodeKey: z.string(),
    nodeId: z.string(),
    output: jsonSchema,
    /** Text of the answer if this node gives one. */
    text: z.string().optional(),
    state: jsonObjectSchema.optional(),
    /** Ports taken; all edges from other ports are dead. Absent: the default port. */
    ports: z.array(z.string()).optional(),
    /** The answer as data, if the node has structured output. */
    json: jsonSchema.optional(),
    /** The messages of this node that later model nodes of the run see. */
    messages: z.array(historyMessageSchema).optional(),
    /** A loop jumps back to this node, where a new pass begins. */
    jumpTo: z.string().optional(),
    /** Not executed: the output was pinned or given. */
    pinned: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("node-spawned"),
    nodeKey: z.string(),
    items: z.array(jsonSchema),
    concurrency: z.number().int().positive(),
    /** A failing item ends only itself: its error is its result. */
    toleratesFailures: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("node-failed"),
    nodeKey: z.string(),
    nodeId: z.string(),
    error: runErrorSchema,
    attempt: z.number().int(),
    next: z.discriminatedUnion("type", [
      z.object({ type: z.literal("retry"), at: z.number() }),
      z.object({ type: z.literal("error-port") }),
      z.object({ type: z.literal("stop") }),
    ]),
  }),
  z.object({ type: z.literal("node-suspended"), nodeKey: z.string(), nodeId: z.string(), wait: waitSchema }),
  z.object({
    type: z.literal("node-resumed"),
    nodeKey: z.string(),
    nodeId: z.string(),
    waitId: z.string(),
    answer: jsonSchema,
    /**
     * The chat turn that begins with it: what the human said, and the ids of its messages. If time or a signal resumes
     * a run that was already answered, the turn has no user message.
     */
    turn: z.object({ userMessageId: z.string().optional(), apiMessageId: z.string(), content: z.string() }).optional(),
    /** Absent: a human's answer. */
    resumedBy: resumedBySchema.optional(),
    /** The answerer: the e-mail address of an account, or the name of an API key. Absent for visitors. */
    answeredBy: z.string().optional(),
  }),
  z.object({
    type: z.literal("run-suspended"),
    /** When the first of its waits ends by itself, in milliseconds since the epoch. Absent: none does. */
    dueAt: z.number().int().optional(),
    /** It resumes by itself so soon that its caller gets no answer before, and it keeps its turn in the session. */
    holds: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("run-completed"),
    text: z.string(),
    json: jsonSchema.optional(),
    answerNodeKey: z.string().nullable(),
    usage: usageSchema,
  }),
  z.object({ type: z.literal("run-failed"), error: runErrorSchema, nodeKey: z.string().nullable() }),
  z.object({ type: z.literal("run-cancelled") }),
] as const;

export const runEventBodySchema = z.discriminatedUnion("type", eventBodies);
export type RunEventBody = z.infer<typeof runEventBodySchema>;

/** One line of a run's journal. `seq` is dense from 1; `at` is milliseconds since the epoch. */
export type RunEvent = RunEventBody & {
  readonly seq: number;
  readonly at: number;
  /** Days after the run's end at which large inputs or outputs were removed; a sentence replaces them. */
  readonly removedAfterDays?: number;
};

export type RunEventOf<T extends RunEventBody["type"]> = Extract<RunEventBody, { type: T }>;

export const terminalEventTypes = ["run-completed", "run-failed", "run-cancelled"] as const;

export function isTerminalEvent(event: RunEventBody): boolean {
  return terminalEventTypes.some((type) => type === event.type);
}

/** Whether this event answers a run's caller: the run has ended, or waits longer than a caller does. */
export function endsAnswer(event: RunEventBody): boolean {
  return isTerminalEvent(event) || (event.type === "run-suspended" && event.holds !== true);
}

/** The owner of a run's chat and session; empty for a chat that predates owners. */
export function chatOwnerOf({ owner, chatOwner }: RunEventOf<"run-started">): string {
  return chatOwner ?? owner ?? "";
}
