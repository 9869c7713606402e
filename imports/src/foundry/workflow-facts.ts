import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { anyOf, booleanIn, fieldOf, kindIn, objectIn, objectsIn, textIn } from "./fields.ts";
import { idOf, pathIn } from "./paths.ts";

/** What must be known of a whole workflow before its first action is drawn. */
export type WorkflowFacts = {
  /** Whether a person is asked on the way, so that the question is not always the latest that was said. */
  asks: boolean;
  /** Every place that an action writes, as the file names it. */
  targets: readonly string[];
  /** Whether anything reads the user's latest words. */
  readsLastMessage: boolean;
  /** Variables that hold nothing but messages, as `local.Answer`. The flow keeps the text of a message. */
  messageKeys: ReadonlySet<string>;
  /** Variables that may hold a message as a record. */
  recordKeys: ReadonlySet<string>;
  /**
   * Whether the user's question stands in the state until an agent has been told it: only so is it told once where agents
   * run in a loop or on some ways alone.
   */
  keepsQuestion: boolean;
  /** Whether an action may run more than once. */
  hasLoops: boolean;
  /** The agent actions before which no agent was told the question. */
  first: ReadonlySet<JsonObject>;
};

/** The lists of actions in an action, in their order. */
function listsIn(action: JsonObject): Json[][] {
  const lists: Json[][] = [];
  for (const condition of objectsIn(action, "conditions")) {
    const actions = fieldOf(condition, "actions");
    if (Array.isArray(actions)) lists.push(actions);
  }
  for (const name of ["actions", "then", "else", "elseActions"]) {
    const actions = fieldOf(action, name);
    if (Array.isArray(actions)) lists.push(actions);
    else if (isJsonObject(actions) && Array.isArray(fieldOf(actions, "actions")))
      lists.push(objectsIn(actions, "actions"));
  }
  return lists;
}

/** Every action with those in it, in the order of the file. */
export function* walkActions(actions: readonly Json[]): Generator<JsonObject> {
  for (const action of actions) {
    if (!isJsonObject(action)) continue;
    yield action;
    for (const list of listsIn(action)) yield* walkActions(list);
  }
}

/** `isKnown`: whether the file of the agent that an action calls is there. Another agent joins no conversation. */
export function findFacts(actions: readonly Json[], isKnown: (action: JsonObject) => boolean): WorkflowFacts {
  const all = [...walkActions(actions)];
  const kinds = new Set(all.map((action) => kindOf(action)));
  const text = JSON.stringify(actions);
  const hasExternalLoop = all.some((action) => externalLoopOf(action) !== undefined);
  const asks = kinds.has("question") || kinds.has("requestexternalinput") || hasExternalLoop;
  const hasLoops = ["gotoaction", "foreach", "addconversationmessage", "copyconversationmessages"].some((kind) =>
    kinds.has(kind),
  );
  const isTold = all.some(
    (action) => callKinds.has(kindOf(action)) && mainConversation.test(textIn(action, "conversationId")),
  );
  const hasAgents = all.some((action) => kindOf(action) === "invokeazureagent" && isKnown(action));
  const asked = followQuestion(actions, isKnown);
  return {
    asks,
    readsLastMessage: /\bSystem\s*\.\s*(LastMessage|Activity|Recognizer)/i.test(text) || asks,
    targets: all.flatMap(allTargets).filter(isText),
    ...messageKeys(all),
    keepsQuestion: hasAgents && (hasLoops || isTold || hasExternalLoop || asked.isMixed),
    hasLoops,
    first: asked.first,
  };
}

/** Calls whose results can join a conversation. */
const callKinds: ReadonlySet<string> = new Set(["httprequestaction", "invokemcptool", "invokefunctiontool"]);

/** `kind` in lower case. */
function kindOf(action: JsonObject): string {
  return kindIn(fieldOf(action, "kind")).toLowerCase();
}

/** The condition under which an agent goes on talking to the user. */
export function externalLoopOf(action: JsonObject): Json | undefined {
  for (const holder of [objectIn(action, "input"), action]) {
    const loop = fieldOf(holder, "externalLoop");
    if (isJsonObject(loop)) return anyOf(loop, "when", "condition");
  }
  return undefined;
}

