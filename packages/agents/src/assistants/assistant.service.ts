import type { Database, Tables } from "@weft/database";
import type { IdSource, WallClock } from "@weft/engine/ports/clock";
import type { Reach } from "@weft/http/identity";
import { listOrPage, type RowDates } from "@weft/http/rows";
import {
  type Assistant,
  type AssistantCreate,
  type AssistantDetails,
  type AssistantUpdate,
  assistantDetailsSchema,
  type FlowDocument,
  type JsonObject,
  momentAfter,
  type PageQuery,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import { type AgentEvents, addFlowVersion, removeFlowVersions } from "../agents/index.ts";
import { reachedAssistants, rows } from "./assistant.store.ts";
import { namedTools, searchedStores, toAssistant } from "./assistant-reader.ts";

export type AssistantServiceDeps = {
  database: Database;
  clock: WallClock;
  ids: IdSource;
  /** The text of a saved flow. */
  flowOfVersion(versionId: string): Promise<string | undefined>;
  hasCredential(id: string): Promise<boolean>;
  /** Kind of another resource with this id, such as `agent`; undefined if there is none. */
  kindOf(id: string): Promise<string | undefined>;
  events: AgentEvents;
};

/** Assistants. Every function that takes an id rejects with `not-found` for an unknown one. */
export type AssistantService = ReturnType<typeof createAssistantService>;

export function createAssistantService(deps: AssistantServiceDeps) {
  return { ...assistantReads(deps), ...assistantWrites(deps) };
}

function assistantReads({ database: { read }, kindOf }: AssistantServiceDeps) {
  return {
    /** Most recently updated first; complete, or one page when `page` and `limit` are given. */
    list: ({ reach, ...page }: PageQuery & { reach: Reach }) =>
      listOrPage(reachedAssistants(read, reach), page, toAssistant),

    /** Rejects with `id-of-other-kind` for the id of another resource. Source: contract "Statuses and errors". */
    async get(id: string): Promise<Assistant> {
      const row = await rows.find(read, id);
      const kind = row === undefined ? await kindOf(id) : undefined;
      if (kind !== undefined) throw new WeftError("id-of-other-kind", { params: { id, kind, wanted: "assistant" } });
      return toAssistant(rows.found(row, id));
    },
  };
}

type AssertFlow = (flowData: string) => void;
type CreateOptions = { dates?: RowDates | undefined; assertFlow?: AssertFlow };
type UpdateOptions = { assertCurrent?: (current: Assistant) => void; assertFlow?: AssertFlow };

function assistantWrites(deps: AssistantServiceDeps) {
  const { database, clock, ids, flowOfVersion, hasCredential, events } = deps;
  const { read } = database;
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });

  async function saveFlow(tx: Kysely<Tables>, version: Parameters<typeof addFlowVersion>[1]): Promise<void> {
    await addFlowVersion(tx, version);
    await events.agentSaved(tx, { id: version.agentId, versionId: version.id, flowData: version.flowData });
  }

  return {
    /**
     * Rejects with `conflict` when the body's own id is taken, and with `validation-failed` for an unknown credential.
     * `dates`: of an assistant from another installation, whose credential may be added later. What `assertFlow` throws on
     * the flow that it becomes keeps it from being made.
     */
    async create(body: AssistantCreate, { dates, assertFlow }: CreateOptions = {}): Promise<Assistant> {
      const id = body.id ?? ids.uuid();
      const now = toMoment(clock.now());
      const { createdDate, updatedDate } = dates ?? { createdDate: now, updatedDate: now };
      const details = newDetails(body, id);
      const { credential = "", iconSrc = "" } = body;
      if (dates === undefined) await assertCredential(deps, credential, 422);
      const flowData = toAssistantFlow(details, credential);
      assertFlow?.(flowData);
      const fields = {
        id,
        credential,
        iconSrc,
        createdDate,
        updatedDate,
        details: JSON.stringify(details),
      };
      return write(async (tx) => {
        const row = await rows.insert(tx, { ...fields, versionId: ids.uuid() });
        await saveFlow(tx, { id: row.versionId, agentId: id, flowData, createdDate: updatedDate });
        return toAssistant(row);
      });
    },

    /**
     * Changes what the body names. What `assertCurrent` throws on the assistant as it is keeps it so, and so does what
     * `assertFlow` throws on the flow that it becomes.
     */
    async update(
      id: string,
      body: AssistantUpdate,
      { assertCurrent, assertFlow }: UpdateOptions = {},
    ): Promise<Assistant> {
      const before = await rows.get(read, id);
      const flowBefore = await flowOfVersion(before.versionId);
      const credential = body.credential ?? before.credential;
      if (credential !== before.credential) await assertCredential(deps, credential, 400);
      // A deleted credential, or one that an older version accepted unchecked, is not used.
      const usable = credential !== "" && (await hasCredential(credential)) ? credential : "";
      return write(async (tx) => {
        const row = await rows.lock(tx, id);
        const current = toAssistant(row);
        assertCurrent?.(current);
        const details = changedDetails(current.details, body);
        const flowData = toAssistantFlow(details, usable);
        assertFlow?.(flowData);
        const isSame = row.versionId === before.versionId && flowData === flowBefore;
        const versionId = isSame ? row.versionId : ids.uuid();
        const updatedDate = momentAfter(row.updatedDate, clock.now());
        const next = {
          ...row,
          details: JSON.stringify(details),
          credential,
          iconSrc: body.iconSrc ?? row.iconSrc,
          updatedDate,
          versionId,
        };
        if (!isSame) await saveFlow(tx, { id: versionId, agentId: id, flowData, createdDate: updatedDate });
        await rows.update(tx, next);
        return toAssistant(next);
      });
    },

    /** Deletes the assistant and everything that belongs to it. Its runs stay. */
    remove(id: string): Promise<void> {
      return write(async (tx) => {
        await rows.lock(tx, id);
        await events.agentDeleted(tx, id);
        await removeFlowVersions(tx, id);
        await rows.remove(tx, id);
      });
    },
  };
}

