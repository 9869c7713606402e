import { defaultPort, type Finding, type FlowEdge } from "@weft/schema";
import type { ConvertedNode } from "./convert-node.ts";
import type { ForeignEdge } from "./foreign-flow.ts";

/** Edges between converted nodes, each once. What leads nowhere is left out, with a finding where it mattered. */
export function convertEdges(
  edges: readonly ForeignEdge[],
  nodes: ReadonlyMap<string, ConvertedNode>,
  findings: Finding[],
): FlowEdge[] {
  const converted = new Map<string, FlowEdge>();
  for (const edge of edges) {
    const source = nodes.get(edge.source);
    const target = nodes.get(edge.target);
    if (!source || !target) continue;
    const sourcePort = source.ports ? source.ports[outputIndex(edge)] : defaultPort;
    const leaveOut = (reason: string) => findings.push(toFinding(source, target, reason));
    if (source.node.parent !== target.node.parent) {
      leaveOut("leads into or out of an iteration and is left out. Remove it.");
    } else if (sourcePort === undefined) {
      leaveOut("leaves from an output that there is not and is left out. Draw it again.");
    } else {
      const ends = { source: source.node.id, sourcePort, target: target.node.id };
      const key = JSON.stringify(Object.values(ends));
      if (!converted.has(key)) converted.set(key, { id: `edge_${converted.size}`, ...ends });
    }
  }
  return [...converted.values()];
}

/** The number at the end of `<id>-output-<number>`. */
function outputIndex({ sourceHandle }: ForeignEdge): number {
  const [, digits] = /-output-(\d{1,4})$/.exec(sourceHandle) ?? [];
  return digits === undefined ? -1 : Number(digits);
}

function toFinding({ node }: ConvertedNode, target: ConvertedNode, reason: string): Finding {
  const [from, to] = [node, target.node].map(({ id, label }) => label || id);
  return {
    level: "warning",
    code: "edge-left-out",
    nodeId: node.id,
    message: `Node "${from}": Its edge to "${to}" ${reason}`,
  };
}
