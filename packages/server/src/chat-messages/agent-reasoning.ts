import type { CompiledFlow } from "@weft/engine";
import {
  type AgentReasoning,
  type FileAnnotation,
  fileAnnotationSchema,
  type Json,
  type JsonObject,
  type RunEvent,
  type RunEventOf,
} from "@weft/schema";
import { sourceDocumentsOf, toolsOfOutput } from "./run-facts.ts";

type Flow = Pick<CompiledFlow, "graph">;

/** Steps that speak for themselves: a model, with its tools and sources, or a flow that is asked in its place. */
const agentTypes = ["agent", "llm", "condition-agent", "execute-flow"];
/** Steps that let one agent speak several times. */
const repeatingTypes = ["loop", "iteration"];

/** Whether the answer is the work of several steps of agents. What one agent says alone is the answer itself. */
export function hasSeveralAgents({ graph }: Flow): boolean {
  const types = [...graph.nodes.values()].map(({ type }) => type.type);
  const agents = types.filter((type) => agentTypes.includes(type)).length;
  return agents > 1 || (agents === 1 && types.some((type) => repeatingTypes.includes(type)));
}

/**
 * What each agent of a run of several has done so far, in the order in which they ended, as existing clients show it: its
 * words, tools, sources, and the flow's state after it. Empty where one agent answers alone.
 * Source: reference, "AgentReasoning".
 */
export function agentReasoningOf(flow: Flow, events: readonly RunEvent[]): AgentReasoning[] {
  if (!hasSeveralAgents(flow)) return [];
  let state: JsonObject = {};
  const steps: AgentReasoning[] = [];
  for (const event of events) {
    if (event.type !== "node-completed") continue;
    state = { ...state, ...event.state };
    if (isAgent(flow, event.nodeId)) steps.push(toReasoning(flow, event, state));
  }
  return steps;
}

/** Whether `agentReasoningOf` has one step more with the event. */
export function isReasoningStep(flow: Flow, event: RunEventOf<"node-completed">): boolean {
  return isAgent(flow, event.nodeId) && hasSeveralAgents(flow);
}

/** Files that the steps of a run made, as their outputs name them, each once. */
export function fileAnnotationsOf(outputs: readonly Json[]): FileAnnotation[] {
  const found = outputs.flatMap((output) => {
    const listed = isObject(output) && Array.isArray(output.fileAnnotations) ? output.fileAnnotations : [];
    return listed.flatMap((entry) => {
      const parsed = fileAnnotationSchema.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
  });
  return [...new Map(found.map((file) => [file.filePath, file])).values()];
}

function toReasoning(
  { graph }: Flow,
  { nodeId, output, text }: RunEventOf<"node-completed">,
  state: JsonObject,
): AgentReasoning {
  const node = graph.nodes.get(nodeId);
  const content = text ?? (isObject(output) && typeof output.content === "string" ? output.content : "");
  return {
    agentName: node?.label ?? nodeId,
    messages: content === "" ? [] : [content],
    nodeName: node?.type.type ?? "unknown",
    nodeId,
    usedTools: toolsOfOutput(output),
    sourceDocuments: sourceDocumentsOf([output]),
    state,
  };
}

function isAgent({ graph }: Flow, nodeId: string): boolean {
  return agentTypes.includes(graph.nodes.get(nodeId)?.type.type ?? "");
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