/** In which conversation an agent takes part, and what it says there. */
export type AgentTalk = {
  /** `main`: that of the run; `thread`: another one; `alone`: it sees what it is sent and nothing else. */
  place: "main" | "thread" | "alone";
  /** Whether it is sent messages of its own beside the conversation. */
  sends: boolean;
  /** Whether later agents see its answer. */
  speaks: boolean;
  /** Whether it is told the user's question or, later on, the user's latest words. */
  tellsQuestion: boolean;
};

/** What names the conversation of the run. */
export const mainConversation = /^=?\s*System\s*\.\s*Conversation\s*\.?\s*Id\s*$/i;
const lastMessage =
  /^=?\s*(?:\[\s*)?(?:UserMessage\s*\(\s*)?System\s*\.\s*(?:LastMessageText|LastMessage(?:\s*\.\s*Text)?)\s*\)?\s*(?:\])?\s*$/i;

/** The messages that an agent is sent. */
export function messagesOf(action: JsonObject): Json | undefined {
  const input = fieldOf(action, "input");
  return isJsonObject(input) ? fieldOf(input, "messages") : input;
}

export function talkOf(action: JsonObject): AgentTalk {
  const conversation = textIn(action, "conversationId");
  const messages = messagesOf(action);
  const hasMessages = messages !== undefined && messages !== "" && !(Array.isArray(messages) && messages.length === 0);
  const isLast = typeof messages === "string" && lastMessage.test(messages);
  const autoSend = booleanIn(objectIn(action, "output"), "autoSend") ?? true;
  if (conversation !== "" && !mainConversation.test(conversation)) {
    return { place: "thread", sends: hasMessages, speaks: false, tellsQuestion: false };
  }
  const isMain = conversation !== "" || !hasMessages;
  const speaks = conversation !== "" || autoSend;
  return {
    place: isMain ? "main" : "alone",
    sends: hasMessages && !(isMain && isLast),
    speaks,
    tellsQuestion: isMain || isLast,
  };
}

type Asked = { first: Set<JsonObject>; isMixed: boolean; isKnown(action: JsonObject): boolean };

/** Follows the ways through the actions: which agents come before the question was told, and whether that is certain. */
function followQuestion(actions: readonly Json[], isKnown: Asked["isKnown"]): Asked {
  const asked: Asked = { first: new Set(), isMixed: false, isKnown };
  follow(actions, false, asked);
  return asked;
}

/** Whether the question has been told at the end of the list; undefined where no way leads there. */
function follow(actions: readonly Json[], before: boolean | undefined, asked: Asked): boolean | undefined {
  let told = before;
  for (const action of actions) {
    if (!isJsonObject(action)) continue;
    const kind = kindOf(action);
    if (kind === "invokeazureagent") told = followAgent(action, told, asked);
    else if (endings.has(kind)) told = undefined;
    else if (kind === "conditiongroup" || kind === "if") told = followBranches(action, told, asked);
  }
  return told;
}

export const endings: ReadonlySet<string> = new Set([
  "cancelconversation",
  "cancelworkflow",
  "endworkflow",
  "enddialog",
  "endconversation",
  "canceldialog",
  "cancelalldialogs",
]);

function followAgent(action: JsonObject, told: boolean | undefined, asked: Asked): boolean | undefined {
  const talk = talkOf(action);
  if (told !== true) asked.first.add(action);
  return told === undefined ? undefined : told || (talk.speaks && talk.tellsQuestion && asked.isKnown(action));
}

function followBranches(action: JsonObject, told: boolean | undefined, asked: Asked): boolean | undefined {
  const hasElse = anyOf(action, "elseActions", "else") !== undefined;
  const ends = listsIn(action).map((list) => follow(list, told, asked));
  if (!hasElse) ends.push(told);
  const reached = ends.filter((end) => end !== undefined);
  if (new Set(reached).size > 1) asked.isMixed = true;
  return reached.length === 0 ? undefined : reached.every((end) => end);
}

