import type { AssistantDetails, FlowDocument, JsonObject } from "@weft/schema";
import { z } from "zod";

const storesSchema = z.object({
  file_search: z.object({ vector_store_ids: z.array(z.string().min(1).max(100)).max(50) }),
});

const toolIdsSchema = z.object({ function: z.object({ tool_ids: z.array(z.string().min(1).max(100)).max(100) }) });

/**
 * The flow that an assistant amounts to: one agent with its model, instructions and tools. The text is the same for the
 * same details, so that an unchanged assistant gets no new version.
 */
export function toAssistantFlow(details: AssistantDetails, credential: string): string {
  const flow: FlowDocument = {
    weft: 1,
    nodes: [
      { id: "start", type: "start", version: 1, label: "Start", position: { x: 0, y: 0 }, config: {} },
      {
        id: "assistant",
        type: "agent",
        version: 1,
        label: details.name,
        position: { x: 300, y: 0 },
        config: toAgentConfig(details, credential),
      },
    ],
    edges: [{ id: "start-assistant", source: "start", sourcePort: "out", target: "assistant" }],
  };
  return JSON.stringify(flow);
}

function toAgentConfig(details: AssistantDetails, credential: string): JsonObject {
  const { provider = "", model, instructions, temperature, top_p: topP } = details;
  return {
    model: {
      ...(provider !== "" && { provider }),
      ...(model !== "" && { model }),
      ...(credential !== "" && { credential }),
      // 1 is what models do by themselves, and some refuse to be told.
      ...(temperature !== 1 && { temperature }),
      ...(topP !== 1 && { topP }),
    },
    messages: instructions === "" ? [] : [{ role: "system", content: instructions }],
    tools: toTools(details),
    knowledge: toKnowledge(details),
  };
}

function toTools(details: AssistantDetails): JsonObject[] {
  const toolIds = namedTools(details);
  return [
    ...(details.tools.includes("code_interpreter") ? [{ type: "code-interpreter", config: {} }] : []),
    ...(toolIds.length > 0 ? [{ type: "custom-tools", config: { toolIds } }] : []),
  ];
}

/** Ids of the custom tools that `function` names. */
export function namedTools({ tools, tool_resources: resources }: AssistantDetails): string[] {
  const named = toolIdsSchema.safeParse(resources);
  return tools.includes("function") && named.success ? named.data.function.tool_ids : [];
}

/** Ids of the document stores that `file_search` names. */
export function searchedStores({ tool_resources: resources }: AssistantDetails): string[] {
  const named = storesSchema.safeParse(resources);
  return named.success ? named.data.file_search.vector_store_ids : [];
}

/** The document stores that `file_search` names, each as a tool of its own. */
function toKnowledge(details: AssistantDetails): JsonObject[] {
  if (!details.tools.includes("file_search")) return [];
  const storeIds = searchedStores(details);
  return storeIds.map((storeId, index) => ({
    storeId,
    name: storeIds.length === 1 ? "file_search" : `file_search_${index + 1}`,
    description: "Searches the assistant's documents. Use it before you answer what they may know.",
  }));
}
