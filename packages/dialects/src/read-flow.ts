import { parseFlow } from "@weft/engine";
import type { Finding, Flow } from "@weft/schema";
import { convertAgentFlowV2 } from "./agentflow-v2/index.ts";
import { convertClassic } from "./flowise-classic/index.ts";
import { convertSequential } from "./flowise-sequential/index.ts";
import { recognise } from "./recognise.ts";

/**
 * The native flow that a stored text means, whatever dialect it is in, and what is wrong or worth knowing about it.
 * Never throws and executes nothing.
 */
export function readFlow(text: string): { flow: Flow; findings: Finding[] } {
  const recognised = recognise(text);
  switch (recognised.dialect) {
    case "agentflow-v2":
      return convertAgentFlowV2(recognised.document);
    case "classic":
      return recognised.kind === "chatflow"
        ? convertClassic(recognised.document)
        : convertSequential(recognised.document);
    case "workspace": {
      const count = recognised.flows.length;
      const message = `This is the export of a workspace, with ${count} flows. Import its flows one by one.`;
      return refuse("flow-workspace", message);
    }
    case "native":
    case "unknown":
      return parseFlow(text);
  }
}

function refuse(code: string, message: string): { flow: Flow; findings: Finding[] } {
  return { flow: { nodes: [], edges: [] }, findings: [{ level: "error", nodeId: null, code, message }] };
}