/** Throws for a credential that does not exist, with the status of the row. */
async function assertCredential({ hasCredential }: AssistantServiceDeps, id: string, status: number): Promise<void> {
  if (id === "" || (await hasCredential(id))) return;
  const message = `No credential with the id ${id} exists. Add it under Credentials and use its id, or leave credential out to use the server's own.`;
  throw new WeftError("validation-failed", { message, status, errors: [{ path: "credential", message }] });
}

const unset = {
  description: "",
  model: "",
  instructions: "",
  temperature: 1,
  top_p: 1,
  tools: [],
  tool_resources: {},
};

/** The details of a new assistant; `details.id` is what the client calls it, or its own id. */
function newDetails({ details }: AssistantCreate, id: string): AssistantDetails {
  return assistantDetailsSchema.parse({ ...unset, ...details, id: details.id || id });
}

/** An update's fields, merged over the stored ones. */
function changedDetails(stored: AssistantDetails, { details = {} }: AssistantUpdate): AssistantDetails {
  return assistantDetailsSchema.parse({ ...stored, ...details, id: details.id || stored.id });
}

/**
 * The equivalent flow of an assistant: one agent with its model, instructions and tools. Deterministic, so that an
 * unchanged assistant gets no new version.
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
        ...(details.refused !== undefined && details.refused.length > 0 && { refused: details.refused }),
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
      // 1 is the models' default, and some reject an explicit value.
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

/** The document stores that `file_search` names, each as a separate tool. */
function toKnowledge(details: AssistantDetails): JsonObject[] {
  if (!details.tools.includes("file_search")) return [];
  const storeIds = searchedStores(details);
  return storeIds.map((storeId, index) => ({
    storeId,
    name: storeIds.length === 1 ? "file_search" : `file_search_${index + 1}`,
    description: "Searches the assistant's documents. Use it before answering questions they may cover.",
  }));
}
