import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Checks of questions after upserts, and the basis for comparing evaluations. */
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
