import type { Finding, Flow } from "@weft/schema";
import { type FlowReference, type ReferenceKind, referencesOf } from "./flow-references.ts";

/** Whether there is such a thing. What has no entry is not checked. */
export type KnownReferences = Partial<Record<ReferenceKind, (id: string) => Promise<boolean>>>;

/** A finding for each thing that a flow names and that does not exist: the step that needs it would fail. */
export async function checkReferences(flow: Pick<Flow, "nodes">, known: KnownReferences): Promise<Finding[]> {
  const findings = referencesOf(flow).map(async (reference) => {
    const exists = known[reference.kind];
    return exists === undefined || (await exists(reference.id)) ? [] : [toFinding(reference)];
  });
  return (await Promise.all(findings)).flat();
}

const words: Readonly<Record<ReferenceKind, (id: string) => string>> = {
  credential: (id) => `Its credential ${id} does not exist. Choose another one, or create it.`,
  tool: (id) => `Its tool ${id} does not exist. Choose another one, or remove it.`,
  agent: (id) => `The agent ${id} that it calls does not exist. Choose another one.`,
  "document-store": (id) => `Its document store ${id} does not exist. Choose another one, or remove it.`,
  "mcp-server": (id) =>
    `The operator has set up no MCP server with the name ${id}. Choose another one, or add it to MCP_SERVERS.`,
};

function toFinding({ kind, id, nodeId }: FlowReference): Finding {
  return { level: "error", code: `${kind}-missing`, nodeId, message: words[kind](id.slice(0, 100)) };
}
