import { z } from "zod";
import { chatMessageSchema, chatTypeSchema } from "./chat-message.ts";
import { timestampSchema, uuidSchema } from "./field.ts";
import { pageSchema } from "./page.ts";

/** Limits of what people write into a conversation, in characters; of labels, also how many. */
export const conversationLimits = {
  reply: 20_000,
  name: 80,
  note: 5_000,
  label: 40,
  labels: 20,
  reason: 1_000,
} as const;

/** A person who answers a conversation in place of its agent. */
export const takeOverSchema = z
  .object({
    name: z.string().meta({ description: "As the person wants to be called; empty: not given" }),
    since: timestampSchema,
  })
  .meta({ id: "TakeOver", examples: [{ name: "Ada", since: "2026-11-27T09:30:00.000Z" }] });
export type TakeOver = z.infer<typeof takeOverSchema>;

const spokenSchema = z.object({
  role: chatMessageSchema.shape.role,
  content: z.string().meta({ description: "The first 200 characters" }),
  createdDate: timestampSchema,
});

const conversationEventSchema = z.object({
  type: z.enum(["hand-over-asked", "hand-over-declined", "taken-over", "handed-back"]),
  by: z.string().meta({
    description: "Who did it: an account's e-mail address, or the name of an API key; empty: the agent",
  }),
  at: timestampSchema,
});

/** What an agent and someone said to each other under one chat id. */
export const conversationSchema = z
  .object({
    id: z.string().meta({ description: "Of the agent, the chat id and whose chat it is" }),
    agentId: z.string(),
    chatId: z.string(),
    sessionId: z.string(),
    chatType: chatTypeSchema,
    leadEmail: z.string(),
    messageCount: z.number().int(),
    first: spokenSchema,
    last: spokenSchema,
    thumbsUp: z.number().int(),
    thumbsDown: z.number().int(),
    isWaiting: z.boolean().meta({ description: "A run waits for an answer" }),
    hasFailed: z.boolean().meta({ description: "The last run of the conversation failed" }),
    handOver: z
      .object({ reason: z.string(), since: timestampSchema })
      .nullable()
      .meta({ description: "The agent asked for a person, and nobody has taken the conversation over or declined" }),
    takenOver: takeOverSchema.extend({ by: z.string() }).nullable(),
    labels: z.array(z.string()),
    note: z.string(),
    events: z
      .array(conversationEventSchema)
      .meta({ description: "Who asked for a person, took over, handed back or declined, and when; the last 100" }),
  })
  .meta({ id: "Conversation" });
export type Conversation = z.infer<typeof conversationSchema>;

export const conversationListSchema = pageSchema(conversationSchema).extend({
  olderThan: timestampSchema.nullable().meta({
    description:
      "The oldest message that was looked at; with it as `endDate`, the list looks at older ones. Null: all were looked at.",
  }),
});
export type ConversationList = z.infer<typeof conversationListSchema>;

export const conversationStates = ["hand-over", "taken-over", "waiting", "failed"] as const;

/** Trimmed, and without control characters, since names and labels stand in one line. */
const lineSchema = (most: number) =>
  z
    .string()
    .transform((text) => text.replace(/\p{Cc}+/gu, " ").trim())
    .pipe(z.string().max(most));

export const takeOverRequestSchema = z
  .object({
    name: lineSchema(conversationLimits.name)
      .default("")
      .meta({ description: "How the person wants to be called. Whoever sent the messages reads it." }),
  })
  .meta({ id: "TakeOverRequest", examples: [{ name: "Ada" }] });

export const personReplySchema = z
  .object({
    text: z
      .string()
      .max(conversationLimits.reply)
      .refine((text) => text.trim() !== "", "must not be empty"),
  })
  .meta({ id: "PersonReply", examples: [{ text: "I have sent you a new ticket." }] });

export const conversationUpdateSchema = z
  .object({
    labels: z
      .array(lineSchema(conversationLimits.label).pipe(z.string().min(1)))
      .max(conversationLimits.labels)
      .transform((labels) => [...new Set(labels)])
      .optional(),
    note: z.string().max(conversationLimits.note).optional(),
  })
  .meta({ id: "ConversationUpdate", examples: [{ labels: ["refund"], note: "Asked twice." }] });
export type ConversationUpdate = z.infer<typeof conversationUpdateSchema>;

/** What people wrote in a chat, as its sender sees it. */
export const chatRepliesSchema = z
  .object({
    takenOver: takeOverSchema.nullable().meta({ description: "Null: the agent answers" }),
    replies: z.array(
      z.object({
        id: z.string().meta({ format: "uuid" }),
        author: z.string(),
        text: z.string(),
        createdDate: timestampSchema,
      }),
    ),
  })
  .meta({
    id: "ChatReplies",
    examples: [
      {
        takenOver: { name: "Ada", since: "2026-11-27T09:30:00.000Z" },
        replies: [
          {
            id: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f",
            author: "Ada",
            text: "I have sent you a new ticket.",
            createdDate: "2026-11-27T09:31:00.000Z",
          },
        ],
      },
    ],
  });
export type ChatReplies = z.infer<typeof chatRepliesSchema>;

/** Where a client has read up to. */
export const repliesQuerySchema = z.object({
  after: uuidSchema.optional().meta({ description: "Id of a message of the chat: only what came after it" }),
});
