import type { ChatModel, ModelCall, ModelMessage, ModelToolCall } from "@weft/engine";
import type { JsonObject } from "@weft/schema";
import { chooseTool } from "./choose-tool.ts";
import { describeResult, parseJson } from "./describe-result.ts";
import { fillSchema } from "./fill-arguments.ts";
import { findId } from "./find-id.ts";
import { rehearsalLabel } from "./label.ts";
import { findAction, findNouns } from "./words.ts";

const label = `[${rehearsalLabel}]`;
/** Rules read and write no more of a text: their patterns are not made for long ones. */
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
      const decision = decide(call);
      const [text, toolCalls] = typeof decision === "string" ? [decision, []] : ["", [decision]];
      for (const word of text.match(/\s*\S+/g) ?? []) {
        call.signal.throwIfAborted();
        call.onText?.(word);
      }
      call.signal.throwIfAborted();
      const inputTokens = countWords(call.messages.map(textOf).join(" "));
      const outputTokens = countWords(toolCalls[0]?.arguments ?? text);
      const usage = { inputTokens, outputTokens, totalTokens: inputTokens + outputTokens };
      return { text, toolCalls, finishReason: toolCalls.length === 0 ? "stop" : "tool-calls", usage };
    },
  };
}

/** A text, or a call: of the tool that fits, or first of one that looks up what an update is to leave as it is. */
function decide({ messages, tools = [], toolChoice, responseSchema }: ModelCall): string | ModelToolCall {
  const turn = messages.findLastIndex(({ role }) => role === "user");
  const heard = messages.map((message) => ({ role: message.role, text: textOf(message).slice(0, maxCharacters) }));
  const text = heard[turn]?.text ?? "";
  if (responseSchema !== undefined) return JSON.stringify(fillSchema(responseSchema.schema, { text, label }));
  const things = tools.flatMap(({ name }) => findNouns(name));
  const system = messages.filter(({ role }) => role === "system").map(textOf);
  const today = /\d{4}-\d\d-\d\d/.exec(system.join(" "))?.[0];
  const asked = { text, action: findAction(text) ?? "read", id: findId(heard.slice(0, turn + 1), things), today };
  const tool = toolChoice === "none" ? undefined : chooseTool(tools, asked);
  const result = messages.slice(turn + 1).findLast((message) => message.role === "tool");
  const isDone = tool === undefined || tool.name === result?.toolName || result?.isError === true;
  if (result !== undefined && isDone) return say(describeResult(result, tool?.action));
  if (tool === undefined) {
    const offered = tools.map(({ name }) => name).join(", ") || "none";
    return say(`No tool of mine fits. I would need one whose name or description speaks of this; I have: ${offered}.`);
  }
  const record = Object(parseJson(result?.content ?? "")) as JsonObject;
  const args = { ...Object.fromEntries(tool.required.map((name) => [name, record[name]])), ...tool.args };
  const missing = tool.required.filter((name) => args[name] === undefined);
  const call = (name: string, given: object) => ({
    id: `rehearsal_${messages.length}`,
    name,
    arguments: JSON.stringify(given),
  });
  if (missing.length === 0) return call(tool.name, args);
  const changes = asked.action === "update" && Object.keys(tool.args).length > 1 && result === undefined;
  const lookup = changes && chooseTool(tools, { ...asked, action: "read" });
  if (lookup && lookup.id && asked.id) return call(lookup.name, { [lookup.id]: lookup.args[lookup.id] });
  return say(`To use ${tool.name} I still need: ${missing.join(", ")}.`);
}

const say = (words: string) => `${label} ${words}`.slice(0, maxCharacters);

function textOf({ content }: ModelMessage): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
