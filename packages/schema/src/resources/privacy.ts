import { z } from "zod";
import { chatMessageSchema } from "./chat-message.ts";
import { conversationSchema } from "./conversation.ts";
import { executionSchema } from "./execution.ts";
import { feedbackSchema } from "./feedback.ts";
import { leadSchema } from "./lead.ts";

const names = ["chatId", "sessionId", "clientId", "email"] as const;
const nameSchema = z.string().trim().min(1).max(500);

/** The person whose data is meant: exactly one of these. */
export const personSchema = z
  .strictObject({
    chatId: nameSchema.optional().meta({ description: "A chat, with all agents that took part in it" }),
    sessionId: nameSchema.optional().meta({ description: "All chats of a session" }),
    clientId: nameSchema.optional().meta({ description: "All chats of the API keys with this clientId" }),
    email: nameSchema
      .max(320)
      .optional()
      .meta({ description: "All chats in which this address was left, in upper or lower case" }),
  })
  .refine((person) => names.filter((name) => person[name] !== undefined).length === 1, {
    message: `Send exactly one of ${names.join(", ")}.`,
  })
  .meta({ id: "Person", examples: [{ email: "ada@example.com" }] });
export type Person = z.infer<typeof personSchema>;

const countSchema = z.number().int().nonnegative();

/** Number of erased items, by kind. */
export const erasedSchema = z
  .object({
    chats: countSchema,
    messages: countSchema,
    executions: countSchema.meta({ description: "Runs with their journals, prompts and budgets" }),
    files: countSchema,
    feedback: countSchema,
    leads: countSchema,
    documents: countSchema.meta({ description: "Loaders of document stores that a chat brought, with their passages" }),
    vectors: countSchema,
    upserts: countSchema.meta({ description: "Entries of the upsert history" }),
    callbacks: countSchema.meta({ description: "Callbacks and their deliveries, sent or not" }),
    answers: countSchema.meta({ description: "Answers kept for repeated requests" }),
  })
  .meta({
    id: "Erased",
    examples: [
      {
        chats: 1,
        messages: 4,
        executions: 2,
        files: 1,
        feedback: 1,
        leads: 1,
        documents: 1,
        vectors: 3,
        upserts: 2,
        callbacks: 0,
        answers: 1,
      },
    ],
  });
export type Erased = z.infer<typeof erasedSchema>;

const chatSchema = z.object({
  agentId: z.string(),
  chatId: z.string(),
  ...conversationSchema.pick({ labels: true, note: true, events: true }).partial().shape,
});
const fileSchema = z.object({
  id: z.string(),
  chatflowid: z.string(),
  chatId: z.string(),
  name: z.string(),
  mime: z.string(),
  createdDate: z.string(),
  data: z.string().meta({ description: "The bytes, in base64" }),
});
const documentSchema = z.looseObject({ passages: z.array(z.string()) });

/** The parts of an export, each with the schema of its items. */
export const personalParts = {
  chats: chatSchema,
  messages: chatMessageSchema,
  feedback: feedbackSchema,
  leads: leadSchema,
  files: fileSchema,
  documents: documentSchema,
  executions: executionSchema,
} as const;

/** All stored data about a person. */
export const personalDataSchema = z
  .object({
    chats: z.array(personalParts.chats),
    messages: z.array(personalParts.messages),
    feedback: z.array(personalParts.feedback),
    leads: z.array(personalParts.leads),
    files: z.array(personalParts.files),
    documents: z.array(personalParts.documents),
    executions: z.array(personalParts.executions),
  })
  .meta({ id: "PersonalData" });
