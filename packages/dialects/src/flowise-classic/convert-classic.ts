import type { FlowDocument, JsonObject } from "@weft/schema";
import type { ConvertedFlow } from "../agentflow-v2/index.ts";
import { findExcess } from "../native-flow.ts";
import { createDraft, type Draft } from "./draft.ts";
import { type ClassicGraph, type ClassicNode, createClassicGraph, isStore } from "./graph.ts";
import { drawModerations } from "./moderation.ts";
import { drawNotes, drawOwnStores, labels, reportLeft, reportUnread } from "./reports.ts";
import { type Conversion, createScope } from "./scope.ts";
import { filling, stepTable } from "./steps/index.ts";

/**
 * Compiles a classic chatflow (`nodes`, `edges`) to a native flow: what answers, what works before it, and as settings of
 * these all that is wired to them. Executes nothing and never throws: what cannot be mapped is a finding that says what
 * to do.
 */
export function convertClassic(document: JsonObject): ConvertedFlow {
  const graph = createClassicGraph(document);
  const excess = findExcess(graph.nodes.size + graph.cyclic.length, graph.edges.length);
  if (excess !== undefined) return { flow: noFlow, findings: [excess] };
  const draft = createDraft();
  const endings = chooseEndings(graph);
  const used = withAllBefore(graph, endings);
  const conversion = createConversion(graph, draft, endings);
  const start = draft.add(
    { id: draft.reserve("start"), type: "start", label: "Start", config: { input: "chat", state: conversion.state } },
    [],
  );
  conversion.root = [start];
  const steps = [...graph.nodes.values()].filter((node) => used.has(node) && isStep(node, endings));
  drawModerations(conversion, steps);
  for (const node of steps) drawStep(conversion, node, endings.includes(node));
  const stores = drawOwnStores(conversion);
  drawNotes(graph, draft);
  reportRest({ conversion, endings, used });
  const { flow, findings } = draft.finish();
  return endings.some(({ id }) => conversion.exits.has(id)) ? { flow, findings, stores } : { flow: noFlow, findings };
}

const noFlow: FlowDocument = { weft: 1, nodes: [], edges: [] };

function createConversion(graph: ClassicGraph, draft: Draft, endings: readonly ClassicNode[]): Conversion {
  const hasHistory = endings.some((node) => graph.source(node, "memory") !== undefined);
  const maps = { values: new Map(), exits: new Map(), read: new Map(), stores: new Map() };
  return { graph, draft, ...maps, root: [], hasHistory, state: {} };
}

/** The ending that is initialized last answers. After a branch, each side has its own answer. */
function chooseEndings(graph: ClassicGraph): readonly ClassicNode[] {
  const branching = graph.endings.filter((ending) =>
    [...withAllBefore(graph, [ending])].some(({ name }) => name === "ifElseFunction"),
  );
  if (branching.length > 0) return branching;
  return graph.endings.every(isStore) ? graph.endings : graph.endings.slice(-1);
}

function withAllBefore(graph: ClassicGraph, endings: readonly ClassicNode[]): ReadonlySet<ClassicNode> {
  const found = new Set<ClassicNode>();
  const open = [...endings];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (found.has(node)) continue;
    found.add(node);
    open.push(...graph.before(node));
  }
  return found;
}

/**
 * Draws what works before the steps of another dialect, such as functions whose values stand in their prompts: one after
 * the other, and before everything that begins at the root.
 */
export function drawBefore(conversion: Conversion, steps: readonly ClassicNode[]): void {
  const used = withAllBefore(conversion.graph, steps);
  for (const node of conversion.graph.nodes.values()) {
    if (steps.includes(node) || !used.has(node) || !stepTable.get(node.name)?.worksBefore?.(node)) continue;
    drawStep(conversion, node, false);
    conversion.root = conversion.exits.get(node.id)?.map(({ id, port }) => ({ id, port })) ?? conversion.root;
  }
}

function isStep(node: ClassicNode, endings: readonly ClassicNode[]): boolean {
  return endings.includes(node) || (stepTable.get(node.name)?.worksBefore?.(node) ?? false);
}

function drawStep(conversion: Conversion, node: ClassicNode, isAnswer: boolean): void {
  const { draft, values, exits } = conversion;
  const scope = createScope(conversion, node, draft.reserve(node.id));
  const converter = isAnswer && isStore(node) ? filling : stepTable.get(node.name);
  if (converter === undefined) {
    scope.ignore(...Object.keys(node.inputs));
    draft.refuse("node-unsupported", `Node "${node.label.slice(0, 500)}": ${adviceFor(node.name)}`);
    return;
  }
  const { exits: ways, value } = converter.draw({ ...scope, isAnswer });
  exits.set(node.id, ways);
  values.set(node.id, value);
}

function adviceFor(name: string): string {
  const advice = otherSteps.get(name) ?? "Replace it by an agent, a model or a retriever.";
  return `Its type ${name.slice(0, 100)} cannot be used here. ${advice}`;
}

/** Unsupported answering components, with their replacement. */
const otherSteps: ReadonlyMap<string, string> = new Map(
  Object.entries({
    csvAgent: "Use an agent with Code interpreter.",
    airtableAgent: "Use an agent with Code interpreter and a request tool.",
  }),
);

type Rest = { conversion: Conversion; endings: readonly ClassicNode[]; used: ReadonlySet<ClassicNode> };

/** Reports components that do not contribute to the answer, and settings that were not read. */
function reportRest({ conversion, endings, used }: Rest): void {
  const { graph, draft, read } = conversion;
  if (graph.cyclic.length > 0) {
    draft.refuse(
      "flow-cyclic",
      `These components use each other in a circle: ${labels(graph.cyclic)}. Remove an edge.`,
    );
  }
  if (endings.length === 0) {
    draft.refuse("ending-missing", "Nothing in this flow answers. Add a chain or an agent at its end.");
  }
  const left = [...graph.nodes.values()].filter(
    (node) => node.name !== "stickyNote" && (!used.has(node) || !read.has(node.id)) && !endings.includes(node),
  );
  if (endings.some(({ id }) => conversion.exits.has(id))) reportLeft(draft, left);
  reportUnread(conversion);
}
