import { z } from "zod";
import { isHttpAddress, normaliseBaseUrl } from "../base-url.ts";
import { parseJson } from "../failure/model-failure.ts";
import type { ChatProviderName } from "../registry.ts";

/** How an agent wants speech turned into text. */
export type SpeechToTextSettings = {
  /** Whose credential fields to read; see `toProviderCredential`. */
  provider: ChatProviderName;
  credentialId?: string | undefined;
  /**
   * Absent: OpenAI, or the server that the operator set in its place. Without a `credentialId` the operator's key is for
   * that address alone, never for one given here.
   */
  baseUrl?: string | undefined;
  model: string;
  language?: string | undefined;
  prompt?: string | undefined;
  temperature?: number | undefined;
};

/**
 * Reads an agent's `speechToText`: JSON text with an object for each service, of which one has `status: true`. Undefined
 * when none of those that can be used here is switched on, or its address is none.
 */
export function parseSpeechToText(text: string): SpeechToTextSettings | undefined {
  const { data } = settingsSchema.safeParse(parseJson(text));
  const service = services.find(({ name }) => data?.[name]?.status === true);
  if (data === undefined || service === undefined) return undefined;
  const { status: _, baseUrl = "", model = service.model, ...settings } = data[service.name] ?? {};
  const { provider } = service;
  if (service.name !== "localAISTT") return { ...settings, provider, model, baseUrl: service.baseUrl };
  const address = normaliseBaseUrl(baseUrl);
  return isHttpAddress(address) ? { ...settings, provider, model, baseUrl: address } : undefined;
}

const services = [
  { name: "openAIWhisper", provider: "openai", model: "whisper-1", baseUrl: undefined },
  {
    name: "groqWhisper",
    provider: "openai-compatible",
    model: "whisper-large-v3",
    baseUrl: "https://api.groq.com/openai/v1",
  },
  { name: "localAISTT", provider: "openai-compatible", model: "whisper-1" },
] as const;

/** Forms send the empty text for what is not set, and numbers as text. */
const optionalText = z
  .string()
  .transform((text) => text.trim() || undefined)
  .optional()
  .catch(undefined);
const serviceSchema = z
  .object({
    status: z.boolean(),
    credentialId: optionalText,
    baseUrl: optionalText,
    model: optionalText,
    language: optionalText,
    prompt: optionalText,
    temperature: z.number().or(optionalText).transform(toTemperature),
  })
  .optional()
  .catch(undefined);

function toTemperature(given: string | number | undefined): number | undefined {
  const value = Number(given);
  return value >= 0 && value <= 1 ? value : undefined;
}

const settingsSchema = z.object({
  openAIWhisper: serviceSchema,
  groqWhisper: serviceSchema,
  localAISTT: serviceSchema,
});
