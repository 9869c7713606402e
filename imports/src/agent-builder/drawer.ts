import type { Json, JsonObject } from "@weft/schema";
import { type Exit, exitOf, type FlowDrawing, type NewNode } from "../drawing/index.ts";
import type { Evaluator } from "./evaluate.ts";
import { toComputation, toTemplate } from "./expressions.ts";
import type { Program } from "./find-program.ts";
import type { Expression } from "./syntax/index.ts";
import { printValue, type Scope, textIn, type Value } from "./values.ts";

/** A part of the program that ends a branch, and where it is drawn. Parts that say the same are drawn once. */
export type Tail = {
  first: string | undefined;
  /** Nodes of the tail that put the question because nothing before them did. */
  asking: string[];
  after: Cursor | undefined;
};

/** One way through the program: where the next node goes, and what names stand for there. */
export type Cursor = {
  exits: Exit[];
  names: Map<string, Value>;
  /** Whether the conversation of the run holds the user's question already. */
  hasAsked: boolean;
  /** Values that the state gets before the next node. */
  pending: Map<string, Value>;
  /** Tests that are decided here, by their print. */
  facts: Map<string, boolean>;
  /** The newest run of an agent. */
  latest: Value | undefined;
  /** The newest run of an agent before each exit, where several ways have met. */
  latestBefore: Map<string, Value>;
  /** Messages that the program itself added to the conversation. */
  added: Value[];
  tails: Tail[];
  /** Nothing follows: the program has returned. */
  isOver: boolean;
};

/** A function that is being drawn: what its `return` and its loops lead to. */
export type Frame = {
  giveBack(value: Value): void;
  breaks?: Cursor[];
  continues?: Cursor[];
};

/** Draws one program. `cursor` moves along while it is read. */
export type Drawer = {
  readonly program: Program;
  readonly drawing: FlowDrawing;
  readonly evaluator: Evaluator;
  cursor: Cursor;
  frame: Frame;
  /** The call whose result the program returns as it is. */
  lastCall: Expression | undefined;
  name: string;
  /** The branch that is being drawn: what follows it is the same for all of its ways. */
  place: string;
  /** Names of objects that are the state. */
  readonly stateNames: ReadonlySet<string>;
  /** Names of lists that the program adds to. */
  readonly lists: ReadonlySet<string>;
  /** How many nodes there are, and the id of each of them. */
  nodeCount(): number;
  nodeAt(index: number): string | undefined;
  /** Names that several ways give different values, and that live in the state for that. */
  readonly shared: ReadonlySet<string>;
  /** Those found while drawing. */
  readonly found: Set<string>;
  /** State of the flow by key, with what it starts with. */
  readonly state: Map<string, Json>;
  /** The question, or what a guardrail made of it. */
  question: Value;
  /** The question without what a guardrail hides. */
  masked: Value | undefined;
  readonly tails: Map<string, Tail>;
  /** Model nodes: whose messages later ones see, whose answer is given back, and whose is shown at once. */
  readonly pushed: Set<string>;
  readonly returned: Set<string>;
  readonly shown: Set<string>;
  readonly modelNodes: Set<string>;
  /** Nodes that something follows. */
  readonly leading: ReadonlySet<string>;
  /** Functions that are drawn in place, from the outermost inwards. */
  readonly drawn: string[];
  /** Characters that may still be compared in search of tails that say the same. */
  budget: number;
};

export function cloneCursor(cursor: Cursor): Cursor {
  return {
    ...cursor,
    exits: [...cursor.exits],
    names: new Map(cursor.names),
    pending: new Map(cursor.pending),
    facts: new Map(cursor.facts),
    latestBefore: new Map(cursor.latestBefore),
    added: [...cursor.added],
    tails: [...cursor.tails],
  };
}

/** The names at the cursor. A name that different ways gave different values is noted, to be kept in the state. */
export function scopeOf(drawer: Drawer): Scope {
  return {
    find(name) {
      // A name in the state is read after what was written before.
      if (drawer.shared.has(name) && drawer.cursor.pending.has(name)) settle(drawer);
      const value = drawer.cursor.names.get(name) ?? outerList(drawer, name);
      if (value?.kind === "different") drawer.found.add(value.name);
      return value;
    },
  };
}

/** A conversation that is kept outside of the workflow. */
function outerList(drawer: Drawer, name: string): Value | undefined {
  const value = drawer.lists.has(name) ? drawer.evaluator.outermost.find(name) : undefined;
  if (value?.kind !== "list") return undefined;
  const history: Value = { kind: "history", first: [...value.items] };
  drawer.cursor.names.set(name, history);
  return history;
}

/** Adds a node at the cursor, after what the state gets before it. */
export function addNode(drawer: Drawer, node: NewNode): string {
  settle(drawer);
  return addAtOnce(drawer, node);
}

/** More nodes than a flow can have: what comes after them need not be drawn. */
const tooManyNodes = 2_050;

