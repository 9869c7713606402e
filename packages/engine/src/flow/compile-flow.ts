import { errorPort, type Finding, type Flow, type FlowNode } from "@weft/schema";
import type { NodeConfig } from "../node-config.ts";
import type { NodeProblem, NodeRegistry, NodeType } from "../node-type.ts";
import type { RunLimits } from "../run/run-budget.ts";
import { checkTemplates } from "./check-templates.ts";
import { findRefusals } from "./find-refusals.ts";
import { buildGraph, type Graph, type GraphNode } from "./graph.ts";
import { findCycle, type GraphLevel } from "./graph-level.ts";
import { parseFlow } from "./parse-flow.ts";

/** A flow, checked once and run many times. It runs only without findings of level `error`. */
export type WithGraph = { readonly graph: Graph };

export type CompiledFlow = WithGraph & {
  readonly flow: Flow;
  readonly findings: readonly Finding[];
  /** Why it cannot run, in one sentence of its findings; undefined if it can. */
  readonly refusal: string | undefined;
  /** Some text of the flow reads the session's messages, so they are loaded before it runs. */
  readonly usesHistory: boolean;
  /** Its runs see nothing of the session before them. */
  readonly isEphemeral: boolean;
  /** Override the platform's limits. */
  readonly limits?: Partial<RunLimits>;
};

/** Parses a stored text as a flow. Executes nothing and never throws: anything unexpected becomes a finding. */
type FlowReader = (flowData: string) => { flow: Flow; findings: Finding[] };

/**
 * Parses and checks a stored flow: the native format, unless `read` supports other dialects. Executes nothing, never
 * throws.
 */
export function compileFlow(flowData: string, registry: NodeRegistry, read: FlowReader = parseFlow): CompiledFlow {
  const { flow, findings } = read(flowData);
  findings.push(...findRefusals(flow, findings));
  if (findings.length > 0 && flow.nodes.length === 0) {
    const graph = { nodes: new Map(), levels: new Map() };
    return { flow, findings, refusal: whyNotRunnable(findings), graph, usesHistory: false, isEphemeral: false };
  }
  const nodes = new Map<string, GraphNode>();
  for (const node of flow.nodes) {
    const compiled = compileNode(node, registry, findings);
    if (nodes.has(node.id)) findings.push(nodeError("node-id-duplicate", node, "Another node has the same id."));
    else if (compiled) nodes.set(node.id, compiled);
  }
  checkEdges(flow, nodes, findings);
  checkStarts(flow, registry, findings);
  const graph = buildGraph(flow, nodes);
  checkLevels(flow, graph, findings);
  findings.push(...checkTemplates(flow, nodes));
  if (nodes.size === flow.nodes.length) findings.push(...checkNodes(graph));
  const usesHistory = readsHistory.test(flowData) || readsHistory.test(JSON.stringify(flow.nodes));
  const isEphemeral = [...nodes.values()].some(({ type, config }) => type.isEphemeral(config));
  return { flow, graph, findings, refusal: whyNotRunnable(findings), usesHistory, isEphemeral };
}

/** A flow of another dialect may use neither name and still read the session's messages. */
const readsHistory = /chat_history|chatHistory/;

/** Joins the findings that keep a flow from running into one sentence; undefined if it can run. */
export function whyNotRunnable(findings: readonly Finding[]): string | undefined {
  const errors = findings.filter((finding) => finding.level === "error");
  if (errors.length === 0) return undefined;
  return errors
    .slice(0, 5)
    .map((finding) => finding.message)
    .join(" ");
}

/** Parses one node's config with overrides applied. Adds findings if it does not fit. */
export function compileNode(node: FlowNode, registry: NodeRegistry, findings: Finding[]): GraphNode | undefined {
  const type = typeOf(node, registry);
  if (!type) {
    const known = Object.keys(registry).join(", ");
    findings.push(nodeError("node-type-unknown", node, `Its type "${node.type}" is not known. Known types: ${known}.`));
    return undefined;
  }
  const parsed = type.config.safeParse(node.config);
  if (!parsed.success) {
    for (const issue of parsed.error.issues.slice(0, 10)) {
      const path = issue.path.join(".");
      findings.push({ ...nodeError("node-config-invalid", node, `${path || "config"}: ${issue.message}.`), path });
    }
    return undefined;
  }
  const config: NodeConfig = parsed.data;
  return { id: node.id, label: node.label || type.title, parent: node.parent ?? null, type, config };
}

function typeOf(node: FlowNode, registry: NodeRegistry): NodeType | undefined {
  return Object.hasOwn(registry, node.type) ? registry[node.type] : undefined;
}

