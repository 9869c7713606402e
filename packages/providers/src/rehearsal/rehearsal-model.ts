import type { ChatModel, ModelCall, ModelMessage, ModelTool } from "@weft/engine";
import type { JsonObject } from "@weft/schema";
import { chooseTool } from "./choose-tool.ts";
import { describeResult, parseJson } from "./describe-result.ts";
import { type Asked, fillArguments, fillSchema, findIds } from "./fill-arguments.ts";
import { rehearsalLabel } from "./label.ts";
import { idPropertyOf, requiredOf, toolAction } from "./tool-shape.ts";
import { findNouns } from "./words.ts";

type Decision = { text: string; call?: { name: string; arguments: string } };
type Plan = { asked: Asked; record: string | undefined; tools: readonly ModelTool[] };
const label = `[${rehearsalLabel}]`;
/** Rules look no further into a message: their patterns are not made for long texts. */
const maxCharacters = 4_000;

/**
 * The offline model: fixed rules, no AI, and it says so before each answer (in the text fields of one that must be JSON).
 * It knows only messages and tools: the tool whose name, description and parameters fit the message best is called with
 * what the message gives. The same conversation always gets the same answer.
 */
export function createRehearsalModel(): ChatModel {
  return {
    id: "rehearsal/rules",
    async answer(call) {
      const { text, call: made } = decide(call);
      const toolCalls = made === undefined ? [] : [{ id: `rehearsal_${call.messages.length}`, ...made }];
      for (const word of text.match(/\s*\S+/g) ?? []) {
        call.signal.throwIfAborted();
        call.onText?.(word);
      }
      call.signal.throwIfAborted();
      const inputTokens = countWords(call.messages.map(textOf).join(" "));
      const outputTokens = countWords(`${text} ${made?.arguments ?? ""}`);
      const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
      return { text, toolCalls, finishReason: made === undefined ? "stop" : "tool-calls", usage };
    },
  };
}

function decide({ messages, tools = [], toolChoice, responseSchema }: ModelCall): Decision {
  const turn = messages.findLastIndex(({ role }) => role === "user");
  const text = textOf(messages[turn]).slice(0, maxCharacters);
  if (responseSchema !== undefined) {
    return { text: JSON.stringify(fillSchema(responseSchema.schema, { text, label })) };
  }
  const system = messages.filter(({ role }) => role === "system").map(textOf);
  const today = /\d{4}-\d{2}-\d{2}/.exec(system.join(" "))?.[0];
  const asked = { text, id: findId(messages.slice(0, turn + 1), tools), today };
  const tool = chooseTool(tools, asked);
  const result = messages.slice(turn + 1).findLast((message) => message.role === "tool");
  const isDone = tool === undefined || tool.name === result?.toolName || result?.isError === true;
  if (result !== undefined && (isDone || toolChoice === "none")) return say(describeResult(result, tools));
  if (tool === undefined || toolChoice === "none") {
    const offered = tools.map(({ name }) => name).join(", ") || "none";
    return say(`No tool of mine fits. I would need one whose name or description speaks of this; I have: ${offered}.`);
  }
  return planCall(tool, { asked, record: result?.content, tools });
}

/** Calls the tool, first looks the record up when an update lacks some of its fields, or says what is missing. */
function planCall(tool: ModelTool, { asked, record, tools }: Plan): Decision {
  const given = fillArguments(tool, asked);
  const args = { ...pick(record, requiredOf(tool)), ...given };
  const missing = requiredOf(tool).filter((name) => args[name] === undefined);
  if (missing.length === 0) return callTool(tool, args);
  const lookup = tools.find((other) => toolAction(other) === "read" && idPropertyOf(other) !== undefined);
  const changes = toolAction(tool) === "update" && Object.keys(given).length > 1 && record === undefined;
  if (lookup === undefined || asked.id === undefined || !changes) {
    return say(`To use ${tool.name} I still need: ${missing.join(", ")}.`);
  }
  return callTool(lookup, { [idPropertyOf(lookup) ?? ""]: asked.id });
}

function say(text: string): Decision {
  return { text: `${label} ${text}` };
}

function callTool({ name }: ModelTool, args: JsonObject): Decision {
  return { text: "", call: { name, arguments: JSON.stringify(args) } };
}

/** The id that the last message names; for "it", the one that the latest message with an id was about. */
function findId(messages: readonly ModelMessage[], tools: readonly ModelTool[]): string | undefined {
  const things = new Set(tools.flatMap(({ name }) => [...findNouns(name)]));
  const texts = messages.map((message) => (message.role === "system" ? "" : textOf(message).slice(0, maxCharacters)));
  const own = texts.at(-1) ?? "";
  const [id] = findIds(own, things);
  if (id !== undefined || !/\b(it|that one|this one)\b/i.test(own)) return id;
  const latest = texts.map((text) => findIds(text, things)).findLast((found) => found.length > 0);
  return latest?.length === 1 ? latest[0] : undefined;
}

/** Fields of a looked-up record. */
function pick(record: string | undefined, names: string[]): JsonObject {
  const value = Object(parseJson(record ?? "")) as JsonObject;
  return Object.fromEntries(names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])));
}

function textOf(message: ModelMessage | undefined): string {
  const content = message?.content ?? "";
  return typeof content === "string"
    ? content
    : content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
