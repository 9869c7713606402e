import { withoutMarks } from "@weft/engine/agent";
import type { ChatModel, ModelCall, ModelMessage, ModelTool, ModelToolCall } from "@weft/engine/ports/chat-model";
import {
  type Json,
  type JsonObject,
  type JsonSchema,
  parseJson,
  partDocuments,
  toJsonObject,
  usageOf,
} from "@weft/schema";
import {
  type Asked,
  fillSchema,
  findAction,
  findKind,
  findNouns,
  findOther,
  numeric,
  readMessage,
  rehearsalLabel,
  toWords,
} from "./read-message.ts";

const leads = { create: "Created", read: "Found", update: "Updated", delete: "Deleted" };
const label = `[${rehearsalLabel}]`;
/** Limits of text read and written, and of a document shown: the patterns are not made for long ones. */
const [maxCharacters, maxShown] = [4_000, 500];

/**
 * The offline model: fixed rules, no AI, as it states before each answer (within the texts of a JSON answer). Calls the
 * best matching tool with the values in the messages. Deterministic for equal messages and tools.
 */
export function createRehearsalModel(): ChatModel {
  return {
    id: "rehearsal/rules",
    async answer(call) {
      call.signal.throwIfAborted();
      const heard = { ...call, messages: withoutMarks(call.messages) };
      const decision = chat(heard) ?? cite(heard) ?? decide(heard);
      const [text, toolCalls] = typeof decision === "string" ? [decision, []] : ["", [decision]];
      for (const word of text.match(/(?<!\s)\s*\S+/g) ?? []) call.onText?.(word);
      call.signal.throwIfAborted();
      const count = (words: string) => words.match(/\S+/g)?.length ?? 0;
      const read = call.messages.map((message) => textOf(message)).join(" ");
      const usage = usageOf(count(read), count(toolCalls[0]?.arguments ?? text));
      return { text, toolCalls, finishReason: toolCalls.length === 0 ? "stop" : "tool-calls", usage };
    },
  };
}

/** Replies that need no tool. Not for a message with documents, for an answer with a schema, or after a tool call. */
function chat({ messages, tools = [], responseSchema }: ModelCall): string | undefined {
  const last = messages.at(-1);
  const { text, documents } = partDocuments(textOf(last), maxCharacters);
  if (responseSchema !== undefined || last?.role !== "user" || documents.length > 0) return undefined;
  const system = messages.filter(({ role }) => role === "system").map((message) => textOf(message));
  const answer = answerSmallTalk({ text, system: system.join("\n").slice(0, maxCharacters), tools });
  return answer === undefined ? undefined : `${label} ${answer}`.slice(0, maxCharacters);
}

/** The answer that the passages of a search hold, or those in the message itself. Undefined where there are none. */
function cite({ messages, responseSchema }: ModelCall): string | undefined {
  if (responseSchema !== undefined) return undefined;
  const turn = messages.findLastIndex(({ role }) => role === "user");
  const asked = readPassages(textOf(messages[turn]));
  const result = messages.slice(turn + 1).findLast(({ role }) => role === "tool");
  const { passages } = result === undefined ? asked : readPassages(textOf(result));
  const answer = answerFromPassages(passages, asked.rest.slice(-maxCharacters));
  return answer === undefined ? undefined : `${label} ${answer}`;
}

/**
 * A text, or a call: of the matching tool, or first of one that reads the fields that an update must leave unchanged.
 */
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
  // A created record is none of those mentioned before.
  const id = findId(heard.slice(asked.action === "create" ? turn : 0, turn + 1), things);
  const tool = toolChoice === "none" ? undefined : chooseTool(tools, { ...asked, id });
  const result = messages.slice(turn + 1).findLast((message) => message.role === "tool");
  if (result?.isError === true) return say(`The tool ${result.toolName} failed: ${result.content}`);
  if (result && result.toolName === (tool?.name ?? result.toolName)) return say(describeResult(result, tool?.action));
  const shown = documents.map((document) => `${document.name} says: ${document.text.slice(0, maxShown)}`).join("\n\n");
  if (tool === undefined) return say(shown || askForMore(tools));
  const record = toJsonObject(parseJson(result?.content ?? ""));
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