function addAtOnce({ drawing, cursor, nodeCount }: Drawer, node: NewNode): string {
  const id = drawing.add(node, cursor.exits);
  cursor.exits = exitOf(id);
  if (nodeCount() > tooManyNodes) cursor.isOver = true;
  for (const tail of cursor.tails) tail.first ??= id;
  return id;
}

/** A value that templates can hold: computed by a node where need be. Undefined, and reported, where it is unknown. */
function settled(drawer: Drawer, value: Value, what: string): Value | undefined {
  if (toTemplate(value) !== undefined) return value;
  const computation = toComputation(value, drawer.program.language === "python");
  if (computation === undefined) {
    reportUnknown(drawer, value, what);
    return undefined;
  }
  const id = addNode(drawer, { ...functionNode(computation), id: "compute", label: `Compute ${what}` });
  return { kind: "path", path: isWords(value) ? id : `${id}.output.data` };
}

function isWords(value: Value): boolean {
  return (
    value.kind === "text" || (value.kind === "operation" && /^(text|trim|lower|upper|join|plus)$/.test(value.operator))
  );
}

/** A custom function that only computes: its result is never an answer. */
export function functionNode(config: JsonObject | { code: string; variables: { name: string; value: string }[] }) {
  return { type: "custom-function", config: { ...config, reply: "never" } };
}

/** The template of a value, computed first where need be; empty and reported where it is unknown. */
export function templateOf(drawer: Drawer, value: Value, what: string): string {
  const ready = settled(drawer, value, what);
  return ready === undefined ? "" : (toTemplate(ready) ?? "");
}

export function reportUnknown({ drawing }: Drawer, value: Value, what: string): void {
  const lines = linesOf(value);
  const where = lines.length === 0 ? "" : ` (line ${lines.join(", ")})`;
  const text = `The program computes ${what}${where} in a way that is not taken over. Put it in by hand.`;
  drawing.report(null).refuse("agent-builder-code-unknown", text);
}

/** Lines of what is unknown in a value. */
function linesOf(value: Value): number[] {
  const lines = new Set<number>();
  const parts: Value[] = [value];
  for (const part of parts) {
    if ((part.kind === "unknown" || part.kind === "call") && part.line > 0) lines.add(part.line);
    if (part.kind === "text") parts.push(...part.parts.filter((one) => typeof one !== "string"));
    if (part.kind === "operation") parts.push(...part.args);
    if (part.kind === "list") parts.push(...part.items);
    if (part.kind === "object") parts.push(...part.fields.values());
    if (parts.length > 1_000) break;
  }
  return [...lines].toSorted((one, other) => one - other).slice(0, 10);
}

const updating = new Set(["llm", "agent", "custom-function", "retriever", "http", "tool", "direct-reply"]);

/** Writes the pending values into the state: on the node before, or on one of their own. */
export function settle(drawer: Drawer): void {
  const { cursor } = drawer;
  if (cursor.pending.size === 0 || cursor.isOver) return;
  const pending = [...cursor.pending];
  cursor.pending = new Map();
  const before = nodeBefore(drawer);
  const rows = pending.map(([key, value]) => ({ key, value: plainUpdate(value, pending) }));
  if (before && rows.every(({ value }) => value !== undefined)) {
    addUpdates(
      drawer,
      before,
      rows.map(({ key, value = "" }) => ({ key, value: ownOutput(value, before) })),
    );
    return;
  }
  updateByNode(drawer, pending, rows);
}

type Pending = readonly (readonly [string, Value])[];

function updateByNode(drawer: Drawer, pending: Pending, rows: { key: string; value: string | undefined }[]): void {
  const computed = pending.filter((_, index) => rows[index]?.value === undefined);
  const fields = new Map(computed.map(([, value], index) => [`value${index}`, value] as const));
  const computation =
    computed.length === 0
      ? { code: "return null;", variables: [] }
      : toComputation({ kind: "object", fields }, drawer.program.language === "python");
  if (computation === undefined) {
    for (const [key, value] of computed) reportUnknown(drawer, value, `the state ${key}`);
  }
  const node = functionNode(computation ?? { code: "return {};", variables: [] });
  const id = addAtOnce(drawer, { ...node, id: "set_state", label: "Set state" });
  const updates = rows.map(({ key, value }) => {
    const index = computed.findIndex(([name]) => name === key);
    return { key, value: value ?? `{{ output.data.value${index} }}` };
  });
  addUpdates(drawer, id, updates);
}

/** The node that the cursor stands behind, if it can write the state. */
function nodeBefore({ cursor, drawing }: Drawer): string | undefined {
  const [only, ...others] = cursor.exits;
  if (!only || others.length > 0 || only.port !== "out") return undefined;
  return updating.has(drawing.node(only.nodeId).type) ? only.nodeId : undefined;
}

