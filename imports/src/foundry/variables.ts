import { idOf, pathIn } from "./paths.ts";
import { type Resolve, toLiteral } from "./power-fx/index.ts";
import type { WorkflowFacts } from "./workflow-facts.ts";

/** A place that an action writes: a key of the flow's state, and a path into its value. */
export type Target = { key: string; rest: readonly string[] };

/** How the variables of a workflow are called in the flow's state, in templates and in functions. */
export type Variables = {
  /** The place that a target such as `Local.City` names; undefined for what is none. */
  target(text: string): Target | undefined;
  /** A key of the state that no variable has, the same for the same name. */
  own(name: string): string;
  resolve: Resolve;
  /** References to values that a template reads as the expression does: neither lists nor messages. */
  toReference(path: readonly string[]): string | undefined;
  /** Whether a path names a variable that holds the text of messages. */
  isMessage(path: readonly string[]): boolean;
  /** Whether a place holds the text of messages. */
  holdsMessages(target: Target): boolean;
  /** Every key that was named so far. */
  keys(): string[];
  /** Keys of the variables in a scope: `local` or `global`. */
  keysIn(scope: string): string[];
};

/** Prefix of the keys of a scope. Those of the run itself have none. */
const prefixes: ReadonlyMap<string, string> = new Map([
  ["local", ""],
  ["topic", ""],
  ["global", "Global_"],
  ["user", "User_"],
  ["system", "System_"],
  ["agent", "Agent_"],
  ["conversation", "Conversation_"],
]);

/** Names that are never keys of the state, or mean something to JavaScript. */
const reserved = /^(__proto__|constructor|prototype|toString|valueOf|hasOwnProperty)$/;

/** Keys that the importer itself writes. */
const ownKeys: ReadonlySet<string> = new Set(["System_LastMessageText", "System_NextMessage", "System_Conversations"]);

export function createVariables(facts: WorkflowFacts): Variables {
  const keys = new Map<string, string>();
  const taken = new Set<string>(ownKeys);
  const declared = new Set<string>();

  function keyFor(scope: string, name: string): string {
    const id = `${scope === "topic" ? "local" : scope}.${name}`;
    const known = keys.get(id);
    if (known !== undefined) return known;
    const wanted = `${prefixes.get(scope) ?? ""}${name}`.replaceAll(/[\s.[\]{}]/g, "_").slice(0, 150);
    const base = wanted === "" || reserved.test(wanted) ? `${wanted}_` : wanted;
    const isOwn = ownKeys.has(base) && (scope === "own" || scope === "system");
    let key = base;
    for (let number = 2; taken.has(key) && !isOwn; number += 1) key = `${base}_${number}`;
    keys.set(id, key);
    taken.add(key);
    declared.add(key);
    return key;
  }

  function stateOf(path: readonly string[]): { key: string; length: number } | undefined {
    const [root = "", name, third] = path;
    const scope = root.toLowerCase();
    if (name === undefined) return undefined;
    if (scope === "workflow") {
      const isOutput = name.toLowerCase() === "outputs" && third !== undefined;
      return isOutput ? { key: keyFor("output", `Output_${third}`), length: 3 } : undefined;
    }
    return prefixes.has(scope) ? { key: keyFor(scope, name), length: 2 } : undefined;
  }

  return {
    target(text) {
      const path = pathIn(text);
      if (path === undefined) return undefined;
      const found = stateOf(path.length === 1 ? ["Local", ...path] : path);
      return found && { key: found.key, rest: path.slice(found.length) };
    },
    own: (name) => keyFor("own", name),
    resolve(path) {
      const known = systemCode(path) ?? inputCode(path);
      if (known !== undefined) return known;
      const found = stateOf(path);
      return found && { code: `(${stateCode(found.key)} ?? null)`, length: found.length };
    },
    toReference(path) {
      const known = systemReference(path, facts) ?? inputReference(path);
      if (known !== undefined) return known;
      const found = isSystemValue(path) ? undefined : stateOf(path);
      if (found === undefined || facts.recordKeys.has(idOf(path))) return undefined;
      const rest = path.slice(found.length);
      const isText = facts.messageKeys.has(idOf(path)) && /^(text|content)$/i.test(rest[0] ?? "text");
      return toPath("$flow.state", [found.key, ...(isText ? rest.slice(1) : rest)]);
    },
    holdsMessages: ({ key, rest }) =>
      rest.length === 0 && [...keys].some(([id, own]) => own === key && facts.messageKeys.has(id)),
    isMessage: (path) => path.length === 2 && facts.messageKeys.has(idOf(path)),
    keys: () => [...declared],
    keysIn: (scope) => [...keys].filter(([id]) => id.startsWith(`${scope}.`)).map(([, key]) => key),
  };
}

