import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Checks of questions that follow from upserts, and what evaluations are compared by. */
export async function createStoreChecks(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "documentChecks",
    columns: {
      storeId: "key",
      isOn: "integer",
      asked: "integer",
      done: "integer",
      askedAt: "integer",
      dueAt: "integer",
      attempts: "integer",
      leaseOwner: "text",
      leaseUntil: "integer",
      error: "text",
    },
  });
  await db.schema
    .alterTable("documentEvaluations")
    .addColumn("recalls", types.text, (column) => column.notNull().defaultTo("{}"))
    .execute();
}
