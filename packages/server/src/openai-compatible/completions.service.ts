import type { EventStream, Frame, StreamOptions } from "@weft/http/event-stream";
import {
  type HistoryMessage,
  type JsonObject,
  type PredictionResult,
  toJsonObject,
  type Upload,
  type Usage,
  WeftError,
} from "@weft/schema";
import type { Context } from "../context.ts";
import type { Needs } from "../feature.ts";
import type { Caller, Message } from "../predictions/index.ts";
import type { ServedAgent, ServedAgents } from "../served-agents/served-agents.service.ts";
import {
  type ChatCompletion,
  type ChatCompletionRequest,
  type ChatMessage,
  type CompletionFacts,
  type ContentPart,
  openAiFailure,
  type ServedModel,
} from "./chat-completion.ts";

export type CompletionRequest = {
  body: ChatCompletionRequest;
  caller: Caller;
  /** Aborted when the client disconnects: then the run is cancelled, because nobody could ask for its answer. */
  signal: AbortSignal;
  /** The agent's settings, if they were just read. */
  known?: ServedAgent["agent"] | undefined;
};

/** Agents as models of OpenAI's API. Functions that take an id reject with `not-found` and `api-key-wrong`. */
export type CompletionService = {
  /** Those that the caller may use, deployed ones first. */
  models(caller: Caller): Promise<ServedModel[]>;
  model(id: string, caller: Caller): Promise<ServedModel>;
  /** A failure of the run itself is an answer that tells clients not to repeat it: it may have had effects. */
  complete(request: CompletionRequest): Promise<ChatCompletion | Response>;
};

export function createCompletionService(
  agents: ServedAgents,
  { clock, ids }: Context,
  { predictions }: Needs<"predictions">,
): CompletionService {
  async function answer(
    message: Message,
    facts: CompletionFacts,
    signal: AbortSignal,
  ): Promise<ChatCompletion | Response> {
    const run = await predictions.admit(message);
    if (signal.aborted) run.cancel();
    signal.addEventListener("abort", run.cancel, { once: true });
    try {
      return toCompletion(facts, await run.result);
    } catch (error) {
      if (!(error instanceof WeftError)) throw error;
      const { status } = error;
      return Response.json(openAiFailure.toBody(error, status), { status, headers: { "x-should-retry": "false" } });
    }
  }

  async function stream(message: Message, facts: CompletionFacts, includeUsage: boolean): Promise<Response> {
    const completion = createCompletionStream(facts, {
      includeUsage,
      open: (options) => predictions.openStream(message.caller, options),
    });
    const run = await predictions.admit(message, completion.frames).catch((error) => {
      completion.fail(error);
      throw error;
    });
    completion.onceLeft(run.cancel);
    run.result.then(completion.finish, completion.fail);
    return completion.response;
  }

  return {
    models: async (caller) => (await agents.list(caller)).map((served) => toModel(served.slug, served)),
    model: async (id, caller) => toModel(id, await agents.find(id, caller)),
    async complete({ body, caller, signal, known }) {
      const { agent, readAgent } = await agents.find(body.model, caller, known);
      const runId = ids.uuid();
      const request = { ...toQuestion(body), chatId: ids.uuid() };
      const message: Message = { agentId: agent.id, readAgent, request, caller, chatType: "EXTERNAL", runId };
      const created = Math.floor(clock.now() / 1_000);
      const facts = { id: `chatcmpl-${runId}`, created, model: body.model };
      if (body.stream !== true) return answer(message, facts, signal);
      return stream(message, facts, body.stream_options?.include_usage === true);
    },
  };
}

function toModel(id: string, { agent }: ServedAgent): ServedModel {
  return { id, object: "model", created: Math.floor(Date.parse(agent.createdDate) / 1_000), owned_by: "weft" };
}

/**
 * A chat completion as a question to an agent: its last user message, with its images; the messages before it replace
 * the stored memory. The agent's own instructions stay: those of the client become a user message.
 * Throws `body-invalid` without a user message, and for content that is neither text nor an image.
 */
function toQuestion(request: ChatCompletionRequest) {
  const { messages } = request;
  const last = messages.findLastIndex(({ role }) => role === "user");
  const asked = messages[last];
  if (!asked) throw invalid("messages", "one of them must have the role user");
  const parts = partsOf(asked);
  const history = messages.slice(0, last).flatMap(toHistory);
  const uploads = parts.flatMap((part, index) => toUpload(part, `messages.${last}.content.${index}`));
  const parameters = {
    temperature: request.temperature,
    topP: request.top_p,
    maxTokens: request.max_completion_tokens ?? request.max_tokens,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, number] => typeof entry[1] === "number");
  return {
    question: textOf(parts),
    ...(history.length > 0 && { history }),
    ...(uploads.length > 0 && { uploads }),
    ...(given.length > 0 && { overrideConfig: Object.fromEntries(given) }),
  };
}

const maxUploads = 20;

function partsOf({ content }: ChatMessage): ContentPart[] {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return content ?? [];
}

function textOf(parts: readonly ContentPart[]): string {
  return parts.flatMap(({ text }) => text ?? []).join("\n");
}

/** Results of tools that the client called itself are left out. */
function toHistory(message: ChatMessage): HistoryMessage[] {
  const content = textOf(partsOf(message));
  if (content === "" || message.role === "tool" || message.role === "function") return [];
  return [{ role: message.role === "assistant" ? "apiMessage" : "userMessage", content }];
}

