import type { Kysely } from "kysely";
import type { FileRow, Tables } from "../storage/tables.ts";

type Handle = Kysely<Tables>;

export async function insertFiles(tx: Handle, rows: readonly FileRow[]): Promise<void> {
  for (const row of rows) await tx.insertInto("files").values(row).execute();
}

export function findFile(db: Handle, id: string): Promise<FileRow | undefined> {
  return db.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirst();
}

/** The newest of that name. */
export function findFileOfChat(
  db: Handle,
  { agentId, chatId, name }: Pick<FileRow, "agentId" | "chatId" | "name">,
): Promise<FileRow | undefined> {
  return db
    .selectFrom("files")
    .selectAll()
    .where("agentId", "=", agentId)
    .where("chatId", "=", chatId)
    .where("name", "=", name)
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

export async function deleteFilesOfAgent(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("files").where("agentId", "=", agentId).execute();
}

/** Files of those of the chats in which no message is left. */
export async function deleteFilesOfEmptyChats(tx: Handle, agentId: string, chatIds: readonly string[]): Promise<void> {
  for (let start = 0; start < chatIds.length; start += chatsAtOnce) {
    await tx
      .deleteFrom("files")
      .where("agentId", "=", agentId)
      .where("chatId", "in", chatIds.slice(start, start + chatsAtOnce))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("chatMessages")
              .select("id")
              .where("chatflowid", "=", agentId)
              .whereRef("chatMessages.chatId", "=", "files.chatId"),
          ),
        ),
      )
      .execute();
  }
}

/** A statement takes only so many values. */
const chatsAtOnce = 1_000;
