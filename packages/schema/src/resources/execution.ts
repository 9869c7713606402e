import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "../json.ts";
import {
  effectCategorySchema,
  effectKindSchema,
  pinSchema,
  resumedBySchema,
  runErrorSchema,
  signalNamePattern,
  usageSchema,
} from "../run-event.ts";
import { messageActionSchema } from "./chat-message.ts";
import { uuidSchema } from "./field.ts";
import { flowGraphSchema } from "./flow-graph.ts";
import { humanInputSchema, warningSchema } from "./prediction.ts";

export const executionStateSchema = z.enum(["INPROGRESS", "FINISHED", "ERROR", "TERMINATED", "TIMEOUT", "STOPPED"]);

export const executionOriginSchema = z.enum(["builder", "api", "visitor", "schedule", "webhook"]).meta({
  description:
    "What started the run: an account in the builder, a program over the API (MCP and OpenAI's protocol included), a visitor of the widget or the hosted page, or a trigger. Runs that another run calls have its origin.",
});
export type ExecutionOrigin = z.infer<typeof executionOriginSchema>;

const summaryExample = {
  id: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
  agentflowId: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
  agentflow: { id: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f", name: "Weather" },
  chatId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
  sessionId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
  state: "FINISHED",
  origin: "api",
  question: "What is the weather in London?",
  text: "It is sunny in London.",
  error: null,
  usage: { inputTokens: 18, outputTokens: 7, totalTokens: 25 },
  costDollars: 0.0000069,
  action: null,
  waitsUntil: null,
  waitsForSignals: [],
  createdDate: "2025-01-31T12:00:00.000Z",
  updatedDate: "2025-01-31T12:00:01.250Z",
  stoppedDate: "2025-01-31T12:00:01.250Z",
  durationMs: 1250,
};

const costSchema = z.number().nonnegative().nullable();

/** A run, as lists show it. */
export const executionSummarySchema = z
  .object({
    id: z.string(),
    agentflowId: z.string(),
    agentflow: z
      .object({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "Null if the agent was deleted." }),
    chatId: z.string(),
    sessionId: z.string(),
    state: executionStateSchema.meta({
      description: "`STOPPED`: waiting for human input, a signal, or a later moment.",
    }),
    origin: executionOriginSchema,
    question: z.string().meta({ description: "The question as text; truncated in lists." }),
    text: z.string().nullable().meta({ description: "The answer, or the question the run asks; truncated in lists." }),
    error: runErrorSchema.nullable(),
    usage: usageSchema.meta({ description: "Tokens used until the run ended or paused." }),
    costDollars: costSchema.meta({
      description:
        "Sum over the model calls in US dollars, by the prices when the run ended or paused; null if a model has no known price.",
    }),
    action: messageActionSchema.nullable().meta({ description: "What the run asks a human." }),
    waitsUntil: z
      .string()
      .nullable()
      .meta({ description: "When the run continues by itself; null unless it waits for a moment." }),
    waitsForSignals: z.array(z.string()).meta({ description: "Names of the signals that continue the run." }),
    createdDate: z.string(),
    updatedDate: z.string(),
    stoppedDate: z.string().nullable(),
    durationMs: z.number().nullable().meta({ description: "From start to end; null until the run has ended." }),
    executionData: z
      .string()
      .optional()
      .meta({ description: "JSON text: the executed steps; included in lists with `page` and `limit`." }),
  })
  .meta({ id: "ExecutionSummary", examples: [summaryExample] });
export type ExecutionSummary = z.infer<typeof executionSummarySchema>;

const waitingExample = {
  id: summaryExample.id,
  agentflowId: summaryExample.agentflowId,
  agentflow: summaryExample.agentflow,
  chatId: summaryExample.chatId,
  sessionId: summaryExample.sessionId,
  startedBy: "visitor",
  question: "Please refund order 17.",
  questions: [
    {
      text: "Refund **$40** for order 17?",
      askedDate: "2025-01-31T12:00:01.250Z",
      action: {
        id: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
        mapping: { approve: "Proceed", reject: "Reject", toolCalls: [] },
        elements: [],
      },
    },
  ],
  createdDate: summaryExample.createdDate,
  updatedDate: summaryExample.updatedDate,
};

/** A run that waits for a human, with all its questions. */
export const waitingExecutionSchema = executionSummarySchema
  .pick({
    id: true,
    agentflowId: true,
    agentflow: true,
    chatId: true,
    sessionId: true,
    question: true,
    createdDate: true,
    updatedDate: true,
  })
  .extend({
    startedBy: z
      .enum(["account", "api-key", "schedule", "visitor"])
      .meta({ description: "Who started the run. `visitor`: nobody who is known." }),
    questions: z
      .array(
        z.object({
          text: z.string().meta({ description: "Markdown; truncated at 20,000 characters." }),
          askedDate: z.string(),
          action: messageActionSchema,
        }),
      )
      .meta({ description: "What the run asks, the oldest question first." }),
  })
  .meta({ id: "WaitingExecution", examples: [waitingExample] });
export type WaitingExecution = z.infer<typeof waitingExecutionSchema>;

const timing = { startedAt: z.string(), finishedAt: z.string().nullable(), durationMs: z.number().nullable() };

/** One effect of a step: a model call, a tool call, an HTTP request, another flow. */
export const executionEffectSchema = z
  .object({
    key: z.string(),
    category: effectCategorySchema,
    kind: effectKindSchema,
    name: z.string(),
    attempt: z.number().int(),
    ...timing,
    input: jsonSchema,
    follows: z
      .array(z.string())
      .optional()
      .meta({ description: "The input of the model that requested the call: the question, results, documents." }),
    output: jsonSchema,
    error: runErrorSchema.nullable(),
    usage: usageSchema.nullable(),
    costDollars: costSchema.meta({ description: "Of a model call, in US dollars by today's prices." }),
  })
  .meta({ id: "ExecutionEffect" });
export type ExecutionEffect = z.infer<typeof executionEffectSchema>;

/**
 * One execution of one node. Values longer than 64 KiB are truncated and marked, unless the whole step is requested.
 */
export const executionStepSchema = z
  .object({
    nodeKey: z.string().meta({ description: "Unique within the run: scope, node and pass." }),
    nodeId: z.string(),
    nodeLabel: z.string(),
    type: z.string(),
    parentNodeId: z.string().optional().meta({ description: "The iteration that contains the step." }),
    iterationIndex: z.number().int().optional(),
    status: z.enum(["INPROGRESS", "FINISHED", "STOPPED", "ERROR", "TERMINATED"]),
    attempt: z.number().int(),
    pinned: z.literal(true).optional().meta({ description: "It was not executed: its output was pinned or given." }),
    ...timing,
    input: jsonSchema.meta({
      description: "Input of a start node, item of an iteration, or human answer; otherwise null.",
    }),
    output: jsonSchema,
    error: runErrorSchema.nullable().meta({ description: "Error of the last failed attempt." }),
    usage: usageSchema,
    costDollars: costSchema.meta({
      description: "Sum over the model calls in US dollars, by today's prices; null if a model has no known price.",
    }),
    waits: z
      .array(
        z.object({
          startedAt: z.string(),
          finishedAt: z.string().nullable(),
          until: z.string().optional().meta({ description: "When the wait ends by itself." }),
          signal: z.string().optional().meta({ description: "Name of the signal that ends the wait." }),
          asks: z.literal(false).optional().meta({ description: "False: nobody was asked. Absent: a person was." }),
          resumedBy: resumedBySchema.optional().meta({ description: "Absent: a human's answer." }),
          answeredBy: z.string().optional().meta({
            description: "The e-mail address of the account, or the name of the API key. Absent for visitors.",
          }),
        }),
      )
      .meta({
        description:
          "When the step waited for human input, a moment or a signal; the last `finishedAt` is null while it is waiting.",
      }),
    effects: z.array(executionEffectSchema),
    pin: pinSchema.optional().meta({
      description:
        "Of the whole step that was asked for, once it is finished: what gives the same without executing it.",
    }),
    isRepeated: z.literal(true).optional().meta({
      description:
        "It was executed in the run that this one replays or retries. Its tokens and costs count there alone.",
    }),
  })
  .meta({ id: "ExecutionStep" });
export type ExecutionStep = z.infer<typeof executionStepSchema>;

/** A run with its steps. */
export const executionSchema = executionSummarySchema
  .extend({
    agentVersionId: z.string(),
    executionData: z.string().meta({ description: "JSON text: the executed steps, as returned by predictions." }),
    steps: z.array(executionStepSchema).meta({ description: "In the order they started." }),
    graph: flowGraphSchema.nullable().meta({ description: "The flow that the run began with; null if it is gone." }),
    warnings: z.array(warningSchema),
    retriedFrom: z.string().nullable().meta({ description: "The failed run that this one continues." }),
    replayedFrom: z.string().nullable().meta({ description: "The run that this one replays from one of its steps." }),
  })
  .meta({
    id: "Execution",
    examples: [
      {
        ...summaryExample,
        agentVersionId: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f",
        executionData:
          '[{"nodeId":"llm_0","nodeLabel":"LLM","data":{"id":"llm_0","name":"llm","output":{"content":"It is sunny in London."}},"previousNodeIds":["start_0"],"status":"FINISHED"}]',
        steps: [
          {
            nodeKey: "llm_0#0",
            nodeId: "llm_0",
            nodeLabel: "LLM",
            type: "llm",
            status: "FINISHED",
            attempt: 1,
            startedAt: "2025-01-31T12:00:00.010Z",
            finishedAt: "2025-01-31T12:00:01.240Z",
            durationMs: 1230,
            input: null,
            output: { content: "It is sunny in London." },
            error: null,
            usage: { inputTokens: 18, outputTokens: 7, totalTokens: 25 },
            costDollars: 0.0000069,
            waits: [],
            effects: [],
          },
        ],
        graph: {
          nodes: [
            { id: "start_0", type: "start", label: "Start", position: { x: 0, y: 0 } },
            { id: "llm_0", type: "llm", label: "LLM", position: { x: 344, y: 0 } },
          ],
          edges: [{ source: "start_0", sourcePort: "out", target: "llm_0" }],
        },
        warnings: [],
        retriedFrom: null,
        replayedFrom: null,
      },
    ],
  });
export type Execution = z.infer<typeof executionSchema>;

/** A human's answer to a run. */
export const executionAnswerSchema = humanInputSchema
  .extend({
    waitId: z.string().optional().meta({ description: "The `id` of the action. Defaults to the last one asked." }),
  })
  .meta({ id: "ExecutionAnswer", examples: [{ type: "proceed", feedback: "Ship it on Monday." }] });
export type ExecutionAnswer = z.infer<typeof executionAnswerSchema>;

/** Start of a replay, and its changes. */
export const executionReplaySchema = z
  .object({
    nodeKey: z.string().max(2_000).optional().meta({ description: "An execution of a step, by its `nodeKey`." }),
    nodeId: z.string().max(200).optional().meta({
      description: "In place of `nodeKey`: the step's last execution, or where it would have been executed first.",
    }),
    question: z.string().max(200_000).optional().meta({ description: "In place of the run's question." }),
    form: jsonObjectSchema.optional().meta({ description: "In place of the run's form." }),
    outputs: z
      .record(z.string().max(200), pinSchema.omit({ ports: true }))
      .optional()
      .meta({ description: "What earlier steps are to have given, by node id. Branches that were taken stay taken." }),
    draft: z.boolean().default(false).meta({ description: "With the agent's draft in place of the run's flow." }),
    only: z.boolean().default(false).meta({ description: "The step alone: the replay ends after it." }),
  })
  .refine(({ nodeKey, nodeId }) => (nodeKey === undefined) !== (nodeId === undefined), {
    message: "needs either nodeKey or nodeId",
  })
  .meta({
    id: "ExecutionReplay",
    examples: [{ nodeKey: "llm_0#0", outputs: { http_0: { output: { city: "London" } } }, draft: true }],
  });
export type ExecutionReplay = z.infer<typeof executionReplaySchema>;

export const signalNameSchema = z
  .string()
  .regex(signalNamePattern, "must have letters, digits, dots, hyphens and underscores, 100 at most");

export const executionSignalSchema = z
  .object({ payload: jsonSchema.optional().meta({ description: "What the waiting step gets. Default: null." }) })
  .meta({ id: "ExecutionSignal", examples: [{ payload: { orderId: 17 } }] });
export type ExecutionSignal = z.infer<typeof executionSignalSchema>;

export const executionDeleteSchema = z
  .object({ executionIds: z.array(uuidSchema).min(1).max(1_000) })
  .meta({ id: "ExecutionDelete", examples: [{ executionIds: ["5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d"] }] });

export const executionDeletedSchema = z
  .object({ success: z.literal(true), deletedCount: z.number().int() })
  .meta({ id: "ExecutionDeleted", examples: [{ success: true, deletedCount: 1 }] });
export type ExecutionDeleted = z.infer<typeof executionDeletedSchema>;
