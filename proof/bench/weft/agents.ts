import { readFileSync } from "node:fs";
import type { PlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";

type ForeignNode = { id: string; data: { id: string; inputs: { llmModelConfig?: object } } };
type ForeignEdge = { id: string; source: string; target: string };
type ForeignFlow = { nodes: ForeignNode[]; edges: ForeignEdge[] };

const exportUrl = new URL("../flows/translator.agentflow.json", import.meta.url);

/** An AgentFlow V2 as its editor exports it: start → llm, with a system message. Its model reads the credential. */
export function readForeignFlow(credentialId = ""): ForeignFlow {
  const flow = JSON.parse(readFileSync(exportUrl, "utf8")) as ForeignFlow;
  for (const { data } of flow.nodes) {
    const model = data.inputs.llmModelConfig;
    if (model !== undefined) Object.assign(model, { FLOWISE_CREDENTIAL_ID: credentialId });
  }
  return flow;
}

/** The same with a second model behind the first: about 16 KB as the API answers it. */
export function readLargeFlow(): ForeignFlow {
  const { nodes, edges } = readForeignFlow();
  const llm = nodes[1];
  const edge = edges[0];
  if (llm === undefined || edge === undefined) throw new Error("The exported flow has no second node.");
  const id = "llmAgentflow_1";
  const second = { ...llm, id, data: { ...llm.data, id, label: "Proof-reader" } };
  return { nodes: [...nodes, second], edges: [...edges, { ...edge, id: `${edge.id}-1`, source: llm.id, target: id }] };
}

/** Resolves with the id of the stored agent. */
export async function createAgent(platform: PlatformProcess, name: string, flow: object): Promise<string> {
  const body = { name, type: "AGENTFLOW", flowData: JSON.stringify(flow) };
  return (await platform.call<{ id: string }>("POST", "/chatflows?confirmDestinations=true", body)).id;
}

/** A start node and one step behind it. */
export function flowOf(type: string, config: object): object {
  return {
    weft: 1,
    nodes: [
      { id: "start_0", type: "start" },
      { id: "node_0", type, config },
    ],
    edges: [{ id: "e", source: "start_0", target: "node_0" }],
  };
}
