import type { ChatConfig, ChatReplies } from "@weft/schema";

/** May change a request before it is sent, in place or by returning another: a header, `credentials`. */
export type OnRequest = (request: RequestInit) => undefined | RequestInit | Promise<undefined | RequestInit>;

export type AgentApiDeps = {
  fetch: typeof globalThis.fetch;
  /** Address of the server. A trailing slash is dropped. */
  apiHost: string;
  agentId: string;
  onRequest?: OnRequest | undefined;
};

/** The server rejected a request, with a message for its sender. */
export class ApiError extends Error {
  readonly status: number;
  /** Whether nothing was accepted, so that the same request may be sent again. */
  readonly isRetryable: boolean;

  constructor(message: string, { status, isRetryable }: { status: number; isRetryable: boolean }) {
    super(message);
    this.status = status;
    this.isRetryable = isRetryable;
  }
}

export type Rating = { rating: "THUMBS_UP" | "THUMBS_DOWN"; content: string };
export type Lead = { name?: string; email?: string; phone?: string };

/** A chat client's requests about one agent. Every function rejects with `ApiError`, or `TypeError` offline. */
export type AgentApi = {
  config(): Promise<ChatConfig>;
  /** The stream of an answer. `key`: repeating a request with it joins the run that the first one began. */
  predict(body: object, options: { key: string; signal: AbortSignal }): Promise<Response>;
  /** The stream of a run, after the frame with this id. */
  events(frameId: string, signal: AbortSignal): Promise<Response>;
  abort(chatId: string): Promise<void>;
  /** What people wrote in a chat in place of the agent, after one of their messages. */
  replies(chat: { chatId: string; after: string | undefined }, signal: AbortSignal): Promise<ChatReplies>;
  rate(message: { chatId: string; messageId: string }, rating: Rating): Promise<void>;
  saveLead(chatId: string, lead: Lead): Promise<void>;
  /** The stream of a recording of a text of this chat, as MP3. */
  readAloud(spoken: { chatId: string; messageId: string; text: string }, signal: AbortSignal): Promise<Response>;
  stopReadingAloud(spoken: { chatId: string; messageId: string }): Promise<void>;
};

type Sent = Omit<RequestInit, "headers"> & { headers?: Record<string, string> };

export function createAgentApi({ fetch, apiHost, agentId, onRequest }: AgentApiDeps): AgentApi {
  const base = `${apiHost.replace(/\/+$/, "")}/api/v1`;
  const id = encodeURIComponent(agentId);

  async function send(path: string, init: Sent = {}): Promise<Response> {
    const request: RequestInit = { ...init, headers: { ...init.headers } };
    const response = await fetch(base + path, (await onRequest?.(request)) ?? request);
    if (response.ok) return response;
    throw await toApiError(response);
  }

  const post = (path: string, body: object, more: Sent = {}) =>
    send(path, {
      ...more,
      method: "POST",
      headers: { "Content-Type": "application/json", ...more.headers },
      body: JSON.stringify(body),
    });

  return {
    config: async () => (await send(`/public-chatbotConfig/${id}`)).json(),
    predict: (body, { key, signal }) =>
      post(`/prediction/${id}`, { ...body, streaming: true }, { signal, headers: { "Idempotency-Key": key } }),
    events(frameId, signal) {
      const [executionId = ""] = frameId.split(":", 1);
      return send(`/executions/${executionId}/events`, { signal, headers: { "Last-Event-ID": frameId } });
    },
    async abort(chatId) {
      await send(`/chatmessage/abort/${id}/${encodeURIComponent(chatId)}`, { method: "PUT" });
    },
    async replies({ chatId, after }, signal) {
      const query = after === undefined ? "" : `?after=${encodeURIComponent(after)}`;
      return (await send(`/chatmessage/replies/${id}/${encodeURIComponent(chatId)}${query}`, { signal })).json();
    },
    async rate(message, rating) {
      await post("/feedback", { chatflowid: agentId, ...message, ...rating });
    },
    async saveLead(chatId, lead) {
      await post("/leads", { chatflowid: agentId, chatId, ...lead });
    },
    readAloud: ({ messageId: chatMessageId, ...spoken }, signal) =>
      post("/text-to-speech/generate", { chatflowId: agentId, chatMessageId, ...spoken }, { signal }),
    async stopReadingAloud({ chatId, messageId: chatMessageId }) {
      await post("/text-to-speech/abort", { chatflowId: agentId, chatId, chatMessageId });
    },
  };
}

async function toApiError(response: Response): Promise<ApiError> {
  const { status } = response;
  const body: unknown = await response.json().catch(() => undefined);
  const { message, retryable } = (body ?? {}) as { message?: unknown; retryable?: unknown };
  return new ApiError(typeof message === "string" ? message : "", { status, isRetryable: retryable === true });
}
