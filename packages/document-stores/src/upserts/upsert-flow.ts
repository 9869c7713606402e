import { type CompiledFlow, compileFlow, type NodeRegistry, type NodeType, whyNotRunnable } from "@weft/engine";
import { builtInPrefix, noAgentId } from "@weft/run-host";
import type { RunEventOf } from "@weft/schema";

/** The version that runs of upserts have in place of an agent's: they are runs, and no executions of an agent. */
export const upsertVersionId = `${builtInPrefix}upsert`;

/** The longest time that a timer can wait: an upsert ends by itself or is cancelled. */
const wallTimeMs = 2_147_483_647;

/** The flow of an upsert: a start and the one step. */
export function compileUpsertFlow(node: NodeType, nodeTypes: NodeRegistry): CompiledFlow {
  const position = { x: 0, y: 0 };
  const flow = compileFlow(
    JSON.stringify({
      weft: 1,
      nodes: [
        { id: "start", type: "start", version: 1, label: "Start", position, config: {} },
        { id: "upsert", type: node.type, version: 1, label: node.title, position, config: {} },
      ],
      edges: [{ id: "start-upsert", source: "start", sourcePort: "out", target: "upsert" }],
    }),
    { ...nodeTypes, [node.type]: node },
  );
  const why = whyNotRunnable(flow.findings);
  if (why !== undefined) throw new Error(why);
  return { ...flow, isEphemeral: true, limits: { wallTimeMs } };
}

/**
 * The first event of an upsert. It is no agent's run, although a store may have an agent's id. It has a session of its
 * own, because the upserts of a store have a line of their own (U5), and a run that stood in two lines could wait for one
 * that waits for it.
 */
export function upsertStarted(runId: string): RunEventOf<"run-started"> {
  return {
    type: "run-started",
    agentId: noAgentId,
    flowVersionId: upsertVersionId,
    chatId: runId,
    sessionId: runId,
    chatType: "INTERNAL",
    userMessageId: runId,
    apiMessageId: runId,
    input: { question: "Upsert" },
    depth: 0,
  };
}
