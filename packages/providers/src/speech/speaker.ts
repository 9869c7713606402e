import { parseJson, type VoiceServiceName, WeftError } from "@weft/schema";
import { callVendor } from "../call-vendor.ts";
import { readProviderCredential, type Voice } from "../define-provider.ts";
import { invalidAnswer } from "../failure/model-failure.ts";
import { accountOf, type ModelDefaults } from "../model-resolver.ts";
import { missingKeyReason } from "../provider-credential.ts";
import { parseTextToSpeech, type TextToSpeechSettings, voiceOf } from "./parse-text-to-speech.ts";

/**
 * Text to read aloud. `onAudio` receives the chunks of an MP3 as they arrive, each once it is done with the previous
 * one.
 */
export type Reading = { text: string; signal: AbortSignal; onAudio(piece: Uint8Array): void | Promise<void> };

/**
 * Reads a text aloud by `textToSpeech` of an agent's `chatbotConfig`. Resolves with false if that names no service.
 * Rejects with a `model-*` code if the service fails, or with the signal's reason.
 */
export type Speak = (chatbotConfig: string, reading: Reading) => Promise<boolean>;

/** Whose voices to list. `credentialId` absent: the operator's account. */
export type VoicesOf = { service: VoiceServiceName; credentialId?: string | undefined; signal: AbortSignal };

export type Speaker = {
  speak: Speak;
  /** At most 1,000 voices of a service. Rejects with a `model-*` code as `speak` does. */
  findVoices(asked: VoicesOf): Promise<readonly Voice[]>;
};

const mostVoices = 1_000;

export function createSpeaker(
  defaults: ModelDefaults,
  readCredential: (id: string) => Promise<Record<string, string> | undefined>,
  fetch: typeof globalThis.fetch,
): Speaker {
  async function findAccount({ provider, service, credentialId, model }: Account) {
    const stored = credentialId === undefined ? undefined : await readCredential(credentialId);
    const credential = readProviderCredential(provider, stored ?? {});
    const operator = accountOf(provider.account, defaults);
    const address = credential.baseUrl ?? operator?.baseUrl;
    // The operator's key is only for the operator's address.
    const apiKey = (credentialId === undefined ? operator?.apiKey : credential.apiKey) || undefined;
    const reason =
      credentialId !== undefined && stored === undefined
        ? "its credential no longer exists. Choose another one in the agent's settings."
        : missingKeyReason({ provider, apiKey, baseUrl: address, stored, isOwnAddress: false });
    if (reason !== undefined) throw new WeftError("model-not-configured", { params: { model, reason } });
    return { apiKey, baseUrl: address || service.baseUrl };
  }

  const speak: Speak = async (chatbotConfig, { text, signal, onAudio }) => {
    const settings = parseTextToSpeech(chatbotConfig);
    if (settings === undefined) return false;
    const { service, provider, voice, model } = settings;
    const { apiKey, baseUrl } = await findAccount(settings);
    const context = { id: `${provider.name}/${model}`, secrets: apiKey === undefined ? [] : [apiKey] };
    for (const part of splitText(text, service.longestText)) {
      const { url, headers, body } = service.toRequest({ baseUrl, apiKey, model, voice, text: part });
      const request = { url, headers: { ...headers, "content-type": "application/json" }, signal, fetch };
      await callVendor({ ...request, body: JSON.stringify(body) }, context, (answer) => readAudio(answer, onAudio));
    }
    return true;
  };

  async function findVoices({ service: name, credentialId, signal }: VoicesOf): Promise<readonly Voice[]> {
    const { provider, service } = voiceOf(name);
    const { voices, model } = service;
    if (!("toRequest" in voices)) return voices;
    const account = await findAccount({ provider, service, credentialId, model });
    const { apiKey } = account;
    const context = { id: `${provider.name}/${model}`, secrets: apiKey === undefined ? [] : [apiKey] };
    const request = { ...voices.toRequest(account), signal, fetch };
    const answer = await callVendor(request, context, async (response) => parseJson(await response.text()));
    const found = voices.read(answer);
    if (found === undefined) throw invalidAnswer("it is not what the API promises");
    return found.slice(0, mostVoices);
  }

  return { speak, findVoices };
}

type Account = Pick<TextToSpeechSettings, "provider" | "service" | "credentialId" | "model">;

async function readAudio(answer: Response, onAudio: Reading["onAudio"]): Promise<void> {
  const type = answer.headers.get("content-type") ?? "";
  if (answer.body === null || !/^(audio\/|application\/octet-stream)/.test(type)) {
    throw invalidAnswer("it is not audio");
  }
  for await (const piece of answer.body) await onAudio(piece);
}

/** Splits a text into pieces up to this length, after a sentence, else a word, if possible. */
export function splitText(text: string, longest: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest.length > longest) {
    const head = rest.slice(0, longest);
    const sentence = Math.max(...[". ", "! ", "? ", "\n", "。"].map((end) => head.lastIndexOf(end)));
    const at = sentence > 0 ? sentence : head.lastIndexOf(" ");
    const length = at > 0 ? at + 1 : longest;
    parts.push(rest.slice(0, length).trim());
    rest = rest.slice(length).trim();
  }
  return rest === "" ? parts : [...parts, rest];
}
