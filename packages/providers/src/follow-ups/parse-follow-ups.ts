import type { ModelReference } from "@weft/engine/ports/chat-model";
import { parseJson } from "@weft/schema";
import { z } from "zod";
import { providerOfComponent } from "../model-components.ts";

/** An agent's settings for suggested follow-up messages. */
export type FollowUpSettings = {
  /** Prompt for the model. `{history}` in it is replaced by the question and its answer. Empty: ours. */
  prompt: string;
  temperature?: number | undefined;
  /** Absent: the model that answered. */
  model?: ModelReference;
};

/**
 * Reads `followUpPrompts` of an agent's `chatbotConfig`: `{ "status": true }`, with `prompt` and `model` if they differ
 * from ours and the agent's own. Existing clients keep both under the name of the model component in
 * `selectedProvider`. Undefined if off; an unsupported component counts as none.
 */
export function parseFollowUps(chatbotConfig: string): FollowUpSettings | undefined {
  // Fast path: most agents have none, and every answer checks.
  if (!chatbotConfig.includes('"followUpPrompts"')) return undefined;
  const { data } = settingsSchema.safeParse(parseJson(chatbotConfig));
  const settings = data?.followUpPrompts;
  if (settings?.status !== true) return undefined;
  const { prompt, model, temperature, selectedProvider } = settings;
  const component = componentSchema.parse(settings[selectedProvider]);
  // The component's own address is not used: a credential belongs to its vendor.
  const provider = providerOfComponent(selectedProvider);
  const { modelName, credentialId: credential } = component;
  const chosen = model ?? (provider === undefined ? undefined : { provider, model: modelName, credential });
  return {
    prompt: prompt || component.prompt,
    temperature: temperature ?? component.temperature,
    ...(chosen && { model: chosen }),
  };
}

const text = z.string().trim().max(20_000).catch("");
const optionalText = text.transform((value) => value || undefined);
/** Forms send numbers as text. */
const temperature = z
  .union([z.number(), z.string().trim().min(1).transform(Number)])
  .pipe(z.number().min(0).max(2))
  .optional()
  .catch(undefined);

const componentSchema = z
  .object({ credentialId: optionalText, modelName: optionalText, prompt: text, temperature })
  .catch({ credentialId: undefined, modelName: undefined, prompt: "", temperature: undefined });

const settingsSchema = z.object({
  followUpPrompts: z.looseObject({
    status: z.boolean(),
    prompt: text,
    temperature,
    model: z
      .object({ provider: optionalText, model: optionalText, credential: optionalText })
      .optional()
      .catch(undefined),
    selectedProvider: text,
  }),
});
