import { z } from "zod";
import { timestampSchema, uuidSchema } from "./field.ts";

export const ratingSchema = z.enum(["THUMBS_UP", "THUMBS_DOWN"]);
export type Rating = z.infer<typeof ratingSchema>;

/** A rating of a message (reference, "Feedback"). A message has one at most. */
export const feedbackSchema = z
  .object({
    id: z.string().meta({ format: "uuid" }),
    chatflowid: z.string().meta({ format: "uuid" }),
    chatId: z.string(),
    messageId: z.string().meta({ format: "uuid" }),
    rating: ratingSchema,
    content: z.string(),
    createdDate: timestampSchema,
  })
  .meta({
    id: "Feedback",
    examples: [
      {
        id: "7c1e5a9d-3b2f-4e6a-9d8c-0f1e2d3c4b5a",
        chatflowid: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        chatId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
        messageId: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f",
        rating: "THUMBS_UP",
        content: "Exactly what I needed",
        createdDate: "2025-01-31T12:00:00.000Z",
      },
    ],
  });
export type Feedback = z.infer<typeof feedbackSchema>;

const contentInputSchema = z
  .string()
  .max(20_000)
  .nullable()
  .transform((value) => value ?? "");

/** The agent and the chat are the message's; if named, they must match. */
export const feedbackCreateSchema = z
  .object({
    id: uuidSchema.optional(),
    messageId: uuidSchema,
    rating: ratingSchema,
    content: contentInputSchema.optional(),
    chatflowid: uuidSchema.optional(),
    chatId: z.string().optional(),
  })
  .meta({
    id: "FeedbackCreate",
    examples: [
      { messageId: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f", rating: "THUMBS_UP", content: "Exactly what I needed" },
    ],
  });
export type FeedbackCreate = z.infer<typeof feedbackCreateSchema>;

export const feedbackFieldsSchema = z
  .object({
    ...feedbackCreateSchema.partial().shape,
    createdDate: z.unknown().optional().meta({ description: "Accepted and ignored." }),
  })
  .meta({
    id: "FeedbackFields",
    examples: [
      {
        chatflowid: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f",
        chatId: "b2d1c7f0-52c4-4a8e-8f1d-6a0f0c9d2e31",
        messageId: "0d9f6c3a-7b1e-4f55-9f3c-1c2b3a4d5e6f",
        rating: "THUMBS_UP",
        content: "Exactly what I needed",
      },
    ],
  });
export type FeedbackFields = z.infer<typeof feedbackFieldsSchema>;

/** Absent fields stay unchanged. */
export const feedbackUpdateSchema = z
  .object({ rating: ratingSchema.optional(), content: contentInputSchema.optional() })
  .meta({ id: "FeedbackUpdate", examples: [{ rating: "THUMBS_DOWN", content: "It was wrong after all" }] });
export type FeedbackUpdate = z.infer<typeof feedbackUpdateSchema>;
