import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Questions of document stores with the expected results, and how well the stores answered them. */
export async function createStoreQuestions(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "documentQuestions",
    columns: {
      id: "key",
      storeId: "text",
      createdDate: "text",
      updatedDate: "text",
      question: "text",
      relevant: "text",
      words: "text",
    },
  });
  await createTable(db, types, {
    name: "documentEvaluations",
    columns: { id: "key", storeId: "text", createdDate: "text", summary: "text", ranks: "text", outcomes: "text" },
  });
  for (const table of ["documentQuestions", "documentEvaluations"]) {
    await db.schema.createIndex(`${table}ByStore`).on(table).columns(["storeId", "createdDate", "id"]).execute();
  }
}