function textOf({ content }: Pick<ModelMessage, "content"> = { content: "" }): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join(" ");
}

const marked = `\\bids?"?(?:\\s+(?:is|of))?\\s*[:=#]?\\s*["']?`;
const anyWord = `(?<=\\bwith (?:the )?|[("])id["':=\\s]+(?!(?:and|or|of|is|in)\\b)([\\w-]+)`;
const quotes = /"[^"]*"|(?<!\p{L})'[^']*'/gu;

/** The id in the last message (`id 3`, `#3`, `"id":"3"`, `event 3`), or for "it" the last one mentioned. */
function findId(messages: readonly { role: string; text: string }[], things: string[]): string | undefined {
  const numbered = ["records?", "items?", "entry", "number", ...things].join("|");
  const withDigit = `(?:#|${marked}|\\b(?:${numbered})\\s+#?)((?!\\d{4}-\\d\\d-\\d\\d)[\\w-]*\\d[\\w-]*)`;
  // linear: messages are cut before they are read
  const pattern = new RegExp(`${withDigit}|${anyWord}`, "gi");
  let [named, ids] = [new Set<string>(), new Set<string>()];
  for (const { role, text } of messages.filter((message) => message.role !== "system")) {
    const plain = text.replaceAll(quotes, (quote) => (quote.includes(" ") ? " " : quote));
    const found = new Set(Array.from(plain.matchAll(pattern), (match) => match[1] ?? match[2] ?? ""));
    if (role === "user") named = found;
    // The user's own id wins over others in the answer to it.
    if (found.size > 0) ids = named.size > 0 ? named : found;
  }
  // linear: messages are cut before they are read
  const it = new RegExp(`\\b(?:its?|th(?:at|is) (?:${["one", ...things].join("|")}))\\b`, "i");
  return named.size > 0 || (ids.size === 1 && it.test(messages.at(-1)?.text ?? "")) ? [...ids][0] : undefined;
}

/** A parameter's kind: by the last telling word of its name, else the first of its format and description. */
const kinds = {
  id: /^(id|uuid|identifier)$/,
  date: /^(date|time|datetime|when|start|deadline|day)$/,
  place: /^(location|place|venue|city|address|where|town)$/,
  name: /^(name|title|subject|label)$/,
  query: /^(query|question|search|text|input|message|prompt|q)$/,
};

/**
 * The best matching tool, with its arguments as far as given, or undefined if none is about the request. A question that is
 * about none is looked up with the tool that takes nothing but words to look for, if there is just one.
 */
function chooseTool(tools: readonly ModelTool[], asked: Asked) {
  const fits = tools.map((tool) => fitTool(tool, asked));
  const [best] = fits.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  if (best !== undefined || asked.action !== "read") return best;
  const searches = fits.filter((_, index) => isSearch(tools[index]?.parameters));
  return searches.length === 1 ? searches[0] : undefined;
}

function isSearch({ properties, required }: JsonSchema = {}): boolean {
  const [name, ...others] = Array.isArray(required) ? required.map(String) : [];
  const only = Object.keys(properties ?? {});
  return name !== undefined && others.length === 0 && only.length === 1 && kinds.query.test(name);
}

