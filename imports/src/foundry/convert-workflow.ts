import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { type Exit, exitOf, type FlowDrawing } from "../drawing/index.ts";
import { agentFor, agentNameIn, converterOf, keepQuestion } from "./actions/index.ts";
import type { AgentFile } from "./agents.ts";
import { fieldOf, kindIn, numberIn, objectIn, textIn } from "./fields.ts";
import { type Conversion, createStep, type Step } from "./step.ts";
import { createVariables } from "./variables.ts";
import { findFacts, walkActions } from "./workflow-facts.ts";

/** Most actions of one workflow. */
const maxActions = 1_500;

/** The actions of a workflow, wherever its file has them. */
function actionsOf(document: JsonObject): Json[] {
  for (const holder of [objectIn(document, "trigger"), document]) {
    const actions = fieldOf(holder, "actions");
    if (Array.isArray(actions) && actions.length > 0) return actions;
  }
  return [];
}

/** Draws a workflow: its actions one after the other, behind a start node that declares its variables. */
export function convertWorkflow(
  document: JsonObject,
  { drawing, agents }: { drawing: FlowDrawing; agents: ReadonlyMap<string, AgentFile> },
): void {
  const actions = actionsOf(document);
  const start = drawing.add({ type: "start", id: "start", label: "Start" });
  const report = drawing.report(null);
  const count = [...walkActions(actions)].length;
  if (count === 0)
    report.refuse(
      "foundry-actions-missing",
      "The workflow has no actions. Export it again and import the file unchanged.",
    );
  if (count > maxActions) {
    report.refuse(
      "flow-too-large",
      `The workflow has ${count} actions; at most ${maxActions} can be imported. Divide it into several.`,
    );
    return;
  }
  reportSettings(document, drawing);
  const flow = createConversion(actions, {
    drawing,
    agents,
    used: new Set([...walkActions(actions)].map((action) => textIn(action, "id"))),
  });
  const from = flow.facts.keepsQuestion ? begin(flow, exitOf(start)) : exitOf(start);
  flow.list(actions, from);
  reportJumps(flow);
  reportUncalled(flow);
  const state = Object.fromEntries(flow.variables.keys().map((key) => [key, null]));
  drawing.node(start).config = { state };
}

function begin(flow: Conversion, from: readonly Exit[]): Exit[] {
  const step = createStep(flow, {}, { id: "keep_question", kind: "start", label: "Keep the question" });
  return keepQuestion(step, from);
}

/** Settings of a workflow that a flow does not have. */
function reportSettings(document: JsonObject, drawing: FlowDrawing): void {
  const report = drawing.report(null);
  const inputs = Object.keys(objectIn(document, "inputs"));
  if (inputs.length > 0) {
    report.warn(
      "foundry-input-variable",
      `The workflow has the inputs ${inputs.join(", ")}. The flow reads them as variables: send them with each run, or create variables of these names.`,
    );
  }
  if (numberIn(document, "maxTurns") !== undefined) {
    report.warn(
      "foundry-setting-ignored",
      "The workflow's maxTurns has no counterpart: each run has a limit of steps. Set the limits of the loops in the flow.",
    );
  }
}

type Origin = { drawing: FlowDrawing; agents: ReadonlyMap<string, AgentFile>; used: Set<string> };

/** What is drawn and known so far, and how lists of actions are added to it. */
function createConversion(actions: readonly Json[], { drawing: plain, agents, used }: Origin): Conversion {
  const edges = new Map<string, string[]>();
  const drawing = followEdges(plain, edges);
  const facts = findFacts(actions, (action) => agentFor(agents, agentNameIn(action)) !== undefined);
  const flow: Conversion = {
    drawing,
    agents,
    called: new Set(),
    kept: new Map(),
    facts,
    variables: createVariables(facts),
    loops: [],
    forward: new Map(),
    jumps: [],
    entries: new Map(),
    passed: new Map(),
    begun: new Set(),
    leads: (target, from) => leads(edges, target, from),
    list: (list, from) => drawList(flow, list, { from, used }),
  };
  return flow;
}

