import { z } from "zod";
import { uuidSchema } from "./field.ts";

const examples = [{ provider: "anthropic", model: "", credential: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" }];

/** The default model. */
export const modelChoiceSchema = z
  .object({
    provider: z.string().min(1, "must not be empty").meta({ description: "A provider listed by GET /models" }),
    model: z.string().default("").meta({ description: "If empty, the provider's default" }),
    credential: z
      .union([uuidSchema, z.literal("")])
      .default("")
      .meta({
        description: "Id of a credential; if empty, the key from the server's configuration",
      }),
  })
  .meta({ id: "ModelChoice", examples });
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

/** The model that answers if a flow names none, and who chose it. */
export const defaultModelSchema = z
  .object({
    provider: z.string(),
    model: z.string(),
    credential: z.string(),
    source: z.enum(["chosen", "configuration"]).meta({
      description: "chosen: set by PUT; configuration: taken from the server's environment",
    }),
  })
  .meta({ id: "DefaultModel", examples: [{ ...examples[0], source: "chosen" }] });
export type DefaultModel = z.infer<typeof defaultModelSchema>;

/** A short conversation that tests whether a model responds. */
export const modelTrialSchema = z
  .object({
    ok: z.boolean(),
    model: z.string().meta({ description: "For example openai/gpt-4o-mini; empty if no model was found" }),
    durationMs: z.number(),
    message: z.string().meta({ description: "The model's answer, or why the call failed" }),
  })
  .meta({ id: "ModelTrial", examples: [{ ok: true, model: "openai/gpt-4o-mini", durationMs: 412, message: "ready" }] });
export type ModelTrial = z.infer<typeof modelTrialSchema>;
