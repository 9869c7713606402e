import type { Tables } from "@weft/database";
import type { Cleanup } from "@weft/knowledge/plan-upsert";
import { type RunError, type UpsertCounts, type UpsertFailure, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { LoaderStatus, UpsertJobRow } from "../tables.ts";

type Handle = Kysely<Tables>;

export type UpsertTask = {
  loaderId: string;
  /** False: upserts the existing chunks as they are. */
  loads: boolean;
  /** The new chunks replace the loader's. */
  replaces: boolean;
  /** Adds a new source beside the loader's chunks. Only in specs accepted by older versions. */
  adds?: boolean;
  cleanup: Cleanup;
  /** State of the loader before, restored on failure. */
  before: LoaderStatus;
};

/** An upsert's work, fixed when it is accepted. */
export type UpsertSpec = {
  storeId: string;
  /** False: only loads and splits. */
  embeds: boolean;
  /** Whether the record manager is on. Absent, in specs accepted by older versions: on. */
  records?: boolean;
  tasks: UpsertTask[];
  /** JSON texts. */
  embeddingConfig: string;
  vectorStoreConfig: string;
};

/** Result of one loader. */
export type TaskResult = UpsertCounts & { docId: string; failed: UpsertFailure[] };

/** An upsert's stored outcome. */
export type UpsertOutcome = {
  state: "FINISHED" | "FAILED" | "CANCELLED";
  results: TaskResult[];
  /** Of all loaders. */
  failed: UpsertFailure[];
  error: RunError | null;
};

/** The counts of a single loader. */
export function toCounts({ failed: _, ...counts }: TaskResult): UpsertCounts & { docId: string } {
  return counts;
}

export async function insertJob(tx: Handle, row: UpsertJobRow): Promise<void> {
  await tx.insertInto("upsertJobs").values(row).execute();
}

export function findJob(db: Handle, runId: string): Promise<UpsertJobRow | undefined> {
  return db.selectFrom("upsertJobs").selectAll().where("runId", "=", runId).executeTakeFirst();
}

export function findOpenJob(db: Handle, storeId: string, requestHash: string): Promise<UpsertJobRow | undefined> {
  return db
    .selectFrom("upsertJobs")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("requestHash", "=", requestHash)
    .where("state", "=", "open")
    .executeTakeFirst();
}

/** The first open job in a store's queue; undefined if there is none. */
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

/** Newest first, of one store. */
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

export async function endJob(tx: Handle, runId: string, end: Partial<UpsertJobRow>): Promise<void> {
  await tx.updateTable("upsertJobs").set(end).where("runId", "=", runId).execute();
}

/** Ended jobs whose leftovers are not removed yet. */
export function listEnding(db: Handle, limit: number): Promise<UpsertJobRow[]> {
  return db.selectFrom("upsertJobs").selectAll().where("state", "=", "ending").limit(limit).execute();
}

/**
 * At most `limit` of those that have ended and were accepted before a moment. Resolves with whether there may be more.
 */
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

/** Jobs created before `date` whose runs never began: the process ended in between. */
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

/** Throws `conflict` during an upsert of the store. For a transaction that has locked the store. */
export async function assertIdle(tx: Handle, storeId: string): Promise<void> {
  const [open] = await listOpenJobs(tx, storeId);
  if (open === undefined) return;
  const reason = `The upsert ${open.runId} of this document store is still running. Wait for it to finish, or cancel it.`;
  throw new WeftError("conflict", { params: { reason } });
}
