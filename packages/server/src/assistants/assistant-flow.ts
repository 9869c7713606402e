import type { AssistantDetails, FlowDocument, JsonObject } from "@weft/schema";
import { z } from "zod";

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
  const { model, instructions, temperature, top_p: topP } = details;
  return {
    model: {
      ...(model !== "" && { model }),
      ...(credential !== "" && { credential }),
      // 1 is what models do by themselves, and some refuse to be told.
      ...(temperature !== 1 && { temperature }),
      ...(topP !== 1 && { topP }),
    },
    messages: instructions === "" ? [] : [{ role: "system", content: instructions }],
    tools: toTools(details),
  };
}

/** `file_search` adds nothing while there are no document stores. */
function toTools({ tools, tool_resources: resources }: AssistantDetails): JsonObject[] {
  const named = toolIdsSchema.safeParse(resources);
  return [
    ...(tools.includes("code_interpreter") ? [{ type: "code-interpreter", config: {} }] : []),
    ...(tools.includes("function")
      ? [{ type: "custom-tools", config: named.success ? { toolIds: named.data.function.tool_ids } : {} }]
      : []),
  ];
}
