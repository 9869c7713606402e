import type { ChatModel } from "@weft/engine/ports/chat-model";
import type { ChatProvider } from "../define-provider.ts";
import type { EmbeddingFormat } from "./embedding-format.ts";
import { httpTo } from "./model-http.ts";
import type { RerankFormat } from "./rerank-format.ts";
import type { RecordedRequest, ScriptStep } from "./script-step.ts";
import { createScriptedServer } from "./scripted-server.ts";
import type { WireEvent, WireFormat } from "./wire-format.ts";

export const testKey = "sk-test-0123456789abcdef";

/** How a provider's vendor looks on the wire, for the contract suites. `<folder>/testing/wire.ts` exports it by name. */
export type VendorWire = { chat?: ChatWire; embeddings?: EmbeddingFormat; rerank?: RerankFormat };

/** A vendor of chat models, as a contract test meets it. */
export type ChatWire = {
  /** Whether a failed tool's result is marked as such. */
  marksToolErrors: boolean;
  /** Whether a call goes back with its id; else its place among the others tells it. Default true. */
  sendsCallIds?: boolean;
  /** The vendor's words for an answer that met its length limit. */
  lengthReason: string;
  /** The body of a refusal. */
  toError(message: string): object;
  /** An error inside a stream that began well, and the status it stands for. */
  streamError(message: string): { event: WireEvent; status: number };
  unreadableEvent: WireEvent;
  start(provider: ChatProvider, ...script: ScriptStep[]): Promise<StartedVendor>;
};

export type StartedVendor = {
  model: ChatModel;
  /** What was asked so far. */
  requests(): ReadRequest[];
  /** The same in the vendor's words. */
  bodies(): unknown[];
  count(): number;
  abandoned(): number;
  close(): Promise<void>;
};

type ChatTraits<Request> = Omit<ChatWire, "start"> & {
  format: WireFormat<Request>;
  model: string;
  read(request: RecordedRequest<Request>): ReadRequest;
};

export function defineChatWire<Request>({ format, model, read, ...traits }: ChatTraits<Request>): ChatWire {
  return {
    ...traits,
    async start(provider, ...script) {
      const server = await createScriptedServer(format, { script });
      const options = { model, apiKey: testKey, baseUrl: server.url, ...httpTo(server.url) };
      return {
        ...server,
        model: await provider.create(options),
        requests: () => server.requests.map(read),
        bodies: () => server.requests.map(({ body }) => body),
      };
    },
  };
}

/** What a request says, whatever its wire format. What the format has no place for is absent. */
export type ReadRequest = {
  key: string | undefined;
  model: string;
  system: string;
  messages: ReadMessage[];
  tools: { name: string; description: string | undefined; schema: unknown }[];
  mayCallTools: boolean;
  parameters: { temperature?: unknown; maxTokens?: unknown; topP?: unknown };
  schema: unknown;
};

export type ReadMessage =
  | { role: "user"; text: string; images: string[] }
  | { role: "assistant"; text: string; calls: { id: unknown; name: unknown; arguments: unknown }[] }
  | { role: "tool"; id: unknown; content: unknown; isError?: boolean };

export function textOf(parts: readonly { text?: unknown; content?: unknown }[]): string {
  return parts.flatMap(({ text, content }) => text ?? content ?? []).join("\n");
}

export function toDataUrl(source: Record<string, unknown>, typeKey: string): string {
  return `data:${source[typeKey]};base64,${source.data}`;
}
