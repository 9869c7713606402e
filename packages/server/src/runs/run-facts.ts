import type { CompiledFlow, RunState } from "@weft/engine";
import { type Json, type JsonObject, type UsedTool, usedToolSchema } from "@weft/schema";

/** Every tool call of a run, in order, as answers and chat messages show them. */
export function usedToolsOf(state: RunState): UsedTool[] {
  return [...state.outputs.values()].flatMap(({ output }) => {
    const listed = isObject(output) && Array.isArray(output.usedTools) ? output.usedTools : [];
    return listed.flatMap((entry) => {
      const parsed = usedToolSchema.safeParse(entry);
      return parsed.success ? [parsed.data] : [];
    });
  });
}

const memoryNames: Record<string, string> = { all: "Buffer Memory", window: "Buffer Window Memory", off: "" };

/** Name of the memory that the answering node used, as existing clients know it. */
export function memoryTypeOf(flow: CompiledFlow, state: RunState): string {
  const nodeId = state.answer?.nodeKey.split("#")[0] ?? "";
  const memory = flow.graph.nodes.get(nodeId)?.config.memory as { type?: string } | undefined;
  return memoryNames[memory?.type ?? ""] ?? "";
}

function isObject(value: Json): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
