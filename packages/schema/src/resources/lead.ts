import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";

/** A person who left an address in a chat (reference, "Lead"). */
export const leadSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    name: z.string(),
    email: z.string(),
    phone: z.string(),
    chatflowid: z.string().meta({ format: "uuid" }),
    chatId: z.string(),
    createdDate: timestampSchema,
  })
  .meta({
    id: "Lead",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        name: "Ada",
        email: "ada@example.com",
        phone: "+44 20 7946 0000",
        chatflowid: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        chatId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
        createdDate: "2025-01-31T12:00:00.000Z",
      },
    ],
  });
export type Lead = z.infer<typeof leadSchema>;

const lineInputSchema = z
  .string()
  .max(1_000)
  .nullable()
  .transform((value) => value ?? "");

const emailInputSchema = z
  .string()
  .max(320)
  .regex(/^([^\s@]+@[^\s@]+)?$/, "must be an e-mail address")
  .nullable()
  .transform((value) => value ?? "");

/** A lead without a `chatId` gets a new one. */
export const leadCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    chatflowid: uuidSchema,
    name: lineInputSchema.optional(),
    email: emailInputSchema.optional(),
    phone: lineInputSchema.optional(),
    chatId: z.string().max(200).nullish(),
  })
  .meta({
    id: "LeadCreate",
    examples: [
      {
        name: "Ada",
        email: "ada@example.com",
        phone: "+44 20 7946 0000",
        chatflowid: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        chatId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
      },
    ],
  });
export type LeadCreate = z.infer<typeof leadCreateSchema>;
