import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "../json.ts";
import { historyMessageSchema, usageSchema } from "../run-event.ts";
import { documentSchema, usedToolSchema } from "./chat-message.ts";

/** Body of a prediction. Source: reference "Prediction"; fields that existing clients add are ignored. */
export const predictionRequestSchema = z
  .object({
    question: z.string().optional().meta({ description: "Message sent to the agent." }),
    form: jsonObjectSchema.optional().meta({ description: "Form fields, an alternative to question." }),
    streaming: z
      .union([z.boolean(), z.enum(["true", "false"])])
      .optional()
      .meta({ description: "Answers as a stream of server-sent events. Default false." }),
    chatId: z.string().min(1).max(200).optional().meta({ description: "Conversation; a new one when absent." }),
    overrideConfig: jsonObjectSchema.optional().meta({
      description: "Overrides at run time: sessionId, vars, temperature, maxTokens, topP, and what the agent allows.",
    }),
    history: z
      .array(historyMessageSchema)
      .max(10_000)
      .optional()
      .meta({ description: "Replaces the stored memory for this run." }),
    uploads: z.array(jsonObjectSchema).max(100).optional(),
    humanInput: z
      .object({ type: z.string(), feedback: z.string().optional() })
      .optional()
      .meta({ description: "Answers a run that waits for a human." }),
    leadEmail: z.string().max(320).optional(),
  })
  .meta({ id: "PredictionRequest" });
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
  }),
  previousNodeIds: z.array(z.string()),
  status: z.enum(["FINISHED", "ERROR", "STOPPED", "INPROGRESS"]),
});

export const warningSchema = z.object({ code: z.string(), message: z.string() });

/** Answer of a prediction that is not streamed. */
export const predictionResultSchema = z
  .object({
    text: z.string(),
    json: jsonSchema.optional(),
    question: z.string().optional(),
    form: jsonObjectSchema.optional(),
    chatId: z.string(),
    chatMessageId: z.string(),
    sessionId: z.string(),
    memoryType: z.string(),
    sourceDocuments: z.array(documentSchema),
    usedTools: z.array(usedToolSchema),
    executionId: z.string(),
    agentFlowExecutedData: z.array(executedNodeSchema),
    usage: usageSchema,
    metadata: z.object({ warnings: z.array(warningSchema) }),
  })
  .meta({ id: "PredictionResult" });
export type PredictionResult = z.infer<typeof predictionResultSchema>;
