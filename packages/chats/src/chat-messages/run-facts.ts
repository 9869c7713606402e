import type { CompiledFlow } from "@weft/engine";
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
  toJsonList,
  toJsonObject,
  type UsedTool,
  usedToolSchema,
  withoutCitation,
  withoutNotes,
} from "@weft/schema";

type Flow = Pick<CompiledFlow, "graph">;

/** What answers, streams and chat messages tell of a run besides its words. */
export type RunFacts = {
  /** Every tool call, in order. */
  usedTools: UsedTool[];
  /** Every passage that a step names as a source, in order, each once. */
  sourceDocuments: Document[];
  /** Files that the steps made, each once. */
  fileAnnotations: FileAnnotation[];
  /** Name of the memory that the answering node used, as existing clients know it. */
  memoryType: string;
};

/** What the run answers: in which words, and which node says them where one does. */
type Answer = { text: string; nodeKey?: string | null | undefined };

/** `outputs`: what the steps of the run gave, in order. */
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
 * The passages, each once, and those that a model could cite with `isCited`. Models that worked side by side may know
 * different passages by one number: it is no passage's then, since nobody can tell which is meant.
 */
function markCited(sources: readonly Document[], text: string): Document[] {
  // Without passages nothing is cited, however many numbers in brackets a long answer has.
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
  // A step shows what it found, and the model that may cite it shows it under its number.
  const shown = marked.filter((document) => citationNumber(document) !== undefined || !numbered.has(keyOf(document)));
  return [...new Map(shown.map((document) => [JSON.stringify(document), document])).values()];
}

function keyOf(document: Document): string {
  return JSON.stringify(withoutNotes(document));
}

type Parser<T> = { safeParse(value: unknown): { success: true; data: T } | { success: false } };

function listed<T>(output: Json, field: string, { safeParse }: Parser<T>): T[] {
  return toJsonList(toJsonObject(output)[field]).flatMap((entry) => {
    const parsed = safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

function toolsOf(output: Json): UsedTool[] {
  const calls = toJsonList(toJsonObject(output).usedTools).map((entry) =>
    isJsonObject(entry) ? { ...entry, toolInput: asToolInput(entry.toolInput ?? {}) } : entry,
  );
  return listed({ usedTools: calls } as Json, "usedTools", usedToolSchema);
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
