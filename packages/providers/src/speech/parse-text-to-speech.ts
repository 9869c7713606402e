import { parseJson, type VoiceServiceName } from "@weft/schema";
import { z } from "zod";
import type { Provider, VoiceService } from "../define-provider.ts";
import { providers } from "../registry.ts";

/** An agent's text-to-speech settings. */
export type TextToSpeechSettings = {
  provider: Provider;
  service: VoiceService;
  /** Absent: the operator's key. */
  credentialId: string | undefined;
  voice: string;
  model: string;
  /** Whether every answer is read aloud, rather than only on request. */
  autoPlay: boolean;
};

/**
 * Reads `textToSpeech` of an agent's `chatbotConfig`: an object per service, one of them with `status: true`. Undefined
 * if no supported service is on.
 */
export function parseTextToSpeech(chatbotConfig: string): TextToSpeechSettings | undefined {
  if (!chatbotConfig.includes('"textToSpeech"')) return undefined;
  const { data } = settingsSchema.safeParse(parseJson(chatbotConfig));
  for (const { provider, service } of voices) {
    const chosen = serviceSchema.safeParse(data?.textToSpeech[service.name]).data;
    if (chosen === undefined) continue;
    const { credentialId, voice = service.voice, model = service.model, autoPlay } = chosen;
    return { provider, service, credentialId, voice, model, autoPlay };
  }
  return undefined;
}

/** A service with its provider. Throws for an unknown one. */
export function voiceOf(name: VoiceServiceName): Pick<TextToSpeechSettings, "provider" | "service"> {
  const found = voices.find(({ service }) => service.name === name);
  if (found === undefined) throw new Error(`No provider has the service ${name}.`);
  return found;
}

const voices = providers.flatMap((provider) => (provider.voice ? [{ provider, service: provider.voice }] : []));

/** Forms send the empty text for unset fields. */
const optionalText = z
  .string()
  .max(200)
  .transform((text) => text.trim() || undefined)
  .optional()
  .catch(undefined);

const serviceSchema = z.object({
  status: z.literal(true),
  credentialId: optionalText,
  voice: optionalText,
  model: optionalText,
  autoPlay: z.boolean().catch(false),
});

const settingsSchema = z.object({ textToSpeech: z.record(z.string(), z.unknown()) });
