import { z } from "zod";
import { isJsonObject, type Json, type JsonObject, jsonObjectSchema, jsonSchema } from "../json.ts";
import { feedbackSchema } from "./feedback.ts";
import { timestampSchema } from "./field.ts";

/** A retrieved passage (reference, "Document"). */
export const documentSchema = z.object({ pageContent: z.string(), metadata: jsonObjectSchema }).meta({
  id: "Document",
  examples: [{ pageContent: "Doors open at six.", metadata: { source: "events.pdf", page: 2 } }],
});
export type Document = z.infer<typeof documentSchema>;

/** One tool call and its result (reference, "UsedTool"). */
export const usedToolSchema = z
  .object({ tool: z.string(), toolInput: jsonObjectSchema, toolOutput: z.string(), error: z.string().optional() })
  .meta({
    id: "UsedTool",
    examples: [{ tool: "get_weather", toolInput: { city: "London" }, toolOutput: "It is sunny in London." }],
  });
export type UsedTool = z.infer<typeof usedToolSchema>;

/** A tool's input as an object: any other value is put under `arguments`. */
export function asToolInput(value: Json): JsonObject {
  return isJsonObject(value) ? value : { arguments: value };
}

/** One agent's part in a multi-agent answer (reference, "AgentReasoning"). */
export const agentReasoningSchema = z
  .object({
    agentName: z.string(),
    messages: z.array(z.string()),
    nodeName: z.string(),
    nodeId: z.string(),
    usedTools: z.array(usedToolSchema),
    sourceDocuments: z.array(documentSchema),
    state: jsonObjectSchema,
  })
  .meta({
    id: "AgentReasoning",
    examples: [
      {
        agentName: "Researcher",
        messages: ["It is sunny in London."],
        nodeName: "agent",
        nodeId: "agent_0",
        usedTools: [{ tool: "get_weather", toolInput: { city: "London" }, toolOutput: "It is sunny in London." }],
        sourceDocuments: [],
        state: {},
      },
    ],
  });
export type AgentReasoning = z.infer<typeof agentReasoningSchema>;

export const fileAnnotationSchema = z.object({ filePath: z.string(), fileName: z.string() });
export type FileAnnotation = z.infer<typeof fileAnnotationSchema>;

/** A file sent with a message. `data` is a data URL, or `""` if the file was stored by name. */
export const fileUploadSchema = z.object({
  data: z.string(),
  type: z.string(),
  name: z.string(),
  mime: z.string(),
  size: z.number().int().optional().meta({ description: "Bytes; absent if unknown" }),
  url: z.string().optional().meta({ description: "URL of the stored file; absent if only its text was sent" }),
});
export type FileUpload = z.infer<typeof fileUploadSchema>;

/** A waiting run's question to a human. */
export const messageActionSchema = z
  .object({
    id: z.string(),
    mapping: z.object({ approve: z.string(), reject: z.string(), toolCalls: z.array(jsonSchema) }),
    elements: z.array(jsonSchema),
    /** The asking step, and whether the answer may include text. */
    data: jsonObjectSchema.optional(),
  })
  .meta({
    id: "MessageAction",
    examples: [
      {
        id: "5a0e7c1b-2f4d-4c6a-8b9e-7d6f5a4b3c2d",
        mapping: { approve: "Proceed", reject: "Reject", toolCalls: [] },
        elements: [
          { type: "agentflowv2-approve-button", label: "Proceed" },
          { type: "agentflowv2-reject-button", label: "Reject" },
        ],
        data: { nodeId: "ask_0", nodeLabel: "Ask", input: { humanInputEnableFeedback: true } },
      },
    ],
  });
export type MessageAction = z.infer<typeof messageActionSchema>;

export const chatTypeSchema = z.enum(["INTERNAL", "EXTERNAL"]);
export type ChatType = z.infer<typeof chatTypeSchema>;

/** A stored message (reference, "Chat message"). */
export const chatMessageSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    role: z.enum(["apiMessage", "userMessage"]),
    chatflowid: z.string().meta({ format: "uuid" }),
    content: z.string(),
    sourceDocuments: z.array(documentSchema),
    usedTools: z.array(usedToolSchema),
    fileAnnotations: z.array(fileAnnotationSchema),
    agentReasoning: z.array(agentReasoningSchema),
    fileUploads: z.array(fileUploadSchema),
    action: z.array(messageActionSchema),
    chatType: chatTypeSchema,
    chatId: z.string(),
    memoryType: z.string(),
    sessionId: z.string(),
    createdDate: timestampSchema,
    leadEmail: z.string(),
    executionId: z.string().meta({ description: "Run that wrote the message; empty if there was none" }),
    author: z.string().optional().meta({
      description: "The person who wrote the answer in place of the agent; empty if no name was given",
    }),
    /** Only on request. */
    feedback: feedbackSchema.optional(),
  })
  .meta({ id: "ChatMessage" });
export type ChatMessage = z.infer<typeof chatMessageSchema>;

/** An agent's numbers of messages, sessions and ratings. */
export const chatStatsSchema = z
  .object({
    totalMessages: z.number().int(),
    totalSessions: z.number().int(),
    totalFeedback: z.number().int(),
    positiveFeedback: z.number().int(),
  })
  .meta({ id: "ChatStats" });
export type ChatStats = z.infer<typeof chatStatsSchema>;
