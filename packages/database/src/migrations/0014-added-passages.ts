import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/**
 * Chunks say whether they stay beside what their loader reads now; what is there already was read by it. Leads are found by
 * their chat.
 */
export async function addAddedPassages(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("documentChunks")
    .addColumn("isAdded", types.integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("leadsByChat").on("leads").columns(["chatflowid", "chatId"]).execute();
}
