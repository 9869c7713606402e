import type { JsonObject } from "@weft/schema";
import {
  type AgentInput,
  addModelNode,
  agentName,
  asAgent,
  askModel,
  drawAgent,
  idOf,
  instructionsOf,
  modelOf,
} from "./agents.ts";
import { addNode, type Cursor, cloneCursor, type Drawer, join, templateOf, writeState } from "./drawer.ts";
import { toBranches, toWays } from "./expressions.ts";
import { itemsIn, literal, operation, settingOf, settingsOf, textIn, type Value } from "./values.ts";

type AgentValue = Value & { kind: "call" };

const maxHandoffs = 5;

/**
 * Draws an agent that hands over to others: a condition agent decides who answers, and that agent does. Where none of
 * the others fits, it answers itself.
 */
export function drawHandoffs(drawer: Drawer, agent: AgentValue, input: AgentInput, context: Value): Value {
  return joinRuns(drawer, `${idOf(agentName(agent))}_answer`, (ended) =>
    drawWays(drawer, { agent, input, context, seen: [] }, ended),
  );
}

/** Which agent runs, where the program looks it up by a value. */
export type Dispatch = { cases: { test: Value; agent: AgentValue }[]; otherwise: AgentValue | undefined };

/** Reads `agents[key] ?? fallback` and `test ? one : other`; undefined for anything else. */
export function readDispatch(value: Value | undefined): Dispatch | undefined {
  if (value?.kind !== "operation") return undefined;
  const [first, second, third] = value.args;
  if (!first || !second) return undefined;
  if (value.operator === "choose") {
    const [yes, no] = [asAgent(second), asAgent(third)];
    return yes && no ? { cases: [{ test: first, agent: yes }], otherwise: no } : undefined;
  }
  if (value.operator === "or" || value.operator === "otherwise") {
    const inner = readDispatch(first);
    const otherwise = asAgent(second);
    return inner && otherwise ? { ...inner, otherwise } : undefined;
  }
  return value.operator === "get" ? readTable(first, second) : undefined;
}

function readTable(table: Value, key: Value): Dispatch | undefined {
  if (table.kind !== "object") return undefined;
  const cases = [...table.fields].flatMap(([name, field]) => {
    const agent = asAgent(field);
    return agent ? [{ test: operation("equal", key, literal(name)), agent }] : [];
  });
  return cases.length > 0 && cases.length === table.fields.size ? { cases, otherwise: undefined } : undefined;
}

/** Draws a condition with a branch for each agent. A value that names none of them ends the flow. */
export function drawDispatch(
  drawer: Drawer,
  { cases, otherwise }: Dispatch,
  input: AgentInput,
  context: Value,
): Value | undefined {
  const branches = cases.map(({ test, agent }, index) => {
    const ways = toWays(test);
    return ways && toBranches(`agent-${index + 1}`, agentName(agent), ways);
  });
  if (!branches.every((branch) => branch !== undefined)) return undefined;
  const config: JsonObject = { branches: branches.flat() };
  const id = addNode(drawer, { type: "condition", id: "which_agent", label: "Which agent", config });
  const before = drawer.cursor;
  return joinRuns(drawer, `${id}_answer`, (ended) => {
    for (const [index, { agent }] of cases.entries()) {
      const exits = (branches[index] ?? []).map((branch) => ({ nodeId: id, port: String(branch.id) }));
      drawer.cursor = { ...cloneCursor(before), exits };
      ended(drawAgent(drawer, agent, input, context));
    }
    if (!otherwise) return;
    drawer.cursor = { ...cloneCursor(before), exits: [{ nodeId: id, port: "else" }] };
    ended(drawAgent(drawer, otherwise, input, context));
  });
}

/** The one run that several ways lead to, its answer in the state. */
function joinRuns(drawer: Drawer, name: string, draw: (ended: (run: Value) => void) => void): Value {
  const ways: Cursor[] = [];
  const nodeIds: string[] = [];
  draw((run) => {
    if (run.kind !== "run") return;
    nodeIds.push(...run.nodeIds);
    writeState(drawer, name, run.text);
    ways.push(cloneCursor(drawer.cursor));
  });
  join(drawer, ways);
  const answer: Value = { kind: "path", path: `$flow.state.${name}` };
  const run: Value = { kind: "run", nodeIds, text: answer, data: answer };
  drawer.cursor.latest = run;
  return run;
}

type Handing = { agent: AgentValue; input: AgentInput; context: Value; seen: AgentValue[] };

function drawWays(drawer: Drawer, handing: Handing, ended: (run: Value) => void): void {
  const { agent, input, context, seen } = handing;
  const given = itemsIn(settingOf(settingsOf(agent), "handoffs")).flatMap((item) => targetOf(item) ?? []);
  const targets = given.filter((target) => !seen.includes(target) && target !== agent).slice(0, 49);
  if (targets.length === 0 || seen.length >= maxHandoffs) {
    ended(drawAgent(drawer, agent, input, context));
    return;
  }
  const id = drawChoice(drawer, handing, targets);
  const before = drawer.cursor;
  for (const [index, target] of targets.entries()) {
    drawer.cursor = { ...cloneCursor(before), exits: [{ nodeId: id, port: portOf(index) }] };
    drawWays(drawer, { ...handing, agent: target, seen: [...seen, agent] }, ended);
  }
  drawer.cursor = { ...cloneCursor(before), exits: [{ nodeId: id, port: "else" }] };
  ended(drawAgent(drawer, agent, input, context));
}

const portOf = (index: number) => `agent_${index + 1}`;

function targetOf(value: Value): AgentValue | undefined {
  const isWrapped = value.kind === "call" && /^handoff$/i.test(value.name);
  return asAgent(isWrapped ? (value.args[0] ?? value.fields.get("agent")) : value);
}

function drawChoice(drawer: Drawer, { agent, input, context }: Handing, targets: readonly AgentValue[]): string {
  const model = modelOf(drawer, agent);
  const label = `${agentName(agent)}: who answers`;
  const config: JsonObject = {
    model,
    instructions: `Decide which agent answers.\n\n${instructionsOf(drawer, agent, context)}`,
    input: drawer.cursor.hasAsked && input.usesHistory ? "" : askedText(drawer, input),
    scenarios: targets.map((target, index) => ({ id: portOf(index), description: describe(target) })),
    memory: { type: input.usesHistory ? "all" : "off" },
  };
  const id = addModelNode(
    drawer,
    { type: "condition-agent", id: `${idOf(agentName(agent))}_choice`, label, config },
    input,
  );
  askModel(drawer, id, model);
  const text =
    "The program lets this agent hand over while it works. Here the agent that answers is chosen before; check its scenarios.";
  drawer.drawing.report(id).warn("agent-builder-handoff-approximated", text);
  return id;
}

function askedText(drawer: Drawer, { messages, usesHistory }: AgentInput): string {
  const [first] = messages;
  return usesHistory || !first
    ? templateOf(drawer, drawer.question, "the question")
    : templateOf(drawer, first, "the question");
}

function describe(agent: AgentValue): string {
  const settings = settingsOf(agent);
  const text = textIn(settingOf(settings, "handoffDescription", "handoff_description"));
  return `${agentName(agent)}${text === undefined ? "" : `: ${text}`}`.replaceAll("{{", "{ {");
}
