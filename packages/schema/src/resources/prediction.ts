import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "../json.ts";
import { historyMessageSchema, usageSchema } from "../run-event.ts";
import {
  agentReasoningSchema,
  documentSchema,
  fileAnnotationSchema,
  messageActionSchema,
  usedToolSchema,
} from "./chat-message.ts";
import { takeOverSchema } from "./conversation.ts";

/** A file sent with the question. */
export const uploadSchema = z
  .object({
    type: z
      .enum(["file", "image", "audio", "url", "file:full"])
      .meta({ description: "`file:full`: `data` is the text of the file, as returned by the attachments endpoint." }),
    name: z.string().max(500).default(""),
    data: z.string().meta({ description: "A base64 data URL; for `url`, an address; for `file:full`, plain text." }),
    mime: z.string().max(200).default(""),
  })
  .meta({ id: "Upload" });
export type Upload = z.infer<typeof uploadSchema>;

/** Existing clients send null, or an empty text or list, for absent values. */
function unset<T>(value: T | null | ""): T | undefined {
  return value === null || value === "" || (Array.isArray(value) && value.length === 0) ? undefined : value;
}

/** Messages as the first API clients sent them: `{ type, message }`. */
const earlyHistoryMessageSchema = z
  .object({ type: historyMessageSchema.shape.role, message: z.string() })
  .transform(({ type, message }) => ({ role: type, content: message }));

/** A human's answer: yes or no, with optional text. */
export const humanInputSchema = z.object({
  type: z
    .string()
    .toLowerCase()
    .transform((type) => (type === "approve" ? "proceed" : type))
    .pipe(z.enum(["proceed", "reject"]))
    .meta({ description: "`proceed` (or `approve`) or `reject`, in any case.", examples: ["proceed"] }),
  feedback: z
    .string()
    .max(200_000)
    .nullable()
    .transform(unset)
    .optional()
    .meta({ description: "Comment that accompanies the decision.", examples: ["Ship it on Monday."] }),
});
export type HumanInput = z.infer<typeof humanInputSchema>;

/** Limits of a question's characters and a history's entries, however they arrive. Source: contract "Prediction". */
export const longestQuestion = 200_000;
export const longestHistory = 1_000;

/** Body of a prediction. Source: reference "Prediction"; fields that existing clients add are ignored. */
export const predictionRequestSchema = z
  .object({
    question: z
      .string()
      .max(longestQuestion, `has more than ${longestQuestion} characters`)
      .optional()
      .meta({ description: "Message sent to the agent." }),
    form: jsonObjectSchema
      .nullable()
      .transform(unset)
      .optional()
      .meta({ description: "Form fields; send these instead of question." }),
    streaming: z
      .union([z.boolean(), z.enum(["true", "false"])])
      .optional()
      .meta({ description: "Return the answer as a stream of server-sent events.", default: false }),
    chatId: z
      .string()
      .max(200)
      .nullable()
      .transform(unset)
      .optional()
      .meta({ description: "Id of the conversation; a new one is created if absent." }),
    overrideConfig: jsonObjectSchema.nullable().transform(unset).optional().meta({
      description:
        "Overrides at run time: sessionId, vars, temperature, maxTokens, topP, and node settings. Accounts can override everything except credentials and addresses; API keys and visitors only what the agent's apiConfig enables. Everything else is ignored with a warning.",
    }),
    history: z
      .array(z.union([historyMessageSchema, earlyHistoryMessageSchema]))
      .max(longestHistory, `has more than ${longestHistory} entries`)
      .nullable()
      .transform(unset)
      .optional()
      .meta({
        description:
          "Replaces the stored memory for this run, unless empty. For visitors without credentials it is used only if the agent enables it.",
      }),
    uploads: z
      .array(uploadSchema)
      .max(20)
      .nullable()
      .transform(unset)
      .optional()
      .meta({ description: "Files sent with the question." }),
    humanInput: humanInputSchema.optional().meta({
      description: "Answers the run in this chat that is waiting for human input; send it instead of a question.",
    }),
    executionId: z
      .string()
      .optional()
      .meta({ description: "The run that humanInput answers. Defaults to the one that asked last." }),
    action: z.looseObject({ id: z.string() }).nullable().transform(unset).optional().meta({
      description:
        "Id of the question that humanInput answers, as returned with the action. Defaults to the last one asked. With the whole action, the words of one of its buttons as the question answer it, too.",
    }),
    draft: z.boolean().nullable().transform(unset).optional().meta({
      description:
        "Runs the agent's draft with its pinned outputs, as an internal test. For callers that may edit the agent.",
    }),
    leadEmail: z.string().max(320).nullable().transform(unset).optional(),
  })
  .meta({
    id: "PredictionRequest",
    examples: [
      {
        question: "What is the weather in London?",
        chatId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
        overrideConfig: { sessionId: "ada", temperature: 0.2 },
      },
    ],
  });