function fitTool({ name, description, parameters }: ModelTool, asked: Asked) {
  const required = Array.isArray(parameters.required) ? parameters.required.map(String) : [];
  const properties = Object.entries(toJsonObject(parameters.properties)).map(([name, one]): [string, JsonSchema] => [
    name,
    toJsonObject(one),
  ]);
  const { id, args } = fillArguments(properties, asked);
  const action = findAction(name) ?? findAction(description);
  const [nouns, named] = [findNouns(asked.text), findNouns(name)];
  const described = findNouns(`${description} ${properties.map(([key]) => key).join(" ")}`);
  const shared = nouns.reduce((sum, noun) => sum + (named.includes(noun) ? 3 : Number(described.includes(noun))), 0);
  // Reading needs only an id; the same id does not justify changing something else; a creation needs all required
  // values.
  const used = findNouns(Object.values(args).join(" "));
  const isComplete = required.length > 1 && required.every((key) => args[key] !== undefined);
  const isOfId = asked.action === "read" || nouns.every((noun) => used.includes(noun));
  const isAbout = shared > 0 || (action !== undefined && (asked.id === undefined ? isComplete : isOfId));
  const lacksId = asked.id === undefined ? required.includes(id ?? "") : id === undefined;
  const score = 10 + shared - (lacksId ? 6 : 0) - (action === undefined ? 4 : 0);
  return { name, action, args, required, id, score: isAbout && (action ?? asked.action) === asked.action ? score : 0 };
}

function fillArguments(properties: [string, JsonSchema][], asked: Asked) {
  const args: JsonObject = {};
  let id: string | undefined;
  for (const [key, schema] of properties) {
    const hints = schema.type === "string" ? toWords(`${schema.format} ${schema.description}`) : [];
    const kind = Array.isArray(schema.enum) ? undefined : findKind([...toWords(key).reverse(), ...hints], kinds);
    const value = kind === undefined ? findOther(key, schema, asked.text) : asked[kind];
    const typed = numeric.test(String(schema.type)) ? Number(value) : value;
    if (value !== undefined && !Number.isNaN(typed)) args[key] = typed ?? null;
    if (kind === "id") id ??= key;
  }
  return { id, args };
}

const greeting =
  /^\W*(?:hi|hello|hey|greetings|good (?:morning|afternoon|evening|day)|how are you|how do you do|nice to meet you|thanks?|thank you|bye|goodbye|see you)\b/i;
const howAreYou = /\bhow (?:are|do) you\b/i;
const thanks = /^\W*thank/i;
const farewell = /^\W*(?:bye|goodbye|see you)/i;
const abilities =
  /\bwhat (?:else )?(?:can|could|do) you (?:do|help|offer|know)\b|\bhow can you help\b|\bwho are you\b|\bhelp(?: me)?\W*$/i;
