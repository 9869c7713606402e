import type { ChatModel } from "@weft/engine";
import { type ChatProviderName, chatProviders } from "../registry.ts";
import { anthropicFormat } from "./anthropic-format.ts";
import { googleFormat } from "./google-format.ts";
import { ollamaFormat } from "./ollama-format.ts";
import { openAiFormat } from "./openai-format.ts";
import {
  type ReadRequest,
  readAnthropicRequest,
  readGoogleRequest,
  readOllamaRequest,
  readOpenAiRequest,
} from "./read-request.ts";
import type { RecordedRequest, ScriptStep } from "./script-step.ts";
import { createScriptedServer } from "./scripted-server.ts";
import type { WireFormat } from "./wire-format.ts";

export const testKey = "sk-test-0123456789abcdef";

/** A provider together with its vendor, as a contract test meets them. */
export type Vendor = {
  name: ChatProviderName;
  /** Whether a failed tool's result is marked as such. */
  marksToolErrors: boolean;
  /** The vendor's words for an answer that met its length limit. */
  lengthReason: string;
  /** The body of a refusal. */
  toError(message: string): object;
  /** An error inside a stream that began well, and the status it stands for. */
  streamError(message: string): { event: string; status: number };
  unreadableEvent: string;
  start(...script: ScriptStep[]): Promise<StartedVendor>;
};

export type StartedVendor = {
  model: ChatModel;
  /** What was asked so far. */
  requests(): ReadRequest[];
  count(): number;
  abandoned(): number;
  close(): Promise<void>;
};

type VendorTraits<Request> = Omit<Vendor, "start"> & {
  format: WireFormat<Request>;
  model: string;
  read(request: RecordedRequest<Request>): ReadRequest;
};

function defineVendor<Request>({ format, model, read, ...traits }: VendorTraits<Request>): Vendor {
  return {
    ...traits,
    async start(...script) {
      const server = await createScriptedServer(format, { script });
      const options = { model, apiKey: testKey, baseUrl: server.url, fetch: globalThis.fetch };
      return {
        ...server,
        model: await chatProviders[traits.name].create(options),
        requests: () => server.requests.map(read),
      };
    },
  };
}

const openAiTraits = {
  format: openAiFormat,
  read: readOpenAiRequest,
  model: "gpt-4o-mini",
  marksToolErrors: false,
  lengthReason: "length",
  toError: (message: string) => ({ error: { message, type: "x", param: null, code: null } }),
  streamError(message: string) {
    const error = { message, type: "server_error", code: null };
    return { event: `data: ${JSON.stringify({ error })}\n\n`, status: 500 };
  },
  unreadableEvent: "data: {oops\n\n",
};

export const vendors: readonly Vendor[] = [
  defineVendor({ ...openAiTraits, name: "openai" }),
  defineVendor({ ...openAiTraits, name: "openai-compatible" }),
  defineVendor({
    name: "anthropic",
    format: anthropicFormat,
    read: readAnthropicRequest,
    model: "claude-sonnet-4-5",
    marksToolErrors: true,
    lengthReason: "max_tokens",
    toError: (message) => ({ type: "error", error: { type: "x", message } }),
    streamError(message) {
      const data = { type: "error", error: { type: "overloaded_error", message } };
      return { event: `event: error\ndata: ${JSON.stringify(data)}\n\n`, status: 529 };
    },
    unreadableEvent: "event: message_start\ndata: {oops\n\n",
  }),
  defineVendor({
    name: "google",
    format: googleFormat,
    read: readGoogleRequest,
    model: "gemini-3.5-flash",
    marksToolErrors: true,
    lengthReason: "MAX_TOKENS",
    toError: (message) => ({ error: { code: 400, message, status: "X" } }),
    streamError(message) {
      const error = { code: 503, message, status: "UNAVAILABLE" };
      return { event: `data: ${JSON.stringify({ error })}\r\n\r\n`, status: 503 };
    },
    unreadableEvent: "data: {oops\r\n\r\n",
  }),
  defineVendor({
    name: "ollama",
    format: ollamaFormat,
    read: readOllamaRequest,
    model: "llama3.2",
    marksToolErrors: false,
    lengthReason: "length",
    toError: (message) => ({ error: message }),
    streamError: (message) => ({ event: `${JSON.stringify({ error: message })}\n`, status: 500 }),
    unreadableEvent: "{oops\n",
  }),
];
