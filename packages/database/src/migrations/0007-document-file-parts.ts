import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** Files of document stores are kept in parts. One that is there already is a single part. */
export async function createDocumentFileParts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "documentFileParts",
    columns: { fileId: "key", partNo: "integer-key", bytes: "bytes" },
  });
  const columns = [sql.ref("fileId"), sql.ref("partNo"), sql.ref("bytes")];
  await sql`
    insert into ${sql.table("documentFileParts")} (${sql.join(columns)})
    select ${sql.ref("id")}, 0, ${sql.ref("bytes")} from ${sql.table("documentFiles")}
  `.execute(db);
  await db.schema.alterTable("documentFiles").dropColumn("bytes").execute();
}