export type PredictionRequest = z.infer<typeof predictionRequestSchema>;

const executedNodeSchema = z.object({
  nodeId: z.string(),
  nodeLabel: z.string(),
  data: z.object({
    id: z.string(),
    name: z.string(),
    output: jsonSchema,
    error: z.string().optional(),
    state: jsonObjectSchema.optional(),
    pinned: z.literal(true).optional().meta({ description: "The step was not executed: its output was pinned." }),
    /** Of a step inside an iteration. */
    parentNodeId: z.string().optional(),
    iterationIndex: z.number().int().optional(),
  }),
  previousNodeIds: z.array(z.string()),
  status: z.enum(["FINISHED", "ERROR", "STOPPED", "INPROGRESS"]),
});

export const warningSchema = z.object({ code: z.string(), message: z.string() });

/** Answer of a prediction without streaming. */
export const predictionResultSchema = z
  .object({
    text: z.string().meta({
      description:
        "Everything said in this turn: messages on the way, then the answer or question, with a blank line between.",
    }),
    json: jsonSchema.optional(),
    question: z.string().meta({ description: "The question asked or transcribed; empty for a form" }),
    form: jsonObjectSchema.optional(),
    chatId: z.string(),
    chatMessageId: z.string(),
    sessionId: z.string(),
    memoryType: z.string(),
    sourceDocuments: z.array(documentSchema),
    usedTools: z.array(usedToolSchema),
    fileAnnotations: z.array(fileAnnotationSchema).meta({ description: "Files created by tools or the model" }),
    agentReasoning: z
      .array(agentReasoningSchema)
      .meta({ description: "What each agent did, if several worked on the answer; otherwise empty" }),
    executionId: z.string(),
    followUpPrompts: z.string().optional().meta({
      description: "JSON text of a list of messages that the user may send next; absent if the agent suggests none",
    }),
    action: messageActionSchema
      .optional()
      .meta({ description: "What the run is waiting for; absent if it has ended." }),
    takenOver: takeOverSchema.optional().meta({
      description: "A person answers this chat. The message is stored, no run starts, and `text` says so.",
    }),
    agentFlowExecutedData: z.array(executedNodeSchema),
    usage: usageSchema,
    metadata: z.object({ warnings: z.array(warningSchema) }),
  })
  .meta({
    id: "PredictionResult",
    examples: [
      {
        text: "It is sunny in London.",
        question: "What is the weather in London?",
        chatId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
        chatMessageId: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f",
        sessionId: "ada",
        memoryType: "",
        sourceDocuments: [],
        usedTools: [{ tool: "get_weather", toolInput: { city: "London" }, toolOutput: "It is sunny in London." }],
        fileAnnotations: [],
        agentReasoning: [],
        executionId: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
        agentFlowExecutedData: [
          {
            nodeId: "llm_0",
            nodeLabel: "LLM",
            data: { id: "llm_0", name: "llm", output: { content: "It is sunny in London." } },
            previousNodeIds: ["start_0"],
            status: "FINISHED",
          },
        ],
        usage: { inputTokens: 18, outputTokens: 7, totalTokens: 25 },
        metadata: { warnings: [] },
      },
    ],
  });
export type PredictionResult = z.infer<typeof predictionResultSchema>;
