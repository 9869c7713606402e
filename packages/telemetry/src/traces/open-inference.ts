import { isJsonObject, parseJson } from "@weft/schema";
import { type Attributes, type OtlpSpan, toOtlpAttributes } from "./otlp.ts";

/**
 * Adds the attributes that Phoenix and Arize show: OpenInference's
 * (https://github.com/Arize-ai/openinference/blob/main/spec/semantic_conventions.md).
 */
export function withOpenInference(span: OtlpSpan): OtlpSpan {
  const values = new Map(span.attributes.map(({ key, value }) => [key, value]));
  const read = (...names: string[]) => {
    const value = values.get(names.find((name) => values.has(name)) ?? "");
    return value?.stringValue ?? value?.intValue;
  };
  const input = read("gen_ai.input.messages", "gen_ai.tool.call.arguments", "gen_ai.retrieval.query.text");
  const output = read("gen_ai.output.messages", "gen_ai.tool.call.result");
  const added: Attributes = {
    "openinference.span.kind": kinds[read("gen_ai.operation.name") ?? ""] ?? "CHAIN",
    "session.id": read("gen_ai.conversation.id"),
    "llm.model_name": read("gen_ai.response.model", "gen_ai.request.model"),
    "llm.provider": read("gen_ai.provider.name"),
    "llm.token_count.prompt": toNumber(read("gen_ai.usage.input_tokens")),
    "llm.token_count.completion": toNumber(read("gen_ai.usage.output_tokens")),
    "tool.name": read("gen_ai.tool.name"),
    ...toContent("input", input),
    ...toContent("output", output),
  };
  return { ...span, attributes: [...span.attributes, ...toOtlpAttributes(added)] };
}

const kinds: Readonly<Record<string, string>> = {
  chat: "LLM",
  execute_tool: "TOOL",
  retrieval: "RETRIEVER",
  invoke_agent: "AGENT",
};

function toNumber(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

/** A single text message is shown as its text. */
function toContent(name: "input" | "output", content: string | undefined): Attributes {
  if (content === undefined) return {};
  const parsed = parseJson(content);
  const text = onlyTextIn(parsed);
  const isJson = text === undefined && typeof parsed === "object" && parsed !== null;
  return { [`${name}.value`]: text ?? content, [`${name}.mime_type`]: isJson ? "application/json" : "text/plain" };
}

function onlyTextIn(messages: unknown): string | undefined {
  if (!Array.isArray(messages) || messages.length !== 1 || !isJsonObject(messages[0])) return undefined;
  const { parts } = messages[0];
  const [part] = Array.isArray(parts) && parts.length === 1 ? parts : [];
  return isJsonObject(part) && part.type === "text" && typeof part.content === "string" ? part.content : undefined;
}
