import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/**
 * Chats belong to an owner: `account:<id>`, `client:<id>` or `anonymous`. Empty: from before. Existing keys become
 * clients of their own, and keep access to everyone else's chats with the permission `chats:all`.
 */
export async function addChatOwners(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const table of ["chatMessages", "runs", "leads"]) {
    await db.schema
      .alterTable(table)
      .addColumn("owner", types.text, (column) => column.notNull().defaultTo(""))
      .execute();
  }
  // Visitors' files had an owner before; the others become those of chats without one.
  await sql`update ${sql.table("files")} set ${sql.ref("owner")} = '' where ${sql.ref("owner")} is null`.execute(db);
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(name).on(table).columns(columns);
  await db.schema.dropIndex("chatMessagesBySession").execute();
  const session = ["chatflowid", "sessionId", "owner", "createdDate", "id"];
  await index("chatMessagesBySession", "chatMessages", session).execute();
  await index("chatMessagesByOwner", "chatMessages", ["chatflowid", "owner", "createdDate", "id"]).execute();
  const isPaused = sql<boolean>`"status" <> 'running'`;
  await index("runsByOwner", "runs", ["owner", "updatedDate desc", "id"]).where(isPaused).execute();
  await addClients(db as Kysely<KeyTables>, types);
}

type KeyTables = { apiKeys: { id: string; clientId: string; agents: string; permissions: string } };

async function addClients(db: Kysely<KeyTables>, types: ColumnTypes): Promise<void> {
  const columns = { clientId: "", agents: "[]" };
  for (const [name, value] of Object.entries(columns)) {
    await db.schema
      .alterTable("apiKeys")
      .addColumn(name, types.text, (column) => column.notNull().defaultTo(value))
      .execute();
  }
  for (const { id, permissions } of await db.selectFrom("apiKeys").select(["id", "permissions"]).execute()) {
    const held = new Set([...(JSON.parse(permissions) as string[]), "chats:all"]);
    await db
      .updateTable("apiKeys")
      .set({ clientId: id, permissions: JSON.stringify([...held]) })
      .where("id", "=", id)
      .execute();
  }
}