const clock =
  /\b(?:what(?:'s| is)?|which|tell me)\b(?: the)?(?: current)? (?:date|time|day|weekday|year|month)\b(?= is it| is today| now| today|\W*$)|\btoday'?s date\b|\bwhat day\b/i;
const clockWord = /^(?:date|time|datetime|clock)$/;

type Heard = { text: string; system: string; tools: readonly ModelTool[] };

/** Answers without a tool: the time, a greeting, the model's abilities. Undefined for everything else. */
function answerSmallTalk({ text, system, tools }: Heard): string | undefined {
  if (clock.test(text) && !tools.some(isClock)) return tellTime(system);
  if (abilities.test(text)) return listAbilities(tools);
  // A greeting before a request is a request.
  if (!greeting.test(text) || findAction(text.replace(greeting, "")) !== undefined) return undefined;
  if (farewell.test(text)) return "Goodbye!";
  if (thanks.test(text)) return "You are welcome.";
  return `${howAreYou.test(text) ? "I am fine, thank you for asking." : "Hello!"} ${listAbilities(tools)}`;
}

/** The reply if no tool matches: the tools available, and what to tell the model. */
function askForMore(tools: readonly ModelTool[]): string {
  if (tools.length === 0) return "I cannot do that: I have no tools. I have: none. Add an integration to the agent.";
  const names = tools.map(({ name }) => name).join(", ");
  return `I could not match that to one of my tools. I have: ${names}. Name what you want to do, and with what.`;
}

/** From the first date and time in the system messages, where `{{ current_date_time }}` inserts it. */
function tellTime(system: string): string {
  const [moment] = /\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?/.exec(system) ?? [];
  const at = new Date(moment ?? "");
  if (Number.isNaN(at.getTime())) {
    return "I was not told the time. Put {{ current_date_time }} into the agent's system message.";
  }
  const format = { dateStyle: "full", timeStyle: "short", timeZone: "UTC" } as const;
  return `It is ${new Intl.DateTimeFormat("en-GB", format).format(at)} (UTC).`;
}

function isClock({ name }: ModelTool): boolean {
  return toWords(name).some((word) => clockWord.test(word));
}

function listAbilities(tools: readonly ModelTool[]): string {
  if (tools.length === 0) return "I have no tools: I only repeat rules. Add an integration, or connect a model.";
  const listed = tools.map(({ name, description }) => `- ${name}: ${description.split("\n")[0]?.slice(0, 150)}`);
  return `I can use these tools:\n${listed.join("\n")}`;
}

const opening = /<passage number="(\d{1,9})"[^>\n]{0,2000}>\n/y;
const [begins, ends] = ["<passage ", "\n</passage>"];
/** Bounds of what is read: a message or a document may hold anything, and this runs on the server's own thread. */
const [mostPassages, mostCharacters, mostSentences, mostAsked] = [20, 5_000, 500, 50];
const [mostOfSentence, mostOfHeading] = [500, 100];

/** The numbered passages in a text, in the form that the engine gives them (`citePassages`), and the text without them. */
export function readPassages(text: string): { passages: { number: string; text: string }[]; rest: string } {
  const passages: { number: string; text: string }[] = [];
  let [rest, read] = ["", 0];
  let at = text.indexOf(begins);
  for (let tried = 0; at >= 0 && tried < mostPassages; tried += 1, at = text.indexOf(begins, at + 1)) {
    opening.lastIndex = at;
    const [head, number = ""] = opening.exec(text) ?? [];
    if (head === undefined) continue;
    const end = text.indexOf(ends, at);
    if (end < 0) break;
    passages.push({ number, text: text.slice(at + head.length, Math.min(end, at + mostCharacters)) });
    rest += text.slice(read, at);
    read = at = end + ends.length;
  }
  return { passages, rest: rest + text.slice(read) };
}

/**
 * The sentence that has most of the question's words, with the number of its passage as `[1]`; a word weighs less in the
 * measure in which others have it, and a heading counts for what is below it. Undefined without any sentence.
 */
export function answerFromPassages(passages: readonly { number: string; text: string }[], question: string) {
  const sentences = passages
    .flatMap(({ number, text }) => sentencesOf(text).map((found) => ({ ...found, number })))
    .slice(0, mostSentences)
    .map(({ heading, ...found }) => ({ ...found, nouns: new Set(findNouns(`${heading} ${found.sentence}`)) }));
  const asked = [...new Set(findNouns(question))].slice(-mostAsked);
  const weights = asked.map((noun) => 1 / sentences.filter(({ nouns }) => nouns.has(noun)).length);
  const weigh = (nouns: ReadonlySet<string>) =>
    asked.reduce((sum, noun, index) => sum + (nouns.has(noun) ? (weights[index] ?? 0) : 0), 0);
  const [best] = sentences.map((found) => ({ ...found, score: weigh(found.nouns) })).sort((a, b) => b.score - a.score);
  return best && `${best.sentence} [${best.number}]`;
}

/** Sentences and rows of tables of a text in Markdown, without its marks. */
function sentencesOf(text: string): { sentence: string; heading: string }[] {
  let heading = "";
  return text.split("\n").flatMap((line) => {
    const plain = line.replace(/^[\s>]*(?:[-*+]\s|\d{1,3}[.)]\s)?/, "").replaceAll(/\*\*|__|`/g, "");
    if (plain.startsWith("#")) heading = plain.slice(0, mostOfHeading);
    const cells = plain.split("|").map((cell) => cell.trim());
    const said = plain.startsWith("#")
      ? []
      : cells.length > 2
        ? [cells.filter(isWord).join(", ")]
        : plain.split(/(?<=[.!?…]) /);
    return said
      .map((sentence) => sentence.trim().slice(0, mostOfSentence))
      .filter((sentence) => sentence !== "")
      .map((sentence) => ({ sentence, heading }));
  });
}

/** A cell of a table that is neither empty nor the line below its head. */
const isWord = (cell: string) => cell !== "" && !/^[:-]+$/.test(cell);
