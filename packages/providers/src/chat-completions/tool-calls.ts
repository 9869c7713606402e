import type { ModelToolCall } from "@weft/engine/ports/chat-model";
import type { JsonObject } from "@weft/schema";
import { invalidAnswer } from "../failure/model-failure.ts";

/** A delta of a tool call, as streamed. */
export type CallDelta = {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  vendorState: JsonObject | undefined;
};

export type CallCollector = { add(delta: CallDelta): void; finish(): ModelToolCall[] };

type Call = CallDelta & { name: string; structure: Structure };

/** No real answer has more; an endless stream of calls is cut off. */
const maxCalls = 1_000;

/**
 * Assembles tool calls from their deltas. Servers differ: some give no index, or the same one to several calls, some no
 * id or a new one with every delta, some the name late or repeatedly. A delta is assigned by index, id and name in this
 * order, and by whether the arguments so far are complete; an ambiguous delta is dropped. Throws `model-invalid-answer`
 * for a call without a name. Calls without an id of their own get one from `createId`.
 */
export function createCallCollector(createId: (position: number) => string): CallCollector {
  const calls: Call[] = [];
  const byId = new Map<string, Set<Call>>();
  const byIndex = new Map<number, Set<Call>>();
  /** Deltas of calls whose name has not arrived, by index. */
  const nameless = new Map<number, CallDelta>();

  function begin(delta: CallDelta): Call {
    const { name } = delta;
    if (name === undefined) throw invalidAnswer("it calls a tool without a name");
    if (calls.length === maxCalls) throw invalidAnswer(`it calls more than ${maxCalls} tools`);
    const call = { ...delta, name, structure: createStructure(delta.arguments) };
    calls.push(call);
    return call;
  }

  function take(piece: CallDelta): void {
    // A blank name starts nothing; some servers repeat it with every delta.
    const isBlank = piece.name?.trim() === "";
    const delta = isBlank ? { ...piece, name: undefined } : piece;
    const found = find(delta, { calls, byId, byIndex });
    if (found === "unclear" || (found === "none" && isBlank)) return;
    const call = found === "none" ? begin(delta) : found;
    if (found !== "none") append(call, delta.arguments);
    if (delta.id !== undefined) note(byId, delta.id, call);
    if (delta.index !== undefined) note(byIndex, delta.index, call);
  }

  return {
    add(delta) {
      const { index } = delta;
      if (index === undefined || byIndex.has(index)) return take(delta);
      const earlier = nameless.get(index);
      const whole = earlier === undefined ? delta : join(earlier, delta);
      if (whole.name === undefined) return void nameless.set(index, whole);
      nameless.delete(index);
      take(whole);
    },
    finish() {
      for (const delta of nameless.values()) take(delta);
      return toCalls(calls, createId);
    },
  };
}

function join(earlier: CallDelta, later: CallDelta): CallDelta {
  return {
    index: later.index,
    id: earlier.id ?? later.id,
    name: later.name,
    arguments: earlier.arguments + later.arguments,
    vendorState: earlier.vendorState ?? later.vendorState,
  };
}

function note<Key>(calls: Map<Key, Set<Call>>, key: Key, call: Call): void {
  const known = calls.get(key);
  if (known === undefined) calls.set(key, new Set([call]));
  else known.add(call);
}

/** By index if all have one. An id belongs to the first call that has it. */
function toCalls(calls: Call[], createId: (position: number) => string): ModelToolCall[] {
  const isIndexed = calls.every(({ index }) => index !== undefined);
  const ordered = isIndexed ? calls.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) : calls;
  const first = new Map(calls.toReversed().map((call) => [call.id, call]));
  return ordered.map((call, position) => ({
    id: call.id !== undefined && first.get(call.id) === call ? call.id : createId(position),
    name: call.name,
    arguments: call.arguments,
    ...(call.vendorState && { vendorState: call.vendorState }),
  }));
}

type Calls = ReadonlySet<Call> | undefined;
type Index = { calls: readonly Call[]; byId: Map<string, Set<Call>>; byIndex: Map<number, Set<Call>> };

/** The call that a delta continues. */
function find(delta: CallDelta, { calls, byId, byIndex }: Index): Found {
  const { index, id, name } = delta;
  const begins = name !== undefined && /^\s*[{[]/.test(delta.arguments);
  const atIndex = index === undefined ? undefined : byIndex.get(index);
  const known = id === undefined ? undefined : byId.get(id);
  if (known !== undefined && index === undefined) return choose(named(known, name), begins);
  if (known !== undefined) return findKnown({ known, atIndex, name, begins });
  // A new id with the start of arguments is a new call; otherwise the server changed the id of a running one.
  if (id !== undefined) return begins ? "none" : choose(named(atIndex, name), isBare(delta));
  if (atIndex !== undefined) return choose(named(atIndex, name), begins);
  return name === undefined ? choose(calls, false) : "none";
}

function named(calls: Calls, name: string | undefined): Call[] {
  return [...(calls ?? [])].filter((call) => name === undefined || call.name === name);
}

function isBare(delta: CallDelta): boolean {
  return delta.name !== undefined && delta.arguments.trim() === "";
}

type Known = { known: ReadonlySet<Call>; atIndex: Calls; name: string | undefined; begins: boolean };

/** The call with a known id that continues at an index. */
function findKnown({ known, atIndex, name, begins }: Known): Found {
  const both = named(atIndex, name).filter((call) => known.has(call));
  const found = choose(both, begins);
  // A name at another index starts a new call, since servers give several calls the same id.
  if (found !== "none" || name !== undefined) return found;
  return atIndex === undefined ? choose([...known], false) : "unclear";
}

type Found = Call | "none" | "unclear";

/** The call that continues. `begins`: the delta starts a value, so it does not continue a complete one. */
function choose(calls: readonly Call[], begins: boolean): Found {
  const [only] = calls;
  if (only === undefined) return "none";
  if (!begins && calls.length === 1) return only;
  const [open, ...others] = calls.filter(({ structure }) => !structure.isWhole);
  if (open !== undefined && others.length === 0) return open;
  return open !== undefined || !begins ? "unclear" : "none";
}

/** Parse state of an incremental JSON object or array. `depth` −1: it is neither. */
type Structure = { depth: number; inString: boolean; isEscaped: boolean; isWhole: boolean };

function createStructure(text: string): Structure {
  const structure = { depth: 0, inString: false, isEscaped: false, isWhole: false };
  follow(structure, text);
  return structure;
}

function append(call: Call, text: string): void {
  call.arguments += text;
  follow(call.structure, text);
}

function follow(structure: Structure, text: string): void {
  for (const character of text) {
    if (structure.isWhole || structure.depth < 0) return;
    if (structure.inString) followString(structure, character);
    else followValue(structure, character);
  }
}

function followValue(structure: Structure, character: string): void {
  if (character === "{" || character === "[") structure.depth += 1;
  else if (character === "}" || character === "]") {
    structure.depth -= 1;
    structure.isWhole = structure.depth === 0;
  } else if (structure.depth > 0) structure.inString = character === '"';
  else if (character.trim() !== "") structure.depth = -1;
}

function followString(structure: Structure, character: string): void {
  if (structure.isEscaped) structure.isEscaped = false;
  else if (character === "\\") structure.isEscaped = true;
  else if (character === '"') structure.inString = false;
}
