import type { Tables, UpsertJobRow } from "@weft/database";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

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