/** Variables that hold messages and nothing else, and variables that may hold a message as a record. */
function messageKeys(actions: readonly JsonObject[]): Pick<WorkflowFacts, "messageKeys" | "recordKeys"> {
  const writing = actions.filter((action) => kindOf(action) !== "resetvariable");
  const given = writing.flatMap(assignmentsIn);
  const others = new Set(toKeys(writing.flatMap(otherTargets)));
  const messages = new Set(toKeys(writing.flatMap(messageTargets)));
  addCopies(messages, given);
  const notMessages = given.filter(({ value }) => !givesMessage(value, messages));
  for (const key of toKeys(notMessages.map(({ target }) => target))) others.add(key);
  const messageKeys = new Set([...messages].filter((key) => !others.has(key)));
  const records = given.filter(({ value }) => typeof value === "string" && makesMessage.test(value));
  const recordKeys = toKeys(records.map(({ target }) => target)).filter((key) => !messageKeys.has(key));
  return { messageKeys, recordKeys: new Set(recordKeys) };
}

/** A variable that is given another one holds messages where that one does. */
function addCopies(messages: Set<string>, given: readonly Assignment[]): void {
  const rows = given.map(({ target, value }) => ({ keys: toKeys([target]), value }));
  const made = rows.filter(({ value }) => givesMessage(value, new Set()));
  for (const { keys } of made) for (const key of keys) messages.add(key);
  const copies = Map.groupBy(
    rows.filter(({ value }) => isExpression(value)),
    ({ value }) => toKeys([value])[0] ?? "",
  );
  // What is added on the way is visited as well.
  for (const key of messages) for (const copy of copies.get(key) ?? []) for (const own of copy.keys) messages.add(own);
}

const makesMessage = /\b(User|Agent|Assistant|System)Message\s*\(/i;

type Assignment = { target: Json | undefined; value: Json | undefined };

/** What actions that set variables give them. */
function assignmentsIn(action: JsonObject): Assignment[] {
  if (!/^set(variable|multiplevariables|value)$/.test(kindOf(action))) return [];
  return [action, ...objectsIn(action, "assignments")].map((row) => ({
    target: anyOf(row, "variable", "path"),
    value: fieldOf(row, "value"),
  }));
}

function isExpression(value: Json | undefined): value is string {
  return typeof value === "string" && /^\s*=/.test(value);
}

/** Whether a value is a message, the user's latest or one of a variable. */
function givesMessage(value: Json | undefined, messages: ReadonlySet<string>): boolean {
  if (!isExpression(value)) return false;
  if (/^=\s*(User|Agent|Assistant)Message\s*\(/i.test(value.trim()) || lastMessage.test(value)) return true;
  return toKeys([value]).some((key) => messages.has(key));
}

function allTargets(action: JsonObject): (Json | undefined)[] {
  return [...otherTargets(action), ...messageTargets(action), ...assignmentsIn(action).map(({ target }) => target)];
}

function messageTargets(action: JsonObject): (Json | undefined)[] {
  const output = objectIn(action, "output");
  if (kindOf(action) === "requestexternalinput")
    return [anyOf(action, "variable", "property"), anyOf(output, "property", "response")];
  return [fieldOf(output, "messages"), kindOf(action) === "invokeazureagent" ? fieldOf(output, "result") : undefined];
}

/** Fields of actions that name what they write. */
const writtenFields = ["variable", "property", "path", "index", "response", "responseHeaders", "resultVariable"];

function otherTargets(action: JsonObject): (Json | undefined)[] {
  const kind = kindOf(action);
  const output = objectIn(action, "output");
  const targets = [fieldOf(output, "responseObject"), fieldOf(objectIn(output, "format"), "object")];
  if (assignmentsIn(action).length > 0) return targets;
  if (kind !== "requestexternalinput") targets.push(fieldOf(output, "property"), fieldOf(output, "response"));
  if (kind !== "requestexternalinput") targets.push(...writtenFields.map((field) => fieldOf(action, field)));
  if (kind !== "invokeazureagent") targets.push(fieldOf(output, "result"));
  if (kind === "foreach") targets.push(fieldOf(action, "value"));
  if (kind.startsWith("retrieveconversation"))
    targets.push(anyOf(action, "messages", "message"), fieldOf(action, "output"), fieldOf(output, "messages"));
  return targets;
}

function isText(value: Json | undefined): value is string {
  return typeof value === "string";
}

function toKeys(targets: readonly (Json | undefined)[]): string[] {
  return targets.flatMap((target) => {
    const path = typeof target === "string" ? pathIn(target) : undefined;
    return path === undefined ? [] : [idOf(path.length === 1 ? ["Local", ...path] : path)];
  });
}
