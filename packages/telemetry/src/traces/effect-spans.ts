import { type EffectOutcome, type Json, type JsonObject, type RunEventOf, toJsonObject } from "@weft/schema";
import { tokensOf } from "../metrics/run-meters.ts";
import { type Attributes, spanKinds } from "./otlp.ts";

/**
 * Names and attributes after the conventions for generative AI:
 * https://github.com/open-telemetry/semantic-conventions-genai/tree/9430220eb6f3f8a0e41d2e0e548aeb5cb9ca5f14/docs/gen-ai
 * (gen-ai-spans.md and gen-ai-agent-spans.md, both in development). Omitted, because no journal has them:
 * `gen_ai.response.model`, `gen_ai.response.id`, `gen_ai.tool.call.id` and `server.address`. Ours start with `weft.`.
 */
export type SpanDescription = { name: string; kind: number; attributes: Attributes };

type EffectStarted = RunEventOf<"effect-started">;

/** `told`: messages of the step's earlier model calls; undefined if content is not captured. */
export type EffectFacts = {
  started: EffectStarted;
  outcome: EffectOutcome | undefined;
  conversationId: string;
  told: Json[] | undefined;
};

/** Describes an effect in a trace. */
export function describeEffect(facts: EffectFacts): SpanDescription {
  const { started, outcome } = facts;
  switch (started.category) {
    case "model":
      return describeChat(facts);
    case "tool":
    case "function":
      return describeTool(facts);
    case "retrieval":
      return describeRetrieval(facts);
    case "flow":
      return {
        name: `invoke_agent ${started.name}`,
        kind: spanKinds.internal,
        attributes: { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.id": started.name },
      };
    case "http": {
      const [method = "HTTP"] = started.name.split(" ", 1);
      const status = outcome?.ok === false ? outcome.error.upstream?.status : undefined;
      return {
        name: method,
        kind: spanKinds.client,
        attributes: { "http.request.method": method, "http.response.status_code": status },
      };
    }
  }
}

/** The conventions' names of vendors that differ. */
const providerNames: Readonly<Record<string, string>> = {
  google: "gcp.gemini",
  mistral: "mistral_ai",
  xai: "x_ai",
};

/** Of a model's id, such as `openai/gpt-4o-mini`. */
export function modelAttributes(id: string): { "gen_ai.provider.name": string; "gen_ai.request.model": string } {
  const slash = id.indexOf("/");
  const provider = slash < 0 ? "unknown" : id.slice(0, slash);
  return {
    "gen_ai.provider.name": providerNames[provider] ?? provider,
    "gen_ai.request.model": id.slice(slash + 1),
  };
}

const finishReasons: Readonly<Record<string, string>> = {
  "tool-calls": "tool_call",
  "content-filter": "content_filter",
};

function describeChat({ started, outcome, conversationId, told }: EffectFacts): SpanDescription {
  const model = modelAttributes(started.name);
  const input = toJsonObject(started.input);
  const { temperature, maxTokens, topP } = toJsonObject(input.parameters);
  const answer = outcome?.ok === true ? toJsonObject(outcome.value) : undefined;
  const { input: inputTokens, output: outputTokens } = tokensOf(answer);
  const finish = typeof answer?.finishReason === "string" ? answer.finishReason : undefined;
  const reason = finish === undefined ? undefined : (finishReasons[finish] ?? finish);
  return {
    name: `chat ${model["gen_ai.request.model"]}`,
    kind: spanKinds.client,
    attributes: {
      "gen_ai.operation.name": "chat",
      ...model,
      "gen_ai.conversation.id": conversationId,
      "gen_ai.request.temperature": numberOf(temperature),
      "gen_ai.request.max_tokens": numberOf(maxTokens),
      "gen_ai.request.top_p": numberOf(topP),
      "gen_ai.response.model": answer && responseModel(answer, model["gen_ai.request.model"]),
      "gen_ai.response.finish_reasons": reason === undefined ? undefined : [reason],
      "gen_ai.usage.input_tokens": answer && inputTokens,
      "gen_ai.usage.output_tokens": answer && outputTokens,
      ...(told && {
        "gen_ai.input.messages": contentText(told.map(toMessage)),
        "gen_ai.output.messages": answer && contentText([{ ...toMessage(said(answer)), finish_reason: reason ?? "" }]),
      }),
    },
  };
}

/** The requested one, unless the vendor named another. */
function responseModel({ model }: JsonObject, asked: string | undefined): string | undefined {
  return typeof model === "string" ? model : asked;
}

/** The new messages of a model call in its journal: those since the previous call. */
export function newMessagesOf({ input }: EffectStarted): Json[] {
  const { messages } = toJsonObject(input);
  return Array.isArray(messages) ? messages : [];
}

/** A model's answer as a message for later calls. */
export function said(answer: JsonObject): JsonObject {
  return { role: "assistant", content: answer.text ?? "", toolCalls: answer.toolCalls ?? [] };
}

/** In the conventions' message schema. */
function toMessage(message: Json): JsonObject {
  const { role = "user", content, toolCalls, toolCallId } = toJsonObject(message);
  if (role === "tool") {
    const part = { type: "tool_call_response", id: toolCallId ?? null, response: content ?? null };
    return { role, parts: [part] };
  }
  const parts: Json[] = Array.isArray(content) ? content.map(toPart) : content === "" ? [] : [toPart(content ?? null)];
  for (const call of Array.isArray(toolCalls) ? toolCalls : []) {
    const { id = null, name = "", arguments: args = null } = toJsonObject(call);
    parts.push({ type: "tool_call", id, name, arguments: args });
  }
  return { role, parts };
}

function toPart(part: Json): JsonObject {
  const { type, text, ...rest } = toJsonObject(part);
  if (typeof part === "string" || type === "text")
    return { type: "text", content: typeof part === "string" ? part : (text ?? "") };
  return { type: typeof type === "string" ? type : "unknown", ...rest };
}

function describeTool({ started, outcome, told }: EffectFacts): SpanDescription {
  const isError = outcome?.ok === true && toJsonObject(outcome.value).isError === true;
  return {
    name: `execute_tool ${started.name}`,
    kind: spanKinds.internal,
    attributes: {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": started.name,
      "gen_ai.tool.type": started.category === "tool" ? "function" : "extension",
      "error.type": isError ? "tool_error" : undefined,
      ...(told && {
        "gen_ai.tool.call.arguments": contentText(started.input),
        "gen_ai.tool.call.result": outcome?.ok ? contentText(outcome.value) : undefined,
      }),
    },
  };
}

/** Names written into stores may be those of people's files. */
function describeRetrieval({ started, told }: EffectFacts): SpanDescription {
  const { query, topK } = toJsonObject(started.input);
  if (query === undefined) {
    const [step = ""] = started.effectKey.split(":", 1);
    return { name: `upsert ${step}`, kind: spanKinds.internal, attributes: {} };
  }
  return {
    name: `retrieval ${started.name}`,
    kind: spanKinds.client,
    attributes: {
      "gen_ai.operation.name": "retrieval",
      "gen_ai.data_source.id": started.name,
      "gen_ai.retrieval.top_k": numberOf(topK),
      ...(told && { "gen_ai.retrieval.query.text": contentText(query) }),
    },
  };
}

/** Longer content is omitted: a truncated part would not be JSON. */
const mostCharacters = 100_000;

/** Content as an attribute: text unchanged, anything else as JSON. */
export function contentText(content: Json): string | undefined {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return text.length <= mostCharacters ? text : undefined;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}
