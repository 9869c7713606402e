import { isHttpAddress, normaliseBaseUrl } from "@weft/engine/http";
import { parseJson } from "@weft/schema";
import { z } from "zod";
import { openAiCompatible } from "../openai-compatible/openai-compatible.ts";
import { providers } from "../registry.ts";

/** An agent's speech-to-text settings. */
export type SpeechToTextSettings = {
  /** Provider of the credential's fields; see `readProviderCredential`. */
  provider: string;
  credentialId?: string | undefined;
  /**
   * Absent: OpenAI, or the server that the operator set instead. Without a `credentialId` the operator's key is sent
   * only to that address, never to one given here.
   */
  baseUrl?: string | undefined;
  model: string;
  language?: string | undefined;
  prompt?: string | undefined;
  temperature?: number | undefined;
};

/**
 * Reads an agent's `speechToText`: JSON text with an object per service, one of them with `status: true`. Undefined if
 * no supported service is on, or its address is invalid.
 */
export function parseSpeechToText(text: string): SpeechToTextSettings | undefined {
  const { data } = settingsSchema.safeParse(parseJson(text));
  const found = services.find(({ speech }) => data?.[speech.name]?.status === true);
  if (data === undefined || found === undefined) return undefined;
  const { speech } = found;
  // A vendor's service at its own address is called as a compatible server, and accepts that provider's keys.
  const provider = speech.baseUrl === undefined ? found.name : openAiCompatible.name;
  const { status: _, baseUrl = "", model = speech.model, ...settings } = data[speech.name] ?? {};
  if (!speech.takesAddress) return { ...settings, provider, model, baseUrl: speech.baseUrl };
  const address = normaliseBaseUrl(baseUrl);
  return isHttpAddress(address) ? { ...settings, provider, model, baseUrl: address } : undefined;
}

const services = providers.flatMap(({ name, speech }) => (speech === undefined ? [] : [{ name, speech }]));

/** Forms send the empty text for unset fields, and numbers as text. */
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

const settingsSchema = z.object(Object.fromEntries(services.map(({ speech }) => [speech.name, serviceSchema])));
