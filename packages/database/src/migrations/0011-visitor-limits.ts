import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** From where accounts have logged in, and whose the files of chats are: for those that are there it stays unknown. */
export async function createVisitorLimits(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "accountNetworks",
    columns: { accountId: "key", networkHash: "key", usedDate: "text" },
  });
  await db.schema.alterTable("files").addColumn("owner", types.text).execute();
  const files = (name: string, columns: string[]) => db.schema.createIndex(name).on("files").columns(columns);
  await files("filesByDate", ["createdDate", "agentId", "chatId"]).execute();
  // What visitors have stored is counted without a look at the files themselves.
  const isVisitors = sql<boolean>`"owner" = 'anonymous'`;
  await files("filesOfVisitors", ["agentId", "chatId", "sizeBytes"]).where(isVisitors).execute();
}
