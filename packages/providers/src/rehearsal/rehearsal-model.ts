import { type ChatModel, type ModelCall, type ModelMessage, type ModelToolCall, withoutMarks } from "@weft/engine";
import { type Json, type JsonObject, partDocuments, usageOf } from "@weft/schema";
import { chooseTool } from "./choose-tool.ts";
import { findId } from "./find-id.ts";
import { rehearsalLabel } from "./label.ts";
import { fillSchema, readMessage } from "./read-message.ts";
import { answerSmallTalk, askForMore } from "./small-talk.ts";
import { findAction, findNouns } from "./words.ts";

const leads = { create: "Created", read: "Found", update: "Updated", delete: "Deleted" };
const label = `[${rehearsalLabel}]`;
/** Rules read and write no more of a text, and show no more of a document: their patterns are not made for long ones. */
const [maxCharacters, maxShown] = [4_000, 500];

/**
 * The offline model: fixed rules, no AI, as it says before each answer (in the texts of one that must be JSON). It
 * calls the tool that fits best with what the messages give. The same messages and tools always get the same answer.
 */
export function createRehearsalModel(): ChatModel {
  return {
    id: "rehearsal/rules",
    async answer(call) {
      call.signal.throwIfAborted();
      const heard = { ...call, messages: withoutMarks(call.messages) };
      const decision = chat(heard) ?? decide(heard);
      const [text, toolCalls] = typeof decision === "string" ? [decision, []] : ["", [decision]];
      for (const word of text.match(/\s*\S+/g) ?? []) call.onText?.(word);
      call.signal.throwIfAborted();
      const count = (words: string) => words.match(/\S+/g)?.length ?? 0;
      const read = call.messages.map((message) => textOf(message)).join(" ");
      const usage = usageOf(count(read), count(toolCalls[0]?.arguments ?? text));
      return { text, toolCalls, finishReason: toolCalls.length === 0 ? "stop" : "tool-calls", usage };
    },
  };
}

/** What needs no tool. Not for a message with documents, for an answer of a schema, or after a tool was called. */
function chat({ messages, tools = [], responseSchema }: ModelCall): string | undefined {
  const last = messages.at(-1);
  const { text, documents } = partDocuments(textOf(last), maxCharacters);
  if (responseSchema !== undefined || last?.role !== "user" || documents.length > 0) return undefined;
  const system = messages.filter(({ role }) => role === "system").map((message) => textOf(message));
  const answer = answerSmallTalk({ text, system: system.join("\n").slice(0, maxCharacters), tools });
  return answer === undefined ? undefined : `${label} ${answer}`.slice(0, maxCharacters);
}

/** A text, or a call: of the tool that fits, or first of one that looks up what an update is to leave as it is. */
function decide({ messages, tools = [], toolChoice, responseSchema }: ModelCall): string | ModelToolCall {
  const turn = messages.findLastIndex(({ role }) => role === "user");
  const heard = messages.map((message) => ({ role: message.role, ...partDocuments(textOf(message), maxCharacters) }));
  const { text, documents } = partDocuments(textOf(messages[turn]), maxCharacters);
  if (responseSchema !== undefined) return JSON.stringify(fillSchema(responseSchema.schema, { text, label }));
  const say = (words: string) => `${label} ${words}`.slice(0, maxCharacters);
  const call = (name: string, args: object) => ({ id: `call_${heard.length}`, name, arguments: JSON.stringify(args) });
  const things = tools.flatMap(({ name }) => findNouns(name)).map((noun) => `${noun}s?`);
  const today = /\d{4}-\d\d-\d\d/.exec(JSON.stringify(heard.filter(({ role }) => role === "system")))?.[0];
  const asked = readMessage(text, things, today);
  // What is created is none of the records spoken of before.
  const id = findId(heard.slice(asked.action === "create" ? turn : 0, turn + 1), things);
  const tool = toolChoice === "none" ? undefined : chooseTool(tools, { ...asked, id });
  const result = messages.slice(turn + 1).findLast((message) => message.role === "tool");
  if (result?.isError === true) return say(`The tool ${result.toolName} failed: ${result.content}`);
  if (result && result.toolName === (tool?.name ?? result.toolName)) return say(describeResult(result, tool?.action));
  const shown = documents.map((document) => `${document.name} says: ${document.text.slice(0, maxShown)}`).join("\n\n");
  if (tool === undefined) return say(shown || askForMore(tools));
  const record = Object(parseJson(result?.content)) as JsonObject;
  const args = { ...Object.fromEntries(tool.required.map((name) => [name, record[name]])), ...tool.args };
  const missing = tool.required.filter((name) => args[name] === undefined);
  if (missing.length === 0) return call(tool.name, args);
  const changes = asked.action === "update" && Object.keys(tool.args).length > 1 && result === undefined;
  const lookup = changes ? chooseTool(tools, { ...asked, id, action: "read" }) : undefined;
  if (lookup?.id && lookup.id in lookup.args) return call(lookup.name, { [lookup.id]: lookup.args[lookup.id] });
  return say(`To use ${tool.name} I still need: ${missing.join(", ")}.`);
}

function describeResult(result: { toolName: string; content: string }, action = findAction(result.toolName)): string {
  const value = parseJson(result.content) ?? result.content;
  const count = Array.isArray(value) ? ` ${value.length} item${value.length === 1 ? "" : "s"}.\n\n` : ": ";
  return `${leads[action ?? "read"]}${count}${describe(value, "\n")}`.trim();
}

function describe(value: Json, between = "; "): string {
  if (value === null || typeof value !== "object") return String(value);
  if (Array.isArray(value)) return value.map((item, index) => `${index + 1}. ${describe(item)}`).join(between);
  const { name, ...details } = value;
  const listed = Object.entries(details).map(([key, field]) => `${key} ${describe(field)}`);
  return name === undefined ? listed.join(", ") : `${describe(name)} (${listed.join(", ")})`;
}

function parseJson(text = ""): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

function textOf({ content }: Pick<ModelMessage, "content"> = { content: "" }): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}