/** JavaScript that reads a key of the state. */
export function stateCode(key: string): string {
  return /^[A-Za-z_]\w*$/.test(key) && !/^(fetch|require|import|axios)$/.test(key)
    ? `$flow.state.${key}`
    : `$flow.state[${toLiteral(key)}]`;
}

/** `{{ root.a.b }}`; undefined where a name cannot stand in a template. */
export function toPath(root: string, names: readonly string[]): string | undefined {
  return names.every((name) => /^[^\s[\].{}]+$/.test(name)) ? `{{ ${[root, ...names].join(".")} }}` : undefined;
}

type SystemValue = { code: string; reference?: string };

const lastWords = "fx_lastMessage($flow).Text";

/** What the run knows by itself, by the path after `System.`, in lower case. */
const systemValues: ReadonlyMap<string, SystemValue> = new Map<string, SystemValue>([
  ["lastmessage", { code: lastWords }],
  ["lastmessage.text", { code: lastWords }],
  ["lastmessage.id", { code: "($flow.apiMessageId ?? null)" }],
  ["lastmessagetext", { code: lastWords }],
  ["lastmessageid", { code: "($flow.apiMessageId ?? null)" }],
  ["activity", { code: lastWords }],
  ["activity.text", { code: lastWords }],
  ["recognizer.text", { code: lastWords }],
  ["conversationid", { code: "($flow.sessionId ?? null)", reference: "{{ $flow.sessionId }}" }],
  ["conversation.id", { code: "($flow.sessionId ?? null)", reference: "{{ $flow.sessionId }}" }],
  ["currentdatetime", { code: "fx_now()", reference: "{{ current_date_time }}" }],
  ["conversation.intestmode", { code: "false" }],
  ["conversation.localtimezone", { code: '"UTC"' }],
  ["conversation.localtimezoneoffset", { code: "0" }],
  ["internalid", { code: "($flow.executionId ?? null)", reference: "{{ $flow.executionId }}" }],
]);

function systemKey(path: readonly string[]): string | undefined {
  if (path[0]?.toLowerCase() !== "system") return undefined;
  const words = path.slice(1).map((name) => name.toLowerCase());
  return [words.slice(0, 2).join("."), words[0] ?? ""].find((key) => systemValues.has(key));
}

function isSystemValue(path: readonly string[]): boolean {
  return systemKey(path) !== undefined;
}

function systemCode(path: readonly string[]) {
  const key = systemKey(path);
  const value = key === undefined ? undefined : systemValues.get(key);
  return value && { code: value.code, length: 1 + (key?.split(".").length ?? 0) };
}

/** The question is the user's latest words until the flow asks something. */
function systemReference(path: readonly string[], facts: WorkflowFacts): string | undefined {
  const key = systemKey(path);
  const value = key === undefined ? undefined : systemValues.get(key);
  if (key === undefined || value === undefined || path.length !== 1 + key.split(".").length) return undefined;
  return value.reference ?? (value.code === lastWords && !facts.asks ? "{{ question }}" : undefined);
}

/** `Env.X` and `Workflow.Inputs.X` are variables of the platform, or sent with the run. */
function inputNames(path: readonly string[]): { name: string; length: number } | undefined {
  const [root = "", second, third] = path;
  if (root.toLowerCase() === "env" && second !== undefined) return { name: second, length: 2 };
  if (root.toLowerCase() === "inputs" && second !== undefined) return { name: second, length: 2 };
  const isInput = root.toLowerCase() === "workflow" && second?.toLowerCase() === "inputs" && third !== undefined;
  return isInput ? { name: third, length: 3 } : undefined;
}

function inputCode(path: readonly string[]) {
  const input = inputNames(path);
  return input && { code: `($vars[${toLiteral(input.name)}] ?? null)`, length: input.length };
}

function inputReference(path: readonly string[]): string | undefined {
  const input = inputNames(path);
  return input && toPath("$vars", [input.name, ...path.slice(input.length)]);
}
