import {
  type ConfigPlace,
  findExcess,
  type ImportChoice,
  type ImportErrorCode,
  type ImportedFlow,
  type ImportedSecret,
  isNativeId,
  toUnusedId,
} from "@weft/dialects/importer";
import { defaultPort, type Finding, type FlowDocument, type FlowNode, type JsonObject } from "@weft/schema";
import { layOut } from "./lay-out.ts";

/** An output that the next node is connected to. */
export type Exit = { nodeId: string; port: string };

export type NewNode = {
  type: string;
  /** The source's own id or name; made valid and unique here. */
  id: string;
  label?: string;
  /** Id of the iteration that the node stands in. */
  parent?: string | undefined;
  config?: JsonObject;
};

/** `level`: `error` unless it says otherwise. */
type Problem =
  | { level: "warning"; code: string; text: string }
  | { level?: "error"; code: ImportErrorCode; text: string };

/** Says what a person must know about one node, or about the whole flow. Each sentence once. */
export type NodeReport = { warn(code: string, text: string): void; refuse(code: ImportErrorCode, text: string): void };

/** A native flow that is drawn node by node while a foreign program is read. */
export type FlowDrawing = {
  /** Adds a node behind the exits, and returns its id. */
  add(node: NewNode, from?: readonly Exit[]): string;
  connect(from: readonly Exit[], target: string): void;
  /** The node as it stands, to be completed. */
  node(id: string): FlowNode;
  /** `null`: the whole flow. */
  report(nodeId: string | null): NodeReport;
  /**
   * Leaves a place to be filled by the one who imports. The same name is asked for once. `problem`: what is wrong with
   * the node until then.
   */
  ask(kind: ImportChoice["kind"], name: string, place: ConfigPlace, problem?: Problem): void;
  keep(secret: ImportedSecret): void;
  /** The flow, laid out. */
  finish(name: string): ImportedFlow;
};

/** The exit of a node that does not branch. */
export function exitOf(nodeId: string, port: string = defaultPort): Exit[] {
  return [{ nodeId, port }];
}

export function createFlowDrawing(): FlowDrawing {
  const nodes = new Map<string, FlowNode>();
  const edges = new Map<string, FlowDocument["edges"][number]>();
  const findings = new Map<string, Finding>();
  const choices = new Map<string, ImportChoice>();
  const secrets: ImportedSecret[] = [];

  function find(id: string): FlowNode {
    const node = nodes.get(id);
    if (!node) throw new Error(`The drawing has no node ${id}.`);
    return node;
  }
  function toFinding(nodeId: string | null, { level = "error", code, text }: Problem): Finding {
    const message = nodeId === null ? text : `Node "${find(nodeId).label || nodeId}": ${text}`;
    return { level, code, nodeId, message };
  }
  function say(nodeId: string | null, problem: Problem): void {
    const finding = toFinding(nodeId, problem);
    findings.set(JSON.stringify([finding.code, finding.message]), finding);
  }
  function connect(from: readonly Exit[], target: string): void {
    for (const { nodeId: source, port: sourcePort } of from) {
      const key = JSON.stringify([source, sourcePort, target]);
      if (!edges.has(key)) edges.set(key, { id: `edge_${edges.size}`, source, sourcePort, target });
    }
  }
  return {
    add({ type, id: wanted, label = "", parent, config = {} }, from = []) {
      const id = toUniqueId(wanted, nodes);
      const place = { position: { x: 0, y: 0 }, ...(parent === undefined ? {} : { parent }) };
      nodes.set(id, { id, type, version: 1, label: label.slice(0, 500), ...place, config });
      connect(from, id);
      return id;
    },
    connect,
    node: find,
    report: (nodeId) => ({
      warn: (code, text) => say(nodeId, { level: "warning", code, text }),
      refuse: (code, text) => say(nodeId, { code, text }),
    }),
    ask(kind, name, place, problem) {
      const key = JSON.stringify([kind, name]);
      const choice = choices.get(key) ?? { kind, name, places: [], findings: [] };
      choice.places.push(place);
      if (problem) choice.findings.push({ ...toFinding(place.nodeId, problem), path: place.path });
      choices.set(key, choice);
    },
    keep: (secret) => void secrets.push(secret),
    finish(name) {
      const excess = findExcess(nodes.size, edges.size);
      if (excess !== undefined) {
        return { name, choices: [], secrets: [], flow: { weft: 1, nodes: [], edges: [] }, findings: [excess] };
      }
      const flow: FlowDocument = { weft: 1, nodes: [...nodes.values()], edges: [...edges.values()] };
      showReplies(flow);
      return { name, flow: layOut(flow), findings: [...findings.values()], choices: [...choices.values()], secrets };
    },
  };
}

/** A reply that steps follow is shown on the way: that is what it was drawn for. */
function showReplies({ nodes, edges }: FlowDocument): void {
  const goesOn = new Set(edges.map(({ source }) => source));
  for (const { id, type, config } of nodes) {
    if (type === "direct-reply" && goesOn.has(id)) config.reply ??= "always";
  }
}

/** An id that native flows permit and templates can refer to. */
function toUniqueId(wanted: string, taken: ReadonlyMap<string, unknown>): string {
  const plain = wanted.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 150);
  const isPlain = isNativeId(plain) && !Object.hasOwn(Object.prototype, plain);
  const base = isPlain ? plain : `node_${plain}`;
  return toUnusedId(base, taken);
}
