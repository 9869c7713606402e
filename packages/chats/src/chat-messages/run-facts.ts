import type { WithGraph } from "@weft/engine";
import { keptWith } from "@weft/engine/node";
import {
  type AgentReasoning,
  asToolInput,
  citationNumber,
  citedNumbers,
  type Document,
  documentSchema,
  type FileAnnotation,
  fileAnnotationSchema,
  isJsonObject,
  type Json,
  type JsonObject,
  type RunEvent,
  type RunEventOf,
  type UsedTool,
  usedToolSchema,
  withoutCitation,
  withoutNotes,
} from "@weft/schema";

type Flow = WithGraph;

/** Facts about a run in answers, streams and chat messages, besides its text. */
export type RunFacts = {
  /** Every tool call, in order. */
  usedTools: UsedTool[];
  /** Every passage that a step names as a source, in order, deduplicated. */
  sourceDocuments: Document[];
  /** Files created by the steps, deduplicated. */
  fileAnnotations: FileAnnotation[];
  /** Memory type of the answering node, as existing clients name it. */
  memoryType: string;
};

/** The run's answer: its text, and the node that gave it, if any. */
type Answer = { text: string; nodeKey?: string | null | undefined };

/** `outputs`: of the run's steps, in order. */
export function runFactsOf(flow: Flow, outputs: readonly Json[], { text, nodeKey }: Answer): RunFacts {
  const sources = outputs.flatMap((output) => listed(output, "sourceDocuments", documentSchema));
  const files = outputs.flatMap((output) => listed(output, "fileAnnotations", fileAnnotationSchema));
  return {
    usedTools: outputs.flatMap(toolsOf),
    sourceDocuments: markCited(sources, text),
    fileAnnotations: [...new Map(files.map((file) => [file.filePath, file])).values()],
    memoryType: memoryTypeOf(flow, nodeKey),
  };
}

/**
 * The passages, deduplicated, with `isCited` on those that a model could cite. Parallel models may use the same number
 * for different passages: then it belongs to none, since it is ambiguous.
 */
function markCited(sources: readonly Document[], text: string): Document[] {
  // Without passages nothing is cited, however many bracketed numbers a long answer has.
  if (sources.length === 0) return [];
  const byNumber = Map.groupBy(sources, (document) => citationNumber(document) ?? 0);
  const isClear = (number: number) => new Set(byNumber.get(number)?.map(keyOf)).size === 1;
  const cited = citedNumbers(text);
  const numbered = new Set<string>();
  const marked = sources.map((document): Document => {
    const plain = withoutCitation(document);
    const number = citationNumber(document) ?? 0;
    if (number === 0 || !isClear(number)) return plain;
    numbered.add(keyOf(plain));
    return { ...plain, metadata: { ...plain.metadata, citationNumber: number, isCited: cited.has(number) } };
  });
  // A step shows its results, and the model that may cite them shows them with their numbers.
  const shown = marked.filter((document) => citationNumber(document) !== undefined || !numbered.has(keyOf(document)));
  return [...new Map(shown.map((document) => [JSON.stringify(document), document])).values()];
}

function keyOf(document: Document): string {
  return JSON.stringify(withoutNotes(document));
}

type Parser<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } };

function listed<T>(output: Json, field: string, { safeParse }: Parser<T>, read = (entry: Json): Json => entry): T[] {
  const entries = isJsonObject(output) ? output[field] : undefined;
  if (!Array.isArray(entries) || entries.length === 0) return [];
  return entries.flatMap((entry) => {
    const parsed = safeParse(read(entry));
    return parsed.success ? [parsed.data] : [];
  });
}

function toolsOf(output: Json): UsedTool[] {
  return listed(output, "usedTools", usedToolSchema, (entry) =>
    isJsonObject(entry) ? { ...entry, toolInput: asToolInput(entry.toolInput ?? {}) } : entry,
  );
}

const memoryNames: Record<string, string> = {
  all: "Buffer Memory",
  window: "Buffer Window Memory",
  summary: "Conversation Summary Buffer Memory",
  off: "",
};

function memoryTypeOf({ graph }: Flow, nodeKey: Answer["nodeKey"]): string {
  const nodeId = nodeKey?.split("#")[0] ?? "";
  const memory = graph.nodes.get(nodeId)?.config.memory as { type?: string } | undefined;
  return memoryNames[memory?.type ?? ""] ?? "";
}

/** Steps with an answer of their own: a model, with its tools and sources, or a flow called in its place. */
const agentTypes = ["agent", "llm", "condition-agent", "execute-flow"];
/** Steps that let one agent answer several times. */
const repeatingTypes = ["loop", "iteration"];

/** Whether several agent steps contribute to the answer. A single agent's text is the answer itself. */
export const hasSeveralAgents = keptWith(({ graph }: Flow): boolean => {
  const types = [...graph.nodes.values()].map(({ type }) => type.type);
  const agents = types.filter((type) => agentTypes.includes(type)).length;
  return agents > 1 || (agents === 1 && types.some((type) => repeatingTypes.includes(type)));
});

/**
 * The work of each agent in a run of several so far, in the order in which they ended, as existing clients show it: its
 * text, tools, sources, and the flow's state after it. Empty for a single agent. Source: reference, "AgentReasoning".
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

/** Whether the event adds a step to `agentReasoningOf`. */
export function isReasoningStep(flow: Flow, event: RunEventOf<"node-completed">): boolean {
  return isAgent(flow, event.nodeId) && hasSeveralAgents(flow);
}

function toReasoning(
  flow: Flow,
  { nodeId, output, text }: RunEventOf<"node-completed">,
  state: JsonObject,
): AgentReasoning {
  const node = flow.graph.nodes.get(nodeId);
  const content = text ?? (isJsonObject(output) && typeof output.content === "string" ? output.content : "");
  const { usedTools, sourceDocuments } = runFactsOf(flow, [output], { text: content });
  return {
    agentName: node?.label ?? nodeId,
    messages: content === "" ? [] : [content],
    nodeName: node?.type.type ?? "unknown",
    nodeId,
    usedTools,
    sourceDocuments,
    state,
  };
}

function isAgent({ graph }: Flow, nodeId: string): boolean {
  return agentTypes.includes(graph.nodes.get(nodeId)?.type.type ?? "");
}
