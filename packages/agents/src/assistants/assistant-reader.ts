import type { Database, Tables } from "@weft/database";
import { type Assistant, type AssistantDetails, assistantDetailsSchema } from "@weft/schema";
import type { Kysely, RawBuilder, SqlBool } from "kysely";
import { z } from "zod";
import type { AgentReader, RunnableAgent } from "../agents/index.ts";
import { type AssistantRow, hasAssistant, isAssistantThere, rows } from "./assistant.store.ts";

/** Assistants as their equivalent agents. Depends only on the database, so everything can be created after it. */
export type AssistantReader = {
  /** Whether the assistant exists, for the caller's transaction. */
  exists(tx: Kysely<Tables>, id: string): Promise<boolean>;
  /** As `exists`, as a condition of a statement. */
  isThere(id: string): RawBuilder<SqlBool>;
  /** For predictions. Rejects with `not-found`. */
  getForRun(id: string): Promise<RunnableAgent>;
};

export function createAssistantReader({ read }: Database, { flowOfVersion }: AgentReader): AssistantReader {
  return {
    exists: hasAssistant,
    isThere: isAssistantThere,
    async getForRun(id) {
      const row = await rows.get(read, id);
      const flowData = rows.found(await flowOfVersion(row.versionId), id);
      const { details } = toAssistant(row);
      return { agent: toSettings(details, row), versionId: row.versionId, flowData, warnings: toWarnings(details) };
    },
  };
}

export function toAssistant({ versionId: _, ...row }: AssistantRow): Assistant {
  return { ...row, details: assistantDetailsSchema.parse(JSON.parse(row.details)) };
}

/** An assistant as the agent that predictions run. It has no settings beside its details. */
function toSettings({ name }: AssistantDetails, row: AssistantRow): RunnableAgent["agent"] {
  const { id, createdDate, updatedDate, versionId } = row;
  const dates = { createdDate, updatedDate, versionId };
  const texts = { chatbotConfig: "{}", apiConfig: "{}", analytic: "{}", speechToText: "{}", category: "" };
  return { id, name, deployed: 1, isPublic: 0, apikeyid: "", type: "ASSISTANT", ...texts, ...dates };
}

const storesSchema = z.object({
  file_search: z.object({ vector_store_ids: z.array(z.string().min(1).max(100)).max(50) }),
});

const toolIdsSchema = z.object({ function: z.object({ tool_ids: z.array(z.string().min(1).max(100)).max(100) }) });

function toWarnings(details: AssistantDetails) {
  const code = "assistant-tool-unavailable";
  const warnings = [];
  if (details.tools.includes("file_search") && searchedStores(details).length === 0) {
    const where = "tool_resources.file_search.vector_store_ids";
    const message = `file_search was ignored because it lists no document stores. Add their ids to ${where}.`;
    warnings.push({ code, message });
  }
  if (details.tools.includes("function") && namedTools(details).length === 0) {
    const where = "tool_resources.function.tool_ids";
    warnings.push({ code, message: `function was left out: it names no tool. List their ids in ${where}.` });
  }
  return warnings;
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
