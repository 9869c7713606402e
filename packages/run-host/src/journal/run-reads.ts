import type { Database, Tables } from "@weft/database";
import type { RunEvent } from "@weft/schema";
import type { Kysely } from "kysely";
import type { RunRow } from "../run-tables.ts";
import { eventColumns, fromEventRow } from "./event-row.ts";
import { isOfChat, type ReachedChat } from "./reached-runs.ts";

/** Where runs stand. */
export type RunReads = {
  load(runId: string): Promise<{ run: RunRow; events: RunEvent[] } | undefined>;
  /** Runs of a chat that run or wait, newest first. */
  listOpen(chat: ReachedChat): Promise<RunRow[]>;
  /** Whether a run goes on in some process, or would if its process were alive. */
  isRunning(runId: string): Promise<boolean>;
  /** Whether a run runs or waits, and nobody asked it to end. */
  isWanted(runId: string): Promise<boolean>;
  /** Which of these runs a cancel was asked for, in this process or another. */
  cancelRequested(runIds: readonly string[]): Promise<string[]>;
};

export const openStatuses = ["running", "suspended"];

export function createRunReads({ read }: Pick<Database, "read">): RunReads {
  return {
    load: (runId) => load(read, runId),
    listOpen: (chat) => listOpen(read, chat),
    isRunning: (runId) => isRunning(read, runId),
    isWanted: (runId) => isWanted(read, runId),
    cancelRequested: (runIds) => cancelRequested(read, runIds),
  };
}

export function findRun(read: Kysely<Tables>, runId: string): Promise<RunRow | undefined> {
  return read.selectFrom("runs").selectAll().where("id", "=", runId).executeTakeFirst();
}

async function load(read: Kysely<Tables>, runId: string): ReturnType<RunReads["load"]> {
  const run = await findRun(read, runId);
  if (run === undefined) return undefined;
  const rows = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "=", runId)
    // What was appended since the row was read is left out, so that the two agree.
    .where("seq", "<=", run.lastSeq)
    .orderBy("seq")
    .execute();
  return { run, events: rows.map(fromEventRow) };
}

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
