import { z } from "zod";
import { uuidSchema } from "./field.ts";

const examples = [{ provider: "anthropic", model: "", credential: "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f" }];

/** A model for everything that names none. */
export const modelChoiceSchema = z
  .object({
    provider: z.string().min(1, "must not be empty").meta({ description: "A provider of GET /models" }),
    model: z.string().default("").meta({ description: "Empty: the provider's own default" }),
    credential: z
      .union([uuidSchema, z.literal("")])
      .default("")
      .meta({
        description: "Id of a credential; empty: the key of the server's configuration",
      }),
  })
  .meta({ id: "ModelChoice", examples });
export type ModelChoice = z.infer<typeof modelChoiceSchema>;

/** What answers where a flow names no model, and who decided that. */
export const defaultModelSchema = z
  .object({
    provider: z.string(),
    model: z.string(),
    credential: z.string(),
    source: z.enum(["chosen", "configuration"]).meta({
      description: "chosen: set by PUT; configuration: what the server's environment names",
    }),
  })
  .meta({ id: "DefaultModel", examples: [{ ...examples[0], source: "chosen" }] });
export type DefaultModel = z.infer<typeof defaultModelSchema>;

/** A short conversation with a model, to find out whether it answers. */
export const modelTrialSchema = z
  .object({
    ok: z.boolean(),
    model: z.string().meta({ description: "As in openai/gpt-4o-mini; empty when none was found" }),
    durationMs: z.number(),
    message: z.string().meta({ description: "What the model answered, or why it did not" }),
  })
  .meta({ id: "ModelTrial", examples: [{ ok: true, model: "openai/gpt-4o-mini", durationMs: 412, message: "ready" }] });
export type ModelTrial = z.infer<typeof modelTrialSchema>;
