import type { ImportedFlow, ImportFile } from "@weft/dialects/importer";
import type { JsonObject } from "@weft/schema";
import { createFlowDrawing, exitOf, type FlowDrawing } from "../drawing/index.ts";
import { agentName, asAgent, drawAgent } from "./agents.ts";
import { createSteps, drawStatements } from "./draw-program.ts";
import { type Cursor, type Drawer, readState } from "./drawer.ts";
import { endFlow } from "./endings.ts";
import { bind, createEvaluator } from "./evaluate.ts";
import { type Entry, findProgram, type Program } from "./find-program.ts";
import { expressionsOf, lastNameOf, toCode } from "./syntax/index.ts";
import { itemsIn, nothing, settingOf, settingsOf, type Value } from "./values.ts";

/** Whether a file is a program, in TypeScript, JavaScript or Python, that makes agents with the OpenAI Agents SDK. */
export function isAgentBuilderFile({ text }: ImportFile): boolean {
  const { text: code } = toCode(text.slice(0, 300_000));
  if (/^\s*[[{"]/.test(code) && !/^\s*["'](use strict|"")/.test(code)) return false;
  const imports =
    /["']@openai\/agents(-\w+)?["']|^\s*from agents(\.\w+)* import\b[^\n]*\b(Agent|Runner|function_tool|ModelSettings|\()|^\s*import agents\b/m;
  if (imports.test(code)) return true;
  return /\bAgent(\.create)?\s*\(/.test(code) && /__trace_source__|\brun_?[wW]orkflow\b|\bRunner\b/.test(code);
}

/** How often a program is drawn until it is known which of its names live in the state. */
const maxPasses = 6;

/**
 * Makes a flow of a program that was exported from Agent Builder, or written with the same SDK: one program, perhaps in
 * several files. Nothing of it is executed. What has no counterpart is a finding; nothing throws.
 */
export function importAgentBuilder(files: readonly ImportFile[]): ImportedFlow {
  const program = findProgram(files);
  let shared: ReadonlySet<string> = new Set();
  for (let pass = 1; ; pass += 1) {
    const drawer = drawProgram(program, shared);
    const all = new Set([...shared, ...drawer.found]);
    if (all.size === shared.size || pass === maxPasses) return drawer.drawing.finish(drawer.name);
    shared = all;
  }
}

function drawProgram(program: Program, shared: ReadonlySet<string>): Drawer {
  const drawer = createDrawer(program, shared);
  const { drawing } = drawer;
  const start = drawing.add({ type: "start", id: "start", label: "Start", config: {} });
  drawer.cursor.exits = exitOf(start);
  for (const problem of program.problems) drawing.report(null).refuse("agent-builder-file-refused", problem);
  if (program.entry) drawEntry(drawer, program.entry);
  else drawAgentsAlone(drawer);
  const state = Object.fromEntries(drawer.state);
  if (drawer.state.size > 0) drawing.node(start).config.state = state;
  finishModelNodes(drawer);
  return drawer;
}

function createDrawer(program: Program, shared: ReadonlySet<string>): Drawer {
  const drawing = createFlowDrawing();
  const added: string[] = [];
  const leading = new Set<string>();
  const counting: FlowDrawing = {
    ...drawing,
    add(node, from = []) {
      const id = drawing.add(node, from);
      added.push(id);
      for (const { nodeId } of from) leading.add(nodeId);
      return id;
    },
    connect(from, target) {
      for (const { nodeId } of from) leading.add(nodeId);
      drawing.connect(from, target);
    },
  };
  const steps = createSteps(() => drawer);
  const evaluator = createEvaluator(program, {
    ...steps,
    input: (name) => readInputField(drawer, name),
    state: (key) => readState(drawer, key),
  });
  const drawer: Drawer = {
    program,
    drawing: counting,
    evaluator,
    cursor: emptyCursor(),
    frame: { giveBack: (value) => endFlow(drawer, value) },
    lastCall: undefined,
    name: "",
    place: "",
    shared,
    found: new Set(),
    state: new Map(),
    stateNames: findStateNames(program.entry),
    lists: findLists(program.entry),
    question: { kind: "input" },
    masked: undefined,
    tails: new Map(),
    pushed: new Set(),
    returned: new Set(),
    shown: new Set(),
    modelNodes: new Set(),
    drawn: [],
    leading,
    budget: 5_000_000,
    nodeCount: () => added.length,
    nodeAt: (index) => added[index],
  };
  return drawer;
}

function emptyCursor(): Cursor {
  return {
    exits: [],
    names: new Map(),
    hasAsked: false,
    pending: new Map(),
    facts: new Map(),
    latest: undefined,
    latestBefore: new Map(),
    added: [],
    tails: [],
    isOver: false,
  };
}

/** Names of objects whose fields the program gives new values. */
function findStateNames(entry: Entry | undefined): Set<string> {
  const names = new Set<string>(["state"]);
  for (const statement of entry?.body ?? []) {
    for (const inner of [...expressionsOf(statement)])
      if (inner.kind === "function") collectAssigned(inner.body, names);
  }
  collectAssigned(entry?.body ?? [], names);
  return names;
}

function collectAssigned(statements: Entry["body"], names: Set<string>): void {
  for (const statement of statements) {
    if (statement.kind === "assign" && statement.target.kind === "member" && statement.target.object.kind === "name") {
      names.add(statement.target.object.name);
    }
    if (statement.kind === "if") collectAssigned([...statement.body, ...statement.otherwise], names);
    if ("body" in statement && statement.kind !== "if") collectAssigned(statement.body, names);
  }
}

/** Names with `push`, `append` or `extend`. */
function findLists(entry: Entry | undefined): Set<string> {
  const names = new Set<string>();
  for (const one of (entry?.body ?? []).flatMap((statement) => [...expressionsOf(statement)])) {
    const isAdding = one.kind === "call" && /^(push|append|extend)$/.test(lastNameOf(one.callee) ?? "");
    if (isAdding && one.callee.kind === "member" && one.callee.object.kind === "name")
      names.add(one.callee.object.name);
  }
  return names;
}

/** The words of a person: under these names a program gets them. */
const questionNames =
  /^(input_as_text|inputAsText|input_text|inputText|input|text|message|query|question|prompt|user_input|userInput|user_message)$/;

function readInputField(drawer: Drawer, name: string): Value {
  if (questionNames.test(name)) return drawer.masked ?? { kind: "input" };
  if (/^(body|json|data|payload|request)$/.test(name)) return { kind: "input" };
  const text = `The program is called with ${name.slice(0, 60)}, which a chat does not carry. It stands empty in the state of the start; fill it there.`;
  drawer.drawing.report(null).warn("agent-builder-input-missing", text);
  return readState(drawer, name);
}

function drawEntry(drawer: Drawer, entry: Entry): void {
  for (const parameter of entry.parameters.filter(({ name }) => name !== "self")) {
    bind(drawer.evaluator, parameter, { kind: "input" }, drawer.cursor.names);
  }
  drawStatements(drawer, entry.body);
  if (!drawer.cursor.isOver) endFlow(drawer, nothing);
}

/** A program that no function runs: its agents stand for themselves, the only one as the flow. */
function drawAgentsAlone(drawer: Drawer): void {
  const agents = drawer.program.agentNames.flatMap((name) => asAgent(drawer.evaluator.outermost.find(name)) ?? []);
  const handed = new Set(agents.flatMap((agent) => itemsIn(settingOf(settingsOf(agent), "handoffs"))));
  const first = agents.filter((agent) => !handed.has(agent));
  const history = { usesHistory: true, messages: [] };
  const [only] = first;
  if (agents.length === 0) {
    const text = "No agents were found in the program. Import the code that Agent Builder shows for the Agents SDK.";
    drawer.drawing.report(null).refuse("agent-builder-agents-missing", text);
  } else if (first.length === 1 && only) {
    drawer.name = agentName(only);
    drawAgent(drawer, only, history, nothing);
  } else {
    const text =
      "No function of the program runs its agents, so they are not connected. Connect them in the order in which they should run.";
    drawer.drawing.report(null).refuse("agent-builder-entry-missing", text);
    for (const agent of agents) {
      drawer.cursor.exits = [];
      drawAgent(drawer, agent, history, nothing);
    }
  }
}

/** What is known of model nodes once all of them are drawn: whether they are shown, and who hears them. */
function finishModelNodes({ drawing, leading, modelNodes, pushed, returned, shown }: Drawer): void {
  const hearing = [...modelNodes].filter((id) => !isDeaf(drawing.node(id).config));
  for (const id of modelNodes) {
    const { type, config } = drawing.node(id);
    if (type === "condition-agent" || config.reply !== undefined) continue;
    if (shown.has(id)) config.reply = "always";
    else if (leading.has(id) && !returned.has(id)) config.reply = "never";
    if (!pushed.has(id) && hearing.some((other) => other !== id)) config.responseRole = "none";
  }
}

function isDeaf({ memory }: JsonObject): boolean {
  return typeof memory === "object" && memory !== null && "type" in memory && memory.type === "off";
}
