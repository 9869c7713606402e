import type { Finding, FlowDocument, JsonObject } from "@weft/schema";
import { convertEdges } from "./convert-edges.ts";
import { createNodeConversion } from "./convert-node.ts";
import { findDifferences } from "./find-differences.ts";
import { toForeignFlow } from "./foreign-flow.ts";

/** A native flow, and what differs or cannot be done in it. A flow with an `error` must not run. */
export type ConvertedFlow = { flow: FlowDocument; findings: Finding[] };

/** Most nodes and edges of a native flow. */
const maxNodes = 2_000;
const maxEdges = 10_000;

/**
 * Compiles an AgentFlow V2 document (`nodes`, `edges`) to a native flow. Executes nothing and never throws: what cannot
 * be mapped is a finding that names the node and what to do.
 */
export function convertAgentFlowV2(document: JsonObject): ConvertedFlow {
  const foreign = toForeignFlow(document);
  const findings: Finding[] = [];
  if (foreign.nodes.length > maxNodes || foreign.edges.length > maxEdges) {
    const message = `This flow has more than ${maxNodes} nodes or ${maxEdges} edges. Divide it into several.`;
    findings.push({ level: "error", code: "flow-too-large", nodeId: null, message });
    return { flow: { weft: 1, nodes: [], edges: [] }, findings };
  }
  const convert = createNodeConversion(foreign, findings);
  const nodes = new Map(
    foreign.nodes.flatMap((node) => {
      const converted = convert(node);
      return converted ? [[node.id, converted] as const] : [];
    }),
  );
  const edges = convertEdges(foreign.edges, nodes, findings);
  const flow: FlowDocument = { weft: 1, nodes: [...nodes.values()].map(({ node }) => node), edges };
  return { flow, findings: [...findings, ...findDifferences(flow)] };
}
