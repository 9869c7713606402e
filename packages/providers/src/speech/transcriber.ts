import type { SpeechRecording, SpeechToText } from "@weft/engine";
import { callVendor } from "../call-vendor.ts";
import { invalidAnswer, parseJson, unreadable } from "../failure/model-failure.ts";

export type SpeechToTextOptions = {
  /** Absent for a server without one. */
  apiKey?: string | undefined;
  /** Without a trailing slash. Default OpenAI's. */
  baseUrl?: string | undefined;
  /** As in `whisper-1` or `gpt-4o-transcribe`. */
  model: string;
  /** ISO 639-1, as in `en`. Absent: the vendor finds it out. */
  language?: string | undefined;
  /** Words that are likely to come, for their spelling. */
  prompt?: string | undefined;
  /** From 0 to 1. */
  temperature?: number | undefined;
  /** The egress client's `fetch`. */
  fetch: typeof globalThis.fetch;
};

const openAiBaseUrl = "https://api.openai.com/v1";

/** Speech-to-text by OpenAI's transcriptions, or a server with the same API. */
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
