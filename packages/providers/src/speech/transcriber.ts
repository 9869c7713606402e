import type { SpeechRecording, SpeechToText } from "@weft/engine/ports/speech-to-text";
import { parseJson, WeftError } from "@weft/schema";
import { callVendor } from "../call-vendor.ts";
import { type Provider, readProviderCredential } from "../define-provider.ts";
import { invalidAnswer, unreadable } from "../failure/model-failure.ts";
import { accountOf, type ModelDefaults } from "../model-resolver.ts";
import { isGiven, missingKeyReason } from "../provider-credential.ts";
import { providers } from "../registry.ts";
import { parseSpeechToText } from "./parse-speech-to-text.ts";

/**
 * Transcribes a recording by an agent's `speechToText`. Undefined if that names no service. Rejects with a `model-*`
 * code if the service fails.
 */
type Transcribe = (speechToText: string, recording: SpeechRecording) => Promise<string | undefined>;

export function createTranscriber(
  defaults: ModelDefaults,
  readCredential: (id: string) => Promise<Record<string, string> | undefined>,
  fetch: typeof globalThis.fetch,
): Transcribe {
  return async (speechToText, recording) => {
    const settings = parseSpeechToText(speechToText);
    if (settings === undefined) return undefined;
    const { provider: name, credentialId, baseUrl, ...rest } = settings;
    const provider = providers.find((each) => each.name === name);
    if (provider === undefined) return undefined;
    const stored = credentialId === undefined ? undefined : await readCredential(credentialId);
    const credential = readProviderCredential(provider, stored ?? {});
    const operator = accountOf(provider.account, defaults);
    const address = baseUrl ?? credential.baseUrl ?? operator?.baseUrl;
    // The operator's key is only for the operator's address.
    const isOperators = credentialId === undefined && baseUrl === undefined;
    const apiKey = isOperators ? operator?.apiKey : credential.apiKey;
    const reason = missingKeyReason({
      provider,
      apiKey,
      baseUrl: address,
      stored,
      isOwnAddress: baseUrl !== undefined,
    });
    if (reason !== undefined) throw new WeftError("model-not-configured", { params: { model: rest.model, reason } });
    const options = { ...rest, apiKey: apiKey || undefined, baseUrl: address || undefined, fetch };
    return createSpeechToText(options).transcribe(recording);
  };
}

/**
 * Whether a provider's speech service requires a credential: it needs a key, and the operator has none for its address.
 */
export function needsSpeechCredential(provider: Provider, defaults: ModelDefaults): boolean {
  const { speech, needs } = provider;
  if (speech?.takesAddress) return false;
  const operator = accountOf(provider.account, defaults);
  return speech?.baseUrl !== undefined || (needs.includes("apiKey") && !isGiven(operator?.apiKey));
}

export type SpeechToTextOptions = {
  /** Absent for a server without keys. */
  apiKey?: string | undefined;
  /** Without a trailing slash. Default OpenAI's. */
  baseUrl?: string | undefined;
  /** As in `whisper-1` or `gpt-4o-transcribe`. */
  model: string;
  /** ISO 639-1, as in `en`. Absent: the vendor detects it. */
  language?: string | undefined;
  /** Likely words, as a hint for their spelling. */
  prompt?: string | undefined;
  /** From 0 to 1. */
  temperature?: number | undefined;
  fetch: typeof globalThis.fetch;
};

const openAiBaseUrl = "https://api.openai.com/v1";

/** Speech-to-text by OpenAI's transcriptions API, or a compatible server. */
export function createSpeechToText(options: SpeechToTextOptions): SpeechToText {
  const { apiKey, baseUrl = openAiBaseUrl, model, fetch } = options;
  const context = { id: model, secrets: apiKey === undefined ? [] : [apiKey] };
  const headers: Record<string, string> = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  return {
    async transcribe(recording) {
      const { signal } = recording;
      const request = { url: `${baseUrl}/audio/transcriptions`, headers, body: toForm(options, recording), signal };
      return callVendor({ ...request, fetch }, context, readText);
    },
  };
}

function toForm(options: SpeechToTextOptions, { bytes, mediaType, fileName }: SpeechRecording): FormData {
  const form = new FormData();
  form.set("file", new File([new Uint8Array(bytes)], fileName, { type: mediaType }));
  form.set("model", options.model);
  form.set("response_format", "json");
  for (const name of ["language", "prompt", "temperature"] as const) {
    const value = options[name];
    if (value !== undefined) form.set(name, String(value));
  }
  return form;
}

async function readText(response: Response): Promise<string> {
  const body = await response.text();
  const answer = parseJson(body);
  if (answer === undefined) throw unreadable(body);
  const text = typeof answer === "object" && answer !== null && "text" in answer ? answer.text : undefined;
  if (typeof text !== "string") throw invalidAnswer("it is not what the API promises");
  return text;
}