/** A drawing that notes where edges lead. */
function followEdges(drawing: FlowDrawing, edges: Map<string, string[]>): FlowDrawing {
  const note = (from: readonly Exit[], target: string) => {
    for (const { nodeId } of from) edges.set(nodeId, [...(edges.get(nodeId) ?? []), target]);
  };
  return {
    ...drawing,
    add(node, from = []) {
      const id = drawing.add(node, from);
      note(from, id);
      return id;
    },
    connect(from, target) {
      drawing.connect(from, target);
      note(from, target);
    },
  };
}

/** Whether a node leads to one of the exits. */
function leads(edges: ReadonlyMap<string, readonly string[]>, target: string, from: readonly Exit[]): boolean {
  const wanted = new Set(from.map(({ nodeId }) => nodeId));
  const reached = new Set<string>();
  const open = [target];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (wanted.has(id)) return true;
    if (reached.has(id)) continue;
    reached.add(id);
    open.push(...(edges.get(id) ?? []));
  }
  return false;
}

/** Draws actions in their order. What goes to an action from above joins it there. */
function drawList(
  flow: Conversion,
  actions: readonly Json[],
  { from, used }: { from: readonly Exit[]; used: Set<string> },
): Exit[] {
  let exits = [...from];
  let nodeless: string[] = [];
  for (const [index, action] of actions.entries()) {
    if (!isJsonObject(action)) continue;
    const step = stepOf(flow, action, { index, used });
    const arriving = flow.forward.get(step.id) ?? [];
    flow.forward.delete(step.id);
    exits = drawAction(step, [...exits, ...arriving]);
    step.flush();
    flow.passed.set(step.id, step.kind.toLowerCase());
    const entry = flow.entries.get(step.id);
    if (entry === undefined) nodeless.push(step.id);
    else {
      // To go to an action without a node is to go to the next one that has one.
      for (const id of nodeless) flow.entries.set(id, entry);
      nodeless = [];
    }
  }
  return exits;
}

/** The action with its id, or one made of its kind and place. A second action of an id gets another one. */
function stepOf(flow: Conversion, action: JsonObject, { index, used }: { index: number; used: Set<string> }): Step {
  const kind = kindIn(action);
  const given = textIn(action, "id");
  const label = (textIn(action, "displayName") || given || kind).slice(0, 300);
  if (given !== "" && !flow.begun.has(given)) {
    flow.begun.add(given);
    return createStep(flow, action, { id: given, kind, label });
  }
  const base = given || `${kind || "action"}-${index + 1}`;
  let id = base;
  for (let number = 2; used.has(id); number += 1) id = `${base}-${number}`;
  used.add(id);
  const step = createStep(flow, action, { id, kind, label });
  if (given !== "")
    step.warn(
      "foundry-id-duplicate",
      `The id ${given} is used twice; the second action is called ${id}. Check the actions that go to it.`,
    );
  return step;
}

function drawAction(step: Step, from: readonly Exit[]): Exit[] {
  const convert = converterOf(step.kind);
  if (convert !== undefined) return convert(step, from);
  const text = `${step.kind || "An action without a kind"} (${step.id}) is not supported. Build what it does with steps of this flow, and remove this note.`;
  const noteId = step.flow.drawing.add({
    type: "sticky-note",
    id: `${step.id}_note`,
    label: step.id,
    config: { text },
  });
  step.refuse(
    "foundry-action-unsupported",
    `The kind ${step.kind || "(none)"} is not supported. A note stands in its place and the flow goes on past it: build what it does there.`,
    noteId,
  );
  return [...from];
}

/** Agents whose files were given for nothing. */
function reportUncalled({ agents, called, drawing }: Conversion): void {
  for (const agent of new Set(agents.values())) {
    if (called.has(agent)) continue;
    const text = `The workflow does not call the agent ${agent.names[0] ?? ""}. Check the names, or leave out its file.`;
    drawing.report(null).warn("foundry-agent-unused", text);
  }
}

/** Jumps to actions that never came. */
function reportJumps({ jumps, passed }: Conversion): void {
  for (const { step, target, from } of jumps) {
    if (passed.has(target)) continue;
    const text = `It goes to ${target}, and the workflow has no such action. Connect the step before it to what is meant.`;
    step.refuse("foundry-goto-unresolved", text, from[0]?.nodeId);
    step.flush();
  }
}
