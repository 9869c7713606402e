import type { SpeechRecording } from "@weft/engine";
import {
  chatProviders,
  createSpeechToText,
  type ModelDefaults,
  missingKeyReason,
  parseSpeechToText,
  toProviderCredential,
} from "@weft/providers";
import { WeftError } from "@weft/schema";

export type TranscriberDeps = {
  defaults: ModelDefaults;
  readCredential(id: string): Promise<Record<string, string> | undefined>;
  /** The egress client's `fetch`. */
  fetch: typeof globalThis.fetch;
};

/**
 * Turns a recording into text as an agent's `speechToText` says. Undefined when that names no service. Rejects with a
 * `model-*` code when the service fails.
 */
export type Transcribe = (speechToText: string, recording: SpeechRecording) => Promise<string | undefined>;

export function createTranscriber({ defaults, readCredential, fetch }: TranscriberDeps): Transcribe {
  return async (speechToText, recording) => {
    const settings = parseSpeechToText(speechToText);
    if (settings === undefined) return undefined;
    const { provider, credentialId, baseUrl, ...rest } = settings;
    const stored = credentialId === undefined ? undefined : await readCredential(credentialId);
    const credential = toProviderCredential(chatProviders[provider], stored ?? {});
    const address = baseUrl ?? credential.baseUrl ?? defaults.openai?.baseUrl;
    // The operator's key is for the operator's address alone.
    const isOperators = credentialId === undefined && baseUrl === undefined;
    const apiKey = isOperators ? defaults.openai?.apiKey : credential.apiKey;
    const reason = missingKeyReason({
      provider: chatProviders[provider],
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
