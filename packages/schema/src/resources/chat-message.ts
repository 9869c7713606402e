import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "../json.ts";
import { timestampSchema } from "./field.ts";

/** A retrieved passage (reference, "Document"). */
export const documentSchema = z
  .object({ pageContent: z.string(), metadata: jsonObjectSchema })
  .meta({ id: "Document" });
export type Document = z.infer<typeof documentSchema>;

/** One tool call and its result (reference, "UsedTool"). */
export const usedToolSchema = z
  .object({ tool: z.string(), toolInput: jsonSchema, toolOutput: z.string(), error: z.string().optional() })
  .meta({ id: "UsedTool" });
export type UsedTool = z.infer<typeof usedToolSchema>;

/** What one agent of a multi-agent answer did (reference, "AgentReasoning"). */
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
  .meta({ id: "AgentReasoning" });
export type AgentReasoning = z.infer<typeof agentReasoningSchema>;

export const fileAnnotationSchema = z.object({ filePath: z.string(), fileName: z.string() });
export type FileAnnotation = z.infer<typeof fileAnnotationSchema>;

/** A file that came with a message. `data` is a data URL, or `""` when the file was stored by name. */
export const fileUploadSchema = z.object({
  data: z.string(),
  type: z.string(),
  name: z.string(),
  mime: z.string(),
});
export type FileUpload = z.infer<typeof fileUploadSchema>;

/** What a waiting run asks a human. */
export const messageActionSchema = z
  .object({
    id: z.string(),
    mapping: z.object({ approve: z.string(), reject: z.string(), toolCalls: z.array(jsonSchema) }),
    elements: z.array(jsonSchema),
  })
  .meta({ id: "MessageAction" });
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
    executionId: z.string().meta({ description: "Run that wrote the message; empty when none did" }),
  })
  .meta({ id: "ChatMessage" });
export type ChatMessage = z.infer<typeof chatMessageSchema>;