function checkEdges(flow: Flow, nodes: ReadonlyMap<string, GraphNode>, findings: Finding[]): void {
  const nodeIds = new Set(flow.nodes.map((node) => node.id));
  const edgeIds = new Set<string>();
  for (const edge of flow.edges) {
    const source = nodes.get(edge.source);
    const target = nodes.get(edge.target);
    const edgeError = (code: string, message: string) =>
      findings.push({ level: "error", code, nodeId: edge.source, message: `The edge ${edge.id} ${message}` });
    if (edgeIds.has(edge.id)) edgeError("edge-id-duplicate", "has the id of another edge. Give it its own.");
    edgeIds.add(edge.id);
    const isDangling = !nodeIds.has(edge.source) || !nodeIds.has(edge.target);
    if (isDangling) edgeError("edge-dangling", "begins or ends at a node that does not exist. Remove it.");
    if (!source || !target) continue;
    if (source.parent !== target.parent)
      edgeError("edge-crosses-levels", "leads into or out of a sub-flow. Remove it.");
    const ports = [...source.type.ports(source.config).map((port) => port.id), errorPort];
    if (!ports.includes(edge.sourcePort)) {
      edgeError("port-unknown", `leaves from the port "${edge.sourcePort}", but its node has: ${ports.join(", ")}.`);
    }
  }
}

/** A start node counts even if its config is invalid, which has its own finding. */
function checkStarts(flow: Flow, registry: NodeRegistry, findings: Finding[]): void {
  const starts = flow.nodes.filter((node) => !node.parent && typeOf(node, registry)?.group === "start");
  if (starts.length === 0 && !findings.some((finding) => finding.code === "node-type-unknown")) {
    findings.push({
      level: "error",
      code: "start-missing",
      nodeId: null,
      message: "The flow has no start node. Add one.",
    });
  }
  for (const extra of starts.slice(1)) {
    findings.push(nodeError("start-multiple", extra, "A flow has exactly one start node. Remove this one."));
  }
}

function checkLevels(flow: Flow, graph: Graph, findings: Finding[]): void {
  const nodeIds = new Set(flow.nodes.map((node) => node.id));
  for (const node of flow.nodes) {
    if (node.parent === undefined || nodeIds.has(node.parent)) continue;
    findings.push(nodeError("parent-unknown", node, "The node whose sub-flow it belongs to does not exist."));
  }
  for (const [parent, level] of graph.levels) {
    const cycleId = findCycle(level);
    const onCycle = cycleId === undefined ? undefined : flow.nodes.find(({ id }) => id === cycleId);
    if (onCycle) findings.push(nodeError("flow-cyclic", onCycle, "Edges lead back to it. Use a loop node to go back."));
    else if (parent === "") findings.push(...findUnreachable(flow, graph, level));
  }
}

/** An edge with a finding of its own still leads to its target. */
function findUnreachable(flow: Flow, graph: Graph, level: GraphLevel): Finding[] {
  const targets = new Set(flow.edges.map((edge) => edge.target));
  const members = new Set(level.nodeIds);
  const standsAlone = (id: string) => {
    const node = graph.nodes.get(id);
    return node?.type.standsAlone(node.config) ?? false;
  };
  return flow.nodes
    .filter(({ id }) => members.has(id) && !targets.has(id) && !level.roots.includes(id) && !standsAlone(id))
    .map((node) => ({
      ...nodeError("node-unreachable", node, "Nothing leads to it, so it never runs."),
      level: "warning" as const,
    }));
}

function nodeError(code: string, node: FlowNode, message: string): Finding {
  return { level: "error", code, nodeId: node.id, message: `Node "${node.label || node.id}": ${message}` };
}

/** Finds problems that only the whole flow shows: misplaced nodes, and state that nobody declares. */
function checkNodes(graph: Graph): Finding[] {
  const nodes = [...graph.nodes.values()];
  const declared = new Set(nodes.flatMap((node) => node.type.declaresState(node.config)));
  return nodes.flatMap((node) => [...problemsOf(node, graph), ...undeclared(node, declared)].map(toFinding(node)));
}

/** Finds settings that would make nodes fail when reached, or have no effect. */
export function reviewNodes({ nodes }: Graph): Finding[] {
  return [...nodes.values()].flatMap((node) => node.type.review(node.config).map(toFinding(node)));
}

function problemsOf(node: GraphNode, { levels }: Graph): NodeProblem[] {
  const level = levels.get(node.parent ?? "");
  return level ? node.type.check(node.config, { nodeId: node.id, level, subFlow: levels.get(node.id) }) : [];
}

/** Undeclared state works, but a name spelt in two ways is the likeliest cause. */
function undeclared(node: GraphNode, declared: ReadonlySet<string>): NodeProblem[] {
  return (node.config.updateState ?? []).flatMap(({ key }, index) =>
    declared.has(key)
      ? []
      : {
          level: "warning",
          code: "state-undeclared",
          path: `updateState.${index}.key`,
          message: `The start node declares no state "${key}". Declare it there, with its first value.`,
        },
  );
}

export function toFinding({ id, label }: GraphNode): (problem: NodeProblem) => Finding {
  return ({ message, ...problem }) => ({ ...problem, nodeId: id, message: `Node "${label}": ${message}` });
}
