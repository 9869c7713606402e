import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/** Long files of chats are kept in parts, which go with their file. Those from before stay in their rows. */
export async function createFileParts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("fileParts")
    .addColumn("fileId", types.text, (column) => column.notNull())
    .addColumn("partNo", types.integer, (column) => column.notNull())
    .addColumn("bytes", types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("filePartsKey", ["fileId", "partNo"])
    .addForeignKeyConstraint("filePartsFile", ["fileId"], "files", ["id"], (key) => key.onDelete("cascade"))
    .execute();
}