/** A template that keeps the value's type. A value of the state that is written at the same time is read before. */
function plainUpdate(value: Value, pending: Pending): string | undefined {
  if (value.kind === "literal" && textIn(value) === undefined) return undefined;
  if (value.kind === "object" || value.kind === "list") return undefined;
  const template = toTemplate(value);
  const isRead = pending.some(([key]) => template?.includes(`$flow.state.${key}`));
  return isRead && pending.length > 1 ? undefined : template;
}

function ownOutput(template: string, nodeId: string): string {
  return template
    .replaceAll(`{{ ${nodeId}.output.`, "{{ output.")
    .replaceAll(`{{ ${nodeId} }}`, "{{ output.content }}");
}

function addUpdates({ drawing }: Drawer, nodeId: string, updates: { key: string; value: string }[]): void {
  const { config } = drawing.node(nodeId);
  const known = Array.isArray(config.updateState) ? config.updateState : [];
  config.updateState = [...known, ...updates];
}

/** Declares a key of the state, if it is new. A name that no state can have gets another one. */
export function stateKey({ state }: Drawer, name: string, initial: Json = ""): string {
  const key = name === "__proto__" ? "proto" : name.slice(0, 200) || "value";
  if (!state.has(key)) state.set(key, initial);
  return key;
}

/** What the state holds under a key at the cursor. */
export function readState(drawer: Drawer, name: string): Value {
  const key = stateKey(drawer, name);
  const pending = drawer.cursor.pending.get(key);
  if (pending && !printValue(pending).includes("$flow.state.")) return pending;
  if (pending) settle(drawer);
  const initial = drawer.state.get(key);
  const type = initial === null || initial === "" ? undefined : Array.isArray(initial) ? "array" : typeof initial;
  return { kind: "path", path: `$flow.state.${key}`, schema: type === undefined ? undefined : { type } };
}

/** Gives a key of the state a value, once the next node is reached. */
export function writeState(drawer: Drawer, name: string, value: Value): void {
  const key = stateKey(drawer, name, null);
  drawer.cursor.pending.set(key, value.kind === "run" ? value.text : value);
}

/** Goes on where several ways meet. */
export function join(drawer: Drawer, ways: readonly Cursor[]): void {
  const open = ways.filter(({ isOver }) => !isOver);
  for (const way of open) {
    drawer.cursor = way;
    settle(drawer);
  }
  const [first, ...others] = open;
  if (!first) {
    drawer.cursor.isOver = true;
    return;
  }
  const joined = cloneCursor(first);
  joined.exits = open.flatMap(({ exits }) => exits);
  joined.latestBefore = new Map(open.flatMap((way) => way.exits.flatMap((exit) => latestAt(way, exit))));
  joined.hasAsked = open.every(({ hasAsked }) => hasAsked);
  joined.tails = [...new Set(open.flatMap(({ tails }) => tails))];
  for (const other of others) joinNames(drawer, joined, other);
  drawer.cursor = joined;
}

const keyOf = ({ nodeId, port }: Exit): string => `${nodeId}:${port}`;

function latestAt({ latest, latestBefore }: Cursor, exit: Exit): [string, Value][] {
  const run = latestBefore.get(keyOf(exit)) ?? latest;
  return run ? [[keyOf(exit), run]] : [];
}

/** The exits behind which nothing follows, by the run of an agent that came before them. */
export function latestRuns({ cursor }: Drawer): Map<Value, Exit[]> {
  const runs = new Map<Value, Exit[]>();
  for (const exit of cursor.exits) {
    for (const [, run] of latestAt(cursor, exit)) runs.set(run, [...(runs.get(run) ?? []), exit]);
  }
  return runs;
}

function joinNames({ shared }: Drawer, joined: Cursor, other: Cursor): void {
  for (const name of new Set([...joined.names.keys(), ...other.names.keys()])) {
    const [one, two] = [joined.names.get(name), other.names.get(name)];
    const isSame = one === two || (one && two && printValue(one) === printValue(two));
    if (!isSame && !shared.has(name)) joined.names.set(name, { kind: "different", name });
    // What only one way has written is read from the state as well.
    else if (!one && two) joined.names.set(name, two);
  }
  for (const [test, outcome] of joined.facts) if (other.facts.get(test) !== outcome) joined.facts.delete(test);
  const isSameRun = joined.latest && other.latest && printValue(joined.latest) === printValue(other.latest);
  if (!isSameRun) joined.latest = undefined;
}

/** Says which lines have no counterpart. */
export function leaveOut({ drawing }: Drawer, { line, lastLine }: { line: number; lastLine: number }): void {
  const lines = line === lastLine ? `Line ${line}` : `Lines ${line} to ${lastLine}`;
  const text = `${lines} of the program: this code is not taken over. Add what it does by hand, if the flow needs it.`;
  drawing.report(null).warn("agent-builder-code-unknown", text);
}
