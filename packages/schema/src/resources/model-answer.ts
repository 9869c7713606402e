import { z } from "zod";
import { modelParametersSchema, modelReferenceFields } from "../model-parameters.ts";
import { usageSchema } from "../run-event.ts";

const messageSchema = z.object({
  role: z.enum(["system", "user", "assistant"]),
  content: z.string().max(200_000),
});

/** Messages to a model, outside of a run. */
export const modelQuestionSchema = z
  .object({
    messages: z.array(messageSchema).min(1, "must hold at least one message").max(100),
    model: z
      .object(modelReferenceFields)
      .default({})
      .meta({ description: "As a step names it. Empty: the default model" }),
    parameters: modelParametersSchema.default({}),
  })
  .meta({ id: "ModelQuestion", examples: [{ messages: [{ role: "user", content: "What is a quorum?" }] }] });
export type ModelQuestion = z.infer<typeof modelQuestionSchema>;

export const modelAnswerSchema = z
  .object({
    text: z.string(),
    model: z.string().meta({ description: "For example openai/gpt-4o-mini" }),
    finishReason: z.string(),
    usage: usageSchema,
    costDollars: z.number().nullable().meta({ description: "null: the model has no price" }),
    firstTokenMs: z.number().nullable(),
    durationMs: z.number(),
  })
  .meta({ id: "ModelAnswer" });
export type ModelAnswer = z.infer<typeof modelAnswerSchema>;