function toUpload({ type, image_url: image }: ContentPart, path: string): Upload[] {
  if (type === "text") return [];
  if (type !== "image_url" || !image) throw invalid(path, "is neither text nor a picture");
  if (Number(path.split(".").at(-1)) >= maxUploads) throw invalid(path, `is beyond the first ${maxUploads} parts`);
  const isAddress = /^https?:/i.test(image.url);
  return [{ type: isAddress ? "url" : "image", name: "image", data: image.url, mime: "" }];
}

function invalid(path: string, message: string): WeftError {
  return new WeftError("body-invalid", { params: { reason: `${path}: ${message}` }, errors: [{ path, message }] });
}

/** A streamed chat completion. Source: OpenAI API, "Chat completion chunk". */
type CompletionStream = {
  readonly response: Response;
  /** The next frames of the run's stream. */
  frames(frames: readonly Frame[]): void;
  finish(result: PredictionResult): void;
  fail(error: unknown): void;
  /** Called when the client leaves before the end. */
  onceLeft(leave: () => void): void;
};

type CompletionStreamOptions = { includeUsage: boolean; open(options: Partial<StreamOptions>): EventStream };

function createCompletionStream(facts: CompletionFacts, options: CompletionStreamOptions): CompletionStream {
  const text = createAnswerText();
  const stream = options.open({ toText: ({ data }) => `data: ${toLine(data)}\n\n` });
  const base = { object: "chat.completion.chunk", ...facts };
  const noUsage = options.includeUsage ? { usage: null } : {};
  let isEnded = false;

  function sendChunk(delta: JsonObject, finishReason: "stop" | null = null): void {
    const choice = { index: 0, delta, logprobs: null, finish_reason: finishReason };
    send({ ...base, choices: [choice], ...noUsage });
  }

  function send(data: JsonObject): void {
    stream.send([{ id: "", event: "chunk", data }]);
  }

  function fail(error: unknown): void {
    if (isEnded) return;
    isEnded = true;
    const known = error instanceof WeftError ? error : new WeftError("internal", { cause: error });
    send(toJsonObject(openAiFailure.toBody(known, known.status)));
    stream.end();
  }

  sendChunk({ role: "assistant", content: "" });
  return {
    response: stream.response,
    fail,
    frames(frames) {
      try {
        const content = isEnded ? "" : frames.map(text.read).join("");
        if (content !== "") sendChunk({ content });
      } catch (error) {
        fail(error);
      }
    },
    finish({ usage }) {
      if (isEnded) return;
      isEnded = true;
      sendChunk({}, "stop");
      if (options.includeUsage) send({ ...base, choices: [], usage: toUsage(usage) });
      stream.send([{ id: "", event: "end", data: "[DONE]" }]);
    },
    onceLeft: (leave) =>
      stream.onceOver(() => {
        if (!isEnded) leave();
      }),
  };
}

function toLine(data: Frame["data"]): string {
  return typeof data === "string" ? data : JSON.stringify(data);
}

/**
 * The text of a stream to a client that cannot take text back.
 * `read` returns the addition of a frame. When a model was asked again, nothing is added until its new text exceeds
 * what was sent; it throws `model-invalid-answer` if the text differs.
 */
type AnswerText = { read(frame: Frame): string };

function createAnswerText(): AnswerText {
  let sent = "";
  /** The current text. Shorter than `sent` while voided text is repeated. */
  let said = "";
  let hasCalledTools = false;

  function add(token: string): string {
    const isNew = said.length === sent.length;
    said += token;
    if (!isNew && !said.startsWith(sent.slice(0, said.length))) throw otherText();
    const piece = said.slice(sent.length);
    if (piece !== "") sent = said;
    return piece;
  }

  return {
    read({ event, data }) {
      if (event === "calledTools") hasCalledTools = sent !== "";
      if (event === "restart") said = said.slice(0, keptBy(data));
      if (event !== "token") return "";
      const piece = add(String(data));
      if (piece === "" || !hasCalledTools) return piece;
      hasCalledTools = false;
      return `\n\n${piece}`;
    },
  };
}

/** How much of the answer's text a `restart` keeps; that of another node keeps all. */
function keptBy(data: Frame["data"]): number {
  const { keep, nodeKey } = toJsonObject(data);
  return nodeKey === undefined ? Number(keep) : Number.POSITIVE_INFINITY;
}

function otherText(): WeftError {
  return new WeftError("model-invalid-answer", {
    params: {
      reason: "the answer was interrupted, and the model answered differently when asked again. Send the request again",
    },
  });
}

function toCompletion({ id, created, model }: CompletionFacts, { text, usage }: PredictionResult): ChatCompletion {
  const message = { role: "assistant", content: text, refusal: null } as const;
  return {
    id,
    object: "chat.completion",
    created,
    model,
    choices: [{ index: 0, message, logprobs: null, finish_reason: "stop" }],
    usage: toUsage(usage),
  };
}

function toUsage({ inputTokens, outputTokens, totalTokens }: Usage): ChatCompletion["usage"] {
  return { prompt_tokens: inputTokens, completion_tokens: outputTokens, total_tokens: totalTokens };
}
