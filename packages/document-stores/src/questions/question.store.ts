import type { Tables } from "@weft/database";
import type { Kysely } from "kysely";
import type { DocumentEvaluationRow, DocumentQuestionRow } from "../tables.ts";

type Handle = Kysely<Tables>;

/** A statement takes only so many values. */
const rowsAtOnce = 100;

/** Oldest first. */
export function listQuestions(db: Handle, storeId: string): Promise<DocumentQuestionRow[]> {
  return db
    .selectFrom("documentQuestions")
    .selectAll()
    .where("storeId", "=", storeId)
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

export function findQuestion(db: Handle, storeId: string, id: string): Promise<DocumentQuestionRow | undefined> {
  return db
    .selectFrom("documentQuestions")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("id", "=", id)
    .executeTakeFirst();
}

export async function insertQuestions(tx: Handle, rows: readonly DocumentQuestionRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insertInto("documentQuestions")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
  }
}

export async function updateQuestion(tx: Handle, { id, ...changes }: DocumentQuestionRow): Promise<void> {
  await tx.updateTable("documentQuestions").set(changes).where("id", "=", id).execute();
}

/** Resolves with whether it existed. */
export async function deleteQuestion(tx: Handle, storeId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom("documentQuestions")
    .where("storeId", "=", storeId)
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Newest first, without the results of each question. */
export function listEvaluations(db: Handle, storeId: string) {
  return db
    .selectFrom("documentEvaluations")
    .select(["id", "storeId", "createdDate", "summary"])
    .where("storeId", "=", storeId)
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .execute();
}

export function findEvaluation(db: Handle, storeId: string, id: string): Promise<DocumentEvaluationRow | undefined> {
  return db
    .selectFrom("documentEvaluations")
    .selectAll()
    .where("storeId", "=", storeId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** The ranks of the questions in the evaluation before that moment; undefined for the first. */
export async function findRanksBefore(
  db: Handle,
  { storeId, createdDate, id }: DocumentEvaluationRow,
): Promise<string | undefined> {
  const row = await db
    .selectFrom("documentEvaluations")
    .select("ranks")
    .where("storeId", "=", storeId)
    .where((eb) =>
      eb.or([eb("createdDate", "<", createdDate), eb.and([eb("createdDate", "=", createdDate), eb("id", "<", id)])]),
    )
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.ranks;
}

/** Only the newest keeps its questions' results; the oldest beyond `kept` are deleted. */
export async function insertEvaluation(tx: Handle, row: DocumentEvaluationRow, kept: number): Promise<void> {
  const { storeId } = row;
  await tx
    .updateTable("documentEvaluations")
    .set({ outcomes: "" })
    .where("storeId", "=", storeId)
    .where("outcomes", "!=", "")
    .execute();
  await tx.insertInto("documentEvaluations").values(row).execute();
  const rows = await listEvaluations(tx, storeId);
  const old = rows.slice(kept).map(({ id }) => id);
  if (old.length > 0) await tx.deleteFrom("documentEvaluations").where("id", "in", old).execute();
}
