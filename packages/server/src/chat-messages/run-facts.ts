import type { CompiledFlow, RunState } from "@weft/engine";
import {
  asToolInput,
  type Document,
  documentSchema,
  type Json,
  type JsonObject,
  type UsedTool,
  usedToolSchema,
} from "@weft/schema";

/** Every tool call of a run, in order, as answers and chat messages show them. */
export function usedToolsOf(state: RunState): UsedTool[] {
  return [...state.outputs.values()].flatMap(({ output }) => toolsOfOutput(output));
}

/** The tool calls that the output of a step names. */
export function toolsOfOutput(output: Json): UsedTool[] {
  const listed = isObject(output) && Array.isArray(output.usedTools) ? output.usedTools : [];
  return listed.flatMap((entry) => {
    const parsed = usedToolSchema.safeParse(
      isObject(entry) ? { ...entry, toolInput: asToolInput(entry.toolInput ?? {}) } : entry,
    );
    return parsed.success ? [parsed.data] : [];
  });
}

/** Every passage that the outputs of a run's steps name as a source, in order, each once. */
export function sourceDocumentsOf(outputs: readonly Json[]): Document[] {
  const found = outputs.flatMap((output) => {
    const listed = isObject(output) && Array.isArray(output.sourceDocuments) ? output.sourceDocuments : [];
    return listed.flatMap((entry) => {
      const parsed = documentSchema.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
  });
  return [...new Map(found.map((document) => [JSON.stringify(document), document])).values()];
}

const memoryNames: Record<string, string> = {
  all: "Buffer Memory",
  window: "Buffer Window Memory",
  summary: "Conversation Summary Buffer Memory",
  off: "",
};

/** Name of the memory that the answering node used, as existing clients know it. */
export function memoryTypeOf(flow: CompiledFlow, answerNodeKey: string | null | undefined): string {
  const nodeId = answerNodeKey?.split("#")[0] ?? "";
  const memory = flow.graph.nodes.get(nodeId)?.config.memory as { type?: string } | undefined;
  return memoryNames[memory?.type ?? ""] ?? "";
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
