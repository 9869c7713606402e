import { parseFlow } from "@weft/engine";
import type { Finding, Flow } from "@weft/schema";
import { convertAgentFlowV2 } from "./agentflow-v2/index.ts";
import { type RecognisedFlow, recognise } from "./recognise.ts";

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
    case "workspace":
      return refuse(recognised);
    case "native":
    case "unknown":
      return parseFlow(text);
  }
}

type Refused = Extract<RecognisedFlow, { dialect: "classic" | "workspace" }>;

function refuse(recognised: Refused): { flow: Flow; findings: Finding[] } {
  const finding = { level: "error", nodeId: null, ...reasonFor(recognised) } as const;
  return { flow: { nodes: [], edges: [] }, findings: [finding] };
}

function reasonFor(recognised: Refused): Pick<Finding, "code" | "message"> {
  if (recognised.dialect === "workspace") {
    const count = recognised.flows.length;
    return {
      code: "flow-workspace",
      message: `This is the export of a workspace, with ${count} flows. Import its flows one by one.`,
    };
  }
  const what = recognised.kind === "chatflow" ? "a classic chatflow" : "a multi-agent flow of the first version";
  return {
    code: "flow-classic",
    message: `It is ${what}. Draw it as an agent flow: a start node, then an agent or a model.`,
  };
}
