import type { FlowDocument, JsonObject } from "@weft/schema";
import type { ConvertedFlow } from "../agentflow-v2/index.ts";
import {
  type ClassicNode,
  type Conversion,
  createDraft,
  createScope,
  type Draft,
  drawBefore,
  drawModerations,
  drawNotes,
  drawOwnStores,
  labels,
  reportLeft,
  reportUnread,
} from "../flowise-classic/index.ts";
import { findExcess } from "../native-flow.ts";
import { remembers } from "./memory.ts";
import { createSequence, leftOf, nameInputs, type Sequence, titleOf, toPlainName } from "./sequence.ts";
import { toState } from "./state.ts";
import { type DrawnStep, type Plan, type StepScope, toLastMessage, type Way } from "./step.ts";
import { stepTable } from "./steps/index.ts";
import { convertTeam } from "./team.ts";

/**
 * Compiles a graph of agents of the first version (`nodes`, `edges`) to a native flow. Executes nothing and never throws:
 * what cannot be mapped is a finding that says what to do.
 */
export function convertSequential(document: JsonObject): ConvertedFlow {
  const sequence = createSequence(document);
  const { graph, start } = sequence;
  const excess = findExcess(graph.nodes.size + graph.cyclic.length, graph.edges.length);
  if (excess !== undefined) return { flow: noFlow, findings: [excess] };
  const draft = createDraft();
  const supervisor = [...graph.nodes.values()].find(({ name }) => name === "supervisor");
  if (start === undefined && supervisor !== undefined) return convertTeam(graph, supervisor, draft);
  if (graph.cyclic.length > 0) {
    const names = labels(graph.cyclic);
    draft.refuse("flow-cyclic", `These steps lead to each other in a circle: ${names}. Lead back with a Loop.`);
  }
  if (start === undefined) {
    draft.refuse("start-missing", "This flow has no Start node. Add one and connect it to the first step.");
    return { flow: noFlow, findings: draft.finish().findings };
  }
  const plan = createPlan(draft, sequence, start);
  drawStart(plan);
  drawSteps(plan);
  const stores = drawOwnStores(plan.conversion);
  drawNotes(graph, draft);
  reportRest(plan);
  return { ...draft.finish(), stores };
}

const noFlow: FlowDocument = { weft: 1, nodes: [], edges: [] };

function createPlan(draft: Draft, sequence: Sequence, start: ClassicNode): Plan {
  const { graph, steps } = sequence;
  const stepIds = new Map([start, ...steps].map(({ id }) => [id, draft.reserve(id)]));
  const values: Conversion["values"] = new Map(
    [...stepIds].map(([id, stepId]) => [
      id,
      (path) => (path.length === 0 ? `{{ ${stepId} }}` : `{{ ${[stepId, "output", ...path].join(".")} }}`),
    ]),
  );
  values.set(start.id, () => "{{ question }}");
  const hasHistory = graph.source(start, "agentMemory") !== undefined;
  const state: JsonObject = {};
  const conversion: Conversion = {
    graph,
    draft,
    values,
    exits: new Map(),
    root: [],
    hasHistory,
    read: new Map(),
    state,
    stores: new Map(),
  };
  const scope = createScope(conversion, start, stepIds.get(start.id) ?? "");
  const declared = toState(scope.part("state"));
  Object.assign(state, declared.state);
  return { conversion, sequence, start, stepIds, reducers: declared.reducers };
}

function drawStart({ conversion, sequence, start, stepIds }: Plan): void {
  const { draft, state } = conversion;
  const id = stepIds.get(start.id) ?? "";
  const scope = createScope(conversion, start, id);
  const hasMemory = remembers(scope);
  // Steps without a model say that there is none.
  scope.ignore("model", "inputModeration");
  const config = { input: "chat", state, persistState: hasMemory, ephemeralMemory: !hasMemory };
  conversion.root = [draft.add({ id, type: "start", label: start.label, config }, [])];
  drawModerations(conversion, [start]);
  drawBefore(conversion, [start, ...sequence.steps]);
}

function drawSteps(plan: Plan): void {
  const { conversion, sequence } = plan;
  const drawn = new Map<string, readonly Way[]>([[plan.start.id, conversion.root]]);
  const names = new Map<string, ClassicNode>();
  for (const node of sequence.steps) {
    const converter = stepTable.get(node.name);
    if (converter === undefined) {
      const type = node.name.slice(0, 100);
      const said = `Node "${node.label.slice(0, 500)}": Its type ${type} cannot be used here. Replace it by an agent.`;
      conversion.draft.refuse("node-unsupported", said);
      continue;
    }
    const scope = createStepScope(plan, node, drawn);
    const result = converter.draw(scope);
    drawn.set(node.id, result.ways);
    if (node.name !== "seqEnd") {
      reportName(scope, names);
      drawAnswer(scope, result);
    }
  }
}

function createStepScope(plan: Plan, node: ClassicNode, drawn: ReadonlyMap<string, readonly Way[]>): StepScope {
  const { conversion, sequence, stepIds } = plan;
  const scope = createScope(conversion, node, stepIds.get(node.id) ?? "");
  scope.ignore("sequentialNode", "llmNode", ...nameInputs);
  const from = sequence
    .to(node)
    .flatMap((wire) => (drawn.get(wire.source) ?? []).filter((way) => way.takes?.(wire) ?? true))
    .map(({ id, port }) => ({ id, port }));
  return { ...scope, plan, from, title: titleOf(node) };
}

/** Where a way ends behind a step that does not speak itself, what was said last is the answer. */
function drawAnswer(scope: StepScope, { ways, answers }: DrawnStep): void {
  if (answers) return;
  const { plan, node, conversion } = scope;
  const { graph, from } = plan.sequence;
  const goesOn = (way: Way) =>
    from(node).some((wire) => (way.takes?.(wire) ?? true) && graph.nodes.get(wire.target)?.name !== "seqEnd");
  const ends = ways.filter((way) => !goesOn(way)).map(({ id, port }) => ({ id, port }));
  if (ends.length === 0) return;
  const id = conversion.draft.reserve(`${scope.stepId}_answer`);
  const config = { message: toLastMessage(scope) };
  conversion.draft.add({ id, type: "direct-reply", label: `Answer: ${scope.title}`, config }, ends);
}

/** Loops find steps by their names. */
function reportName({ node, title, report }: StepScope, names: Map<string, ClassicNode>): void {
  const name = toPlainName(title);
  const isNamed = node.name !== "seqLoop" && node.name !== "seqCondition";
  if (isNamed && names.has(name)) {
    report.warn(
      "name-duplicate",
      `Another step is called "${title.slice(0, 100)}" as well, and loops go back to the first one. Rename one of them.`,
    );
  }
  if (isNamed) names.set(name, node);
}

function reportRest({ conversion, sequence, start }: Plan): void {
  const { draft } = conversion;
  if (sequence.steps.every(({ name }) => name === "seqEnd")) {
    draft.refuse("ending-missing", "The Start leads to no step. Connect it to the first one.");
  }
  reportLeft(draft, leftOf(conversion, [start, ...sequence.steps]));
  reportUnread(conversion);
}
