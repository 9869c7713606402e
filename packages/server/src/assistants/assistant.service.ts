import type { AssistantRow, Database, Tables } from "@weft/database";
import type { Clock, IdSource } from "@weft/engine";
import type { Reach } from "@weft/http";
import {
  type Assistant,
  type AssistantCreate,
  type AssistantDetails,
  type AssistantUpdate,
  momentAfter,
  type PageQuery,
  toMoment,
  WeftError,
} from "@weft/schema";
import type { Kysely } from "kysely";
import type { AgentService } from "../agents/agent.service.ts";
import type { AgentDeleteHook } from "../agents/agent-deps.ts";
import type { RunnableAgent } from "../agents/agent-reader.ts";
import * as store from "./assistant.store.ts";
import { namedTools, searchedStores, toAssistantFlow } from "./assistant-flow.ts";
import { changedDetails, newDetails, toAssistant, toSettings } from "./assistant-row.ts";

export type AssistantServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  flows: Pick<AgentService, "addFlowVersion" | "removeFlowVersions" | "flowOfVersion">;
  hasCredential(id: string): Promise<boolean>;
  /** Kind of another resource that has the id, such as `agent`; undefined when none has. */
  kindOf(id: string): Promise<string | undefined>;
  /** What else belongs to an assistant. */
  onDelete: readonly AgentDeleteHook[];
};

/** Assistants. Every function that takes an id rejects with `not-found` for an unknown one. */
export type AssistantService = ReturnType<typeof createAssistantService>;

export function createAssistantService(deps: AssistantServiceDeps) {
  const { database, clock, ids, flows, hasCredential, kindOf, onDelete } = deps;
  const { read } = database;
  const write = <T>(fn: (tx: Kysely<Tables>) => Promise<T>) => database.write(fn, { isolation: "read-committed" });

  /** Throws for a credential that does not exist, with the status of the row. */
  async function assertCredential(id: string, status: number): Promise<void> {
    if (id === "" || (await hasCredential(id))) return;
    const message = `No credential with the id ${id} exists. Add it under Credentials and use its id, or leave credential out to use the server's own.`;
    throw new WeftError("validation-failed", { message, status, errors: [{ path: "credential", message }] });
  }

  return {
    /** Whether the assistant exists, for the caller's transaction. */
    exists: (tx: Kysely<Tables>, id: string): Promise<boolean> => store.hasAssistant(tx, id),

    /** Most recently updated first; complete, or one page when `page` and `limit` are given. */
    async list({
      page,
      limit,
      reach,
    }: PageQuery & { reach: Reach }): Promise<Assistant[] | { data: Assistant[]; total: number }> {
      if (page === undefined || limit === undefined) return (await store.listAssistants(read, reach)).map(toAssistant);
      const rows = await store.listAssistants(read, reach, { offset: (page - 1) * limit, limit });
      return { data: rows.map(toAssistant), total: await store.countAssistants(read, reach) };
    },

    /** Rejects with `id-of-other-kind` for the id of another resource. Source: contract "Statuses and errors". */
    async get(id: string): Promise<Assistant> {
      const row = await store.findAssistant(read, id);
      if (row !== undefined) return toAssistant(row);
      const kind = await kindOf(id);
      if (kind === undefined) throw notFound(id);
      throw new WeftError("id-of-other-kind", { params: { id, kind, wanted: "assistant" } });
    },

    /** For predictions. */
    async getForRun(id: string): Promise<RunnableAgent> {
      const row = existing(await store.findAssistant(read, id), id);
      const flowData = await flows.flowOfVersion(row.versionId);
      if (flowData === undefined) throw notFound(id);
      const { details } = toAssistant(row);
      return { agent: toSettings(details, row), versionId: row.versionId, flowData, warnings: toWarnings(details) };
    },

    /** Rejects with `conflict` when the body's own id is taken, and with `validation-failed` for an unknown credential. */
    async create(body: AssistantCreate): Promise<Assistant> {
      const id = body.id ?? ids.uuid();
      const createdDate = toMoment(clock.now());
      const details = newDetails(body, id);
      const { credential = "", iconSrc = "" } = body;
      await assertCredential(credential, 422);
      const flowData = toAssistantFlow(details, credential);
      const fields = {
        id,
        credential,
        iconSrc,
        createdDate,
        updatedDate: createdDate,
        details: JSON.stringify(details),
      };
      return write(async (tx) => {
        const row = { ...fields, versionId: ids.uuid() };
        if (!(await store.insertAssistant(tx, row))) {
          throw new WeftError("conflict", { params: { reason: `An assistant with the id ${id} exists already.` } });
        }
        await flows.addFlowVersion(tx, { id: row.versionId, agentId: id, flowData, createdDate });
        return toAssistant(row);
      });
    },

    /** Changes what the body names. What `assertCurrent` throws on the assistant as it is keeps it so. */
    async update(id: string, body: AssistantUpdate, assertCurrent: (current: Assistant) => void): Promise<Assistant> {
      const before = existing(await store.findAssistant(read, id), id);
      const flowBefore = await flows.flowOfVersion(before.versionId);
      const credential = body.credential ?? before.credential;
      if (credential !== before.credential) await assertCredential(credential, 400);
      // One that was deleted, or that an older version took unseen, is not used.
      const usable = credential !== "" && (await hasCredential(credential)) ? credential : "";
      return write(async (tx) => {
        const row = existing(await store.lockAssistant(tx, id), id);
        const current = toAssistant(row);
        assertCurrent(current);
        const details = changedDetails(current.details, body);
        const flowData = toAssistantFlow(details, usable);
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
        if (!isSame) await flows.addFlowVersion(tx, { id: versionId, agentId: id, flowData, createdDate: updatedDate });
        await store.updateAssistant(tx, next);
        return toAssistant(next);
      });
    },

    /** Deletes the assistant and what belongs to it. Its runs stay. */
    remove(id: string): Promise<void> {
      return write(async (tx) => {
        existing(await store.lockAssistant(tx, id), id);
        for (const hook of onDelete) await hook(tx, id);
        await flows.removeFlowVersions(tx, id);
        await store.deleteAssistant(tx, id);
      });
    },
  };
}

function toWarnings(details: AssistantDetails) {
  const code = "assistant-tool-unavailable";
  const warnings = [];
  if (details.tools.includes("file_search") && searchedStores(details).length === 0) {
    const where = "tool_resources.file_search.vector_store_ids";
    const message = `file_search was left out: it names no document store. List their ids in ${where}.`;
    warnings.push({ code, message });
  }
  if (details.tools.includes("function") && namedTools(details).length === 0) {
    const where = "tool_resources.function.tool_ids";
    warnings.push({ code, message: `function was left out: it names no tool. List their ids in ${where}.` });
  }
  return warnings;
}

function existing(row: AssistantRow | undefined, id: string): AssistantRow {
  if (row === undefined) throw notFound(id);
  return row;
}

function notFound(id: string): WeftError {
  return new WeftError("not-found", { params: { resource: "assistant", id } });
}
