import type { Tables } from "@weft/database";
import type { Cleanup } from "@weft/knowledge/plan-upsert";
import { type RunError, type UpsertCounts, type UpsertFailure, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { UpsertJobRow } from "../tables.ts";
import type { LoaderStatus } from "./loader.store.ts";

type Handle = Kysely<Tables>;

/** What one upsert is to do with one loader. */
export type UpsertTask = {
  loaderId: string;
  /** False: the chunks that are there are upserted as they are. */
  loads: boolean;
  /** The new chunks take the place of the loader's. */
  replaces: boolean;
  /** What is loaded now is another source, which comes beside the loader's chunks. Only in what older versions accepted. */
  adds?: boolean;
  cleanup: Cleanup;
  /** State of the loader before; a failure goes back to it. */
  before: LoaderStatus;
};

/** What one upsert is to do, fixed when it is accepted. */
export type UpsertSpec = {
  storeId: string;
  /** False: it loads and splits only. */
  embeds: boolean;
  /** Whether the record manager is on. Absent in what older versions accepted: it is. */
  records?: boolean;
  tasks: UpsertTask[];
  /** JSON texts. */
  embeddingConfig: string;
  vectorStoreConfig: string;
};

/** What came of one loader. */
export type TaskResult = UpsertCounts & { docId: string; failed: UpsertFailure[] };

/** What an upsert came to, as it is kept. */
export type UpsertOutcome = {
  state: "FINISHED" | "FAILED" | "CANCELLED";
  results: TaskResult[];
  /** Of all loaders. */
  failed: UpsertFailure[];
  error: RunError | null;
};

/** The numbers of one loader alone. */
export function toCounts({ failed: _, ...counts }: TaskResult): UpsertCounts & { docId: string } {
  return counts;
}

export async function insertJob(tx: Handle, row: UpsertJobRow): Promise<void> {
  await tx.insertInto("upsertJobs").values(row).execute();
}

export function findJob(db: Handle, runId: string): Promise<UpsertJobRow | undefined> {
  return db.selectFrom("upsertJobs").selectAll().where("runId", "=", runId).executeTakeFirst();
}

/** An open job of the same request. */
export function findOpenJob(
  db: Handle,
  { storeId, requestHash }: Pick<UpsertJobRow, "storeId" | "requestHash">,
): Promise<UpsertJobRow | undefined> {
  return db
    .selectFrom("upsertJobs")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("requestHash", "=", requestHash)
    .where("state", "=", "open")
    .executeTakeFirst();
}

/** The job that is first in line at a store; undefined when none is open. */
export async function firstInLine(db: Handle, storeId: string): Promise<string | undefined> {
  const first = await db
    .selectFrom("upsertJobs")
    .select("runId")
    .where("storeId", "=", storeId)
    .where("state", "=", "open")
    .orderBy("createdDate")
    .orderBy("runId")
    .limit(1)
    .executeTakeFirst();
  return first?.runId;
}

/** The newest of a store first. */
export function listJobs(db: Handle, storeId: string, limit: number): Promise<UpsertJobRow[]> {
  return db
    .selectFrom("upsertJobs")
    .selectAll()
    .where("storeId", "=", storeId)
    .orderBy("createdDate", "desc")
    .orderBy("runId", "desc")
    .limit(limit)
    .execute();
}

export async function endJob(
  tx: Handle,
  runId: string,
  end: Partial<Pick<UpsertJobRow, "state" | "result">>,
): Promise<void> {
  await tx.updateTable("upsertJobs").set(end).where("runId", "=", runId).execute();
}

/** Jobs that are over, and whose leavings are not removed yet. */
export function listEnding(db: Handle, limit: number): Promise<UpsertJobRow[]> {
  return db.selectFrom("upsertJobs").selectAll().where("state", "=", "ending").limit(limit).execute();
}

/** At most `limit` of those that are over and were accepted before a moment. Resolves with whether there may be more. */
export async function deleteEndedBefore(tx: Handle, moment: string, limit: number): Promise<boolean> {
  const old = await tx
    .selectFrom("upsertJobs")
    .select("runId")
    .where("state", "=", "ended")
    .where("createdDate", "<", moment)
    .limit(limit)
    .execute();
  const ids = old.map(({ runId }) => runId);
  if (ids.length > 0) await tx.deleteFrom("upsertJobs").where("runId", "in", ids).execute();
  return ids.length === limit;
}

/** Jobs that were noted before `date` and whose runs never began: the process ended in between. */
export function listNeverBegun(db: Handle, date: string): Promise<UpsertJobRow[]> {
  return db
    .selectFrom("upsertJobs")
    .selectAll()
    .where("state", "=", "open")
    .where("createdDate", "<", date)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("runs").select("runs.id").whereRef("runs.id", "=", "upsertJobs.runId"))),
    )
    .limit(100)
    .execute();
}

export function listOpenJobs(db: Handle, storeId: string): Promise<UpsertJobRow[]> {
  return db
    .selectFrom("upsertJobs")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("state", "=", "open")
    .orderBy("createdDate")
    .orderBy("runId")
    .execute();
}

/** Throws `conflict` while an upsert of the store is under way. For a transaction that has locked the store. */
export async function assertIdle(tx: Handle, storeId: string): Promise<void> {
  const [open] = await listOpenJobs(tx, storeId);
  if (open === undefined) return;
  const reason = `The upsert ${open.runId} of this document store is still running. Wait for it to finish, or cancel it.`;
  throw new WeftError("conflict", { params: { reason } });
}
