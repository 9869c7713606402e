import type { Assistant } from "@weft/client";
import type { JsonObject } from "@weft/schema";

/** What of an imported assistant stops its answers. */
type Refusal = { code: string; message: string };

export type AssistantTool = Assistant["details"]["tools"][number];

export type AssistantDraft = {
  name: string;
  description: string;
  instructions: string;
  /** `provider`, `model` and `credential`; absent values use the server's default. */
  model: JsonObject;
  temperature: number;
  topP: number;
  tools: readonly AssistantTool[];
  /** Ids of the tools of "function"; none: all there are. */
  toolIds: readonly string[];
  /** Ids of the document stores of "file_search". */
  storeIds: readonly string[];
  /** Tool settings that cannot be edited here; they are kept. */
  otherResources: JsonObject;
  /** What an import could not carry over and nobody dealt with. */
  refused: readonly Refusal[];
};

export const newAssistantDraft: AssistantDraft = {
  name: "",
  description: "",
  instructions: "",
  model: {},
  temperature: 1,
  topP: 1,
  tools: [],
  toolIds: [],
  storeIds: [],
  otherResources: {},
  refused: [],
};

/** A new one that searches a document store. */
export function newSearchDraft(storeId: string): AssistantDraft {
  return { ...newAssistantDraft, tools: ["file_search"], storeIds: [storeId] };
}

export function toAssistantDraft({ details, credential }: Pick<Assistant, "details" | "credential">): AssistantDraft {
  const { function: functions, file_search: files, ...otherResources } = details.tool_resources;
  const { provider = "", model } = details;
  return {
    name: details.name,
    description: details.description,
    instructions: details.instructions,
    model: { ...(provider && { provider }), ...(model && { model }), ...(credential && { credential }) },
    temperature: details.temperature,
    topP: details.top_p,
    tools: details.tools,
    toolIds: idsIn(functions, "tool_ids"),
    storeIds: idsIn(files, "vector_store_ids"),
    otherResources,
    refused: details.refused ?? [],
  };
}

/** The request body for the API. */
export function fromAssistantDraft(draft: AssistantDraft) {
  const { model, tools, toolIds, storeIds } = draft;
  const text = (name: string) => (typeof model[name] === "string" ? model[name] : "");
  return {
    details: {
      name: draft.name.trim(),
      description: draft.description,
      instructions: draft.instructions,
      provider: text("provider"),
      model: text("model"),
      temperature: draft.temperature,
      top_p: draft.topP,
      tools: [...tools],
      tool_resources: {
        ...draft.otherResources,
        ...(toolIds.length > 0 && { function: { tool_ids: [...toolIds] } }),
        ...(storeIds.length > 0 && { file_search: { vector_store_ids: [...storeIds] } }),
      },
      refused: [...draft.refused],
    },
    credential: text("credential"),
  };
}

/** The tools with one of them in or out. */
export function withTool(tools: readonly AssistantTool[], tool: AssistantTool, isOn: boolean): AssistantTool[] {
  const others = tools.filter((one) => one !== tool);
  return isOn ? [...others, tool] : others;
}

function idsIn(resource: unknown, key: string): string[] {
  const ids = typeof resource === "object" && resource !== null ? Reflect.get(resource, key) : undefined;
  return Array.isArray(ids) ? ids.filter((id): id is string => typeof id === "string") : [];
}
