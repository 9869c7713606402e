import { type Database, prepareQuery, type Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import { type JsonObject, type RunEvent, type RunInput, toJsonObject } from "@weft/schema";
import type { ExpressionBuilder, Kysely } from "kysely";
import { type RecordedRun, type RunEventRow, type RunRow, runColumns, type VisibleRun } from "../run-tables.ts";
import { eventColumns, fromEventRow } from "./event-row.ts";
import { restorePrompts } from "./prompt-parts.ts";

export type RunReads = {
  load(runId: string): Promise<{ run: RunRow; events: RunEvent[] } | undefined>;
  /** The journal of a run up to the `lastSeq` of its row. */
  loadEvents(run: RecordedRun): Promise<RunEvent[]>;
  /** Running and waiting runs of a chat, newest first. */
  listOpen(chat: ReachedChat): Promise<RunRow[]>;
  /** Whether a run is running in some process, or would if its process were alive. */
  isRunning(runId: string): Promise<boolean>;
  /** Whether a run runs or waits, and no cancel was requested. */
  isWanted(runId: string): Promise<boolean>;
  /** Those of these runs that a cancel was requested for, in this process or another. */
  cancelRequested(runIds: readonly string[]): Promise<string[]>;
};

export const openStatuses = ["running", "suspended"];

export function createRunReads({ read }: Database): RunReads {
  return {
    load: (runId) => load(read, runId),
    loadEvents: (run) => loadEvents(read, run),
    listOpen: (chat) => listOpen(read, chat),
    isRunning: (runId) => isRunning(read, runId),
    isWanted: (runId) => isWanted(read, runId),
    cancelRequested: (runIds) => cancelRequested(read, runIds),
  };
}

export async function findRun(read: Kysely<Tables>, id: string): Promise<RunRow | undefined> {
  const [run] = await findRunById(read, { id });
  return run;
}

const findRunById = prepareQuery<{ id: string }, RunRow>(["id"], (db, { id }) =>
  db.selectFrom("runs").select(runColumns).where("id", "=", id),
);

async function load(read: Kysely<Tables>, runId: string): ReturnType<RunReads["load"]> {
  const run = await findRun(read, runId);
  return run && { run, events: await loadEvents(read, run) };
}

async function loadEvents(read: Kysely<Tables>, { id, lastSeq }: RecordedRun): Promise<RunEvent[]> {
  return restorePrompts(read, id, (await findEvents(read, { id, lastSeq })).map(fromEventRow));
}

/** Leaves out what was appended since the row was read, so that the two agree. */
const findEvents = prepareQuery<RecordedRun, RunEventRow>(["id", "lastSeq"], (db, { id, lastSeq }) =>
  db.selectFrom("runEvents").select(eventColumns).where("runId", "=", id).where("seq", "<=", lastSeq).orderBy("seq"),
);

function listOpen(read: Kysely<Tables>, chat: ReachedChat): Promise<RunRow[]> {
  return read
    .selectFrom("runs")
    .selectAll()
    .where(isOfChat(chat))
    .where("status", "in", openStatuses)
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .execute();
}

async function isWanted(read: Kysely<Tables>, runId: string): Promise<boolean> {
  const wanted = await read
    .selectFrom("runs")
    .select("id")
    .where("id", "=", runId)
    .where("status", "in", openStatuses)
    .where("cancelRequested", "=", 0)
    .executeTakeFirst();
  return wanted !== undefined;
}

async function isRunning(read: Kysely<Tables>, runId: string): Promise<boolean> {
  const running = await read
    .selectFrom("runs")
    .select("id")
    .where("id", "=", runId)
    .where("status", "=", "running")
    .executeTakeFirst();
  return running !== undefined;
}

async function cancelRequested(read: Kysely<Tables>, runIds: readonly string[]): Promise<string[]> {
  if (runIds.length === 0) return [];
  const runs = await read
    .selectFrom("runs")
    .select("id")
    .where("id", "in", runIds)
    .where("cancelRequested", "=", 1)
    .execute();
  return runs.map((run) => run.id);
}

/** The reachable chats of an agent with one id: there may be several, each with its own owner. */
export type ReachedChat = { agentId: string; chatId: string; reach: Reach };

export function isOfChat({ agentId, chatId, reach }: ReachedChat) {
  return (eb: ExpressionBuilder<Tables, "runs">) =>
    eb.and([eb("runs.agentId", "=", agentId), eb("runs.chatId", "=", chatId), isReached(reach)(eb)]);
}

export function isReached({ owners, agents }: Reach) {
  return (eb: ExpressionBuilder<Tables, "runs">) =>
    eb.and([
      ...(owners === "all" ? [] : [eb("runs.owner", "in", owners)]),
      ...(agents === "all" ? [] : [eb("runs.agentId", "in", [...agents])]),
    ]);
}

export type RunTailStore = {
  find(runId: string): Promise<VisibleRun | undefined>;
  /** Events of a run after `seq`, in order. */
  eventsAfter(runId: string, seq: number): Promise<RunEvent[]>;
  /** The last sequence number of each of these runs that exists. */
  lastSeqs(runIds: readonly string[]): Promise<Map<string, number>>;
  isAnyHeld(runIds: readonly string[]): Promise<boolean>;
};

export function createRunTailStore(read: Kysely<Tables>): RunTailStore {
  return {
    find: (runId) =>
      read.selectFrom("runs").select(["agentId", "chatType", "owner"]).where("id", "=", runId).executeTakeFirst(),
    async eventsAfter(runId, seq) {
      const rows = await read
        .selectFrom("runEvents")
        .select(eventColumns)
        .where("runId", "=", runId)
        .where("seq", ">", seq)
        .orderBy("seq")
        .execute();
      return rows.map(fromEventRow);
    },
    async lastSeqs(runIds) {
      const rows = await read.selectFrom("runs").select(["id", "lastSeq"]).where("id", "in", runIds).execute();
      return new Map(rows.map(({ id, lastSeq }) => [id, lastSeq]));
    },
    async isAnyHeld(runIds) {
      const held = read.selectFrom("runs").select("id").where("id", "in", runIds).where("status", "=", "running");
      return (await held.where("leaseOwner", "is not", null).limit(1).execute()).length > 0;
    },
  };
}

/**
 * The flow's state as a run left it: its nodes' updates, in order; for an imported run, the state that came with it.
 */
export async function readFlowState(read: Kysely<Tables>, runId: string): Promise<JsonObject> {
  const rows = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "=", runId)
    .where("type", "=", "node-completed")
    .orderBy("seq")
    .execute();
  if (rows.length === 0) return readImportedState(read, runId);
  const patches = rows.map(fromEventRow).map((event) => (event.type === "node-completed" && event.state) || {});
  return Object.assign({}, ...patches);
}

async function readImportedState(read: Kysely<Tables>, runId: string): Promise<JsonObject> {
  const row = await read.selectFrom("importedRuns").select("flowState").where("runId", "=", runId).executeTakeFirst();
  return row === undefined ? {} : toJsonObject(JSON.parse(row.flowState));
}

/** A run's input; undefined for an unknown run. */
export async function readRunInput(read: Kysely<Tables>, runId: string): Promise<RunInput | undefined> {
  const row = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "=", runId)
    .where("type", "=", "run-started")
    .executeTakeFirst();
  const event = row && fromEventRow(row);
  return event?.type === "run-started" ? event.input : undefined;
}
