import {
  defaultPort,
  type Finding,
  type FlowDocument,
  type FlowEdge,
  type FlowNode,
  type JsonObject,
} from "@weft/schema";
import { type ConvertedFlow, createReport, type Report } from "../agentflow-v2/index.ts";
import { type ImportErrorCode, toImportError } from "../import-error.ts";
import { findExcess, isNativeId, toUnusedId } from "../native-flow.ts";

/** An output that the next step is connected to. */
export type Exit = { id: string; port: string };

type NewStep = { id: string; type: string; label: string; config: JsonObject };

/** The native flow while it is drawn step by step. */
export type Draft = {
  /** An id that native flows permit, and that no other step has. */
  reserve(wanted: string): string;
  /** Adds a step with a reserved id behind the exits, and returns its own exit. */
  add(step: NewStep, from: readonly Exit[]): Exit;
  /** The config of a step that was added, to be completed. */
  config(id: string): JsonObject;
  /** Speaks of the component `label`, at a step. */
  report(stepId: string, label: string): Report;
  /** As a report, of the whole flow. */
  warn(code: string, message: string): void;
  refuse(code: ImportErrorCode, message: string): void;
  finish(): ConvertedFlow;
};

export function createDraft(): Draft {
  const nodes = new Map<string, FlowNode>();
  const edges = new Map<string, FlowEdge>();
  const reserved = new Set<string>();
  const findings: Finding[] = [];
  const ranks = new Map<string, number>();
  const rows = new Map<number, number>();

  /** One column for each rank, so that every step stands right of those that lead to it. */
  function place(id: string, from: readonly Exit[]): { x: number; y: number } {
    const rank = from.reduce((most, exit) => Math.max(most, (ranks.get(exit.id) ?? 0) + 1), 0);
    const row = rows.get(rank) ?? 0;
    ranks.set(id, rank);
    rows.set(rank, row + 1);
    return { x: rank * 350, y: row * 160 };
  }
  return {
    reserve(wanted) {
      const plain = wanted.replaceAll(/[^A-Za-z0-9_-]/g, "_").slice(0, 150);
      const id = toUnusedId(isNativeId(plain) ? plain : `node_${plain}`, reserved);
      reserved.add(id);
      return id;
    },
    add({ id, type, label, config }, from) {
      nodes.set(id, { id, type, version: 1, label: label.slice(0, 500), position: place(id, from), config });
      for (const { id: source, port: sourcePort } of from) {
        const key = JSON.stringify([source, sourcePort, id]);
        if (!edges.has(key)) edges.set(key, { id: `edge_${edges.size}`, source, sourcePort, target: id });
      }
      return { id, port: defaultPort };
    },
    config: (id) => nodes.get(id)?.config ?? {},
    report: (id, label) => createReport({ id, label: label.slice(0, 500) }, findings),
    warn: (code, message) => void findings.push({ level: "warning", code, nodeId: null, message }),
    refuse: (code, message) => void findings.push(toImportError(code, message)),
    finish() {
      const flow: FlowDocument = { weft: 1, nodes: [...nodes.values()], edges: [...edges.values()] };
      const excess = findExcess(flow.nodes.length, flow.edges.length);
      if (excess !== undefined) return { flow: { weft: 1, nodes: [], edges: [] }, findings: [excess] };
      return { flow, findings: toSettled(findings, nodes) };
    },
  };
}

/** Each finding once. What became no step is a matter of the whole flow. */
function toSettled(findings: readonly Finding[], nodes: ReadonlyMap<string, unknown>): Finding[] {
  const settled = findings.map((finding) => ({
    ...finding,
    nodeId: nodes.has(finding.nodeId ?? "") ? finding.nodeId : null,
  }));
  return [...new Map(settled.map((finding) => [`${finding.nodeId} ${finding.message}`, finding])).values()];
}
