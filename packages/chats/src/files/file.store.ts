import type { Tables } from "@weft/database";
import { type Reach, reachesAgent } from "@weft/http/identity";
import { type Kysely, sql } from "kysely";

/** A file of a chat. */
export type FileRow = {
  id: string;
  agentId: string;
  chatId: string;
  /** As the client named it: data, never a path. */
  name: string;
  mime: string;
  sizeBytes: number;
  createdDate: string;
  /** Empty if the file is stored in parts. */
  bytes: Uint8Array;
  /** The chat's owner: `account:<id>`, `client:<id>`, `anonymous`, or empty if older than owners. */
  owner: string;
};

/** A part of a long file, so that no statement has much to do. Parts are counted from 0. */
export type FilePartRow = { fileId: string; partNo: number; bytes: Uint8Array };

declare module "@weft/database" {
  interface Tables {
    files: FileRow;
    fileParts: FilePartRow;
  }
}

type Handle = Kysely<Tables>;

export async function insertFiles(tx: Handle, rows: readonly FileRow[]): Promise<void> {
  for (const row of rows) await tx.insertInto("files").values(row).execute();
}

export async function insertPart(tx: Handle, part: FilePartRow): Promise<void> {
  await tx.insertInto("fileParts").values(part).execute();
}

export async function findPart(db: Handle, fileId: string, partNo: number): Promise<Uint8Array | undefined> {
  const parts = db.selectFrom("fileParts").select("bytes").where("fileId", "=", fileId).where("partNo", "=", partNo);
  return (await parts.executeTakeFirst())?.bytes;
}

export function findFile(db: Handle, id: string): Promise<FileRow | undefined> {
  return db.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirst();
}

/** An agent's chat whose files are looked up. */
export type ReachedFiles = { agentId: string; chatId: string; reach: Reach };

/** The newest of that name. */
export async function findFileOfChat(
  db: Handle,
  { agentId, chatId, reach }: ReachedFiles,
  name: string,
): Promise<FileRow | undefined> {
  if (!reachesAgent(reach.agents, agentId)) return undefined;
  const files = db.selectFrom("files").selectAll().where("agentId", "=", agentId).where("chatId", "=", chatId);
  return (reach.owners === "all" ? files : files.where("owner", "in", reach.owners))
    .where("name", "=", name)
    .orderBy("createdDate", "desc")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirst();
}

/** How much visitors have stored, of the agent, of the chat, or everywhere. */
export async function countVisitorFiles(db: Handle, place: { agentId?: string; chatId?: string }): Promise<FileCount> {
  // The value is inlined, so that the index of visitors' files applies.
  let rows = db.selectFrom("files").where(sql<boolean>`"owner" = 'anonymous'`);
  if (place.agentId !== undefined) rows = rows.where("agentId", "=", place.agentId);
  if (place.chatId !== undefined) rows = rows.where("chatId", "=", place.chatId);
  const row = await rows
    .select((eb) => [eb.fn.countAll<number>().as("files"), eb.fn.sum<number | null>("sizeBytes").as("bytes")])
    .executeTakeFirstOrThrow();
  return { files: Number(row.files), bytes: Number(row.bytes ?? 0) };
}

export type FileCount = { files: number; bytes: number };

/** Files from before `unsentBefore` whose chat has neither a message nor a run, and from before `endedBefore` without a run. */
export async function listAbandonedFiles(
  db: Handle,
  { unsentBefore, endedBefore }: { unsentBefore: string; endedBefore: string | undefined },
  limit: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom("files")
    .select("id")
    .where("createdDate", "<", unsentBefore)
    .where(({ and, or, selectFrom, eb }) => {
      // One is looked up for each file: `exists` lets PostgreSQL join all runs and messages.
      const runs = selectFrom("runs")
        .select("id")
        .whereRef("runs.agentId", "=", "files.agentId")
        .whereRef("runs.chatId", "=", "files.chatId")
        .limit(1);
      const messages = selectFrom("chatMessages")
        .select("id")
        .whereRef("chatMessages.chatId", "=", "files.chatId")
        .whereRef("chatMessages.chatflowid", "=", "files.agentId")
        .limit(1);
      const isUnsent = eb(messages, "is", null);
      const isAbandoned = endedBefore === undefined ? isUnsent : or([isUnsent, eb("createdDate", "<", endedBefore)]);
      return and([eb(runs, "is", null), isAbandoned]);
    })
    .orderBy("createdDate")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteFiles(tx: Handle, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom("files").where("id", "in", ids).execute();
}

export async function deleteFilesOfAgent(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("files").where("agentId", "=", agentId).execute();
}

export type ChatOfFiles = { chatId: string; owner: string };

/** Files of those of the chats in which no message is left. */
export async function deleteFilesOfEmptyChats(
  tx: Handle,
  agentId: string,
  chats: readonly ChatOfFiles[],
): Promise<void> {
  for (const [owner, ofOwner] of Map.groupBy(chats, (chat) => chat.owner)) {
    const chatIds = ofOwner.map(({ chatId }) => chatId);
    await deleteOfOwner(tx, { agentId, owner, chatIds });
  }
}

type ChatsOfOwner = { agentId: string; owner: string; chatIds: readonly string[] };

async function deleteOfOwner(tx: Handle, { agentId, owner, chatIds }: ChatsOfOwner): Promise<void> {
  for (let start = 0; start < chatIds.length; start += chatsAtOnce) {
    await tx
      .deleteFrom("files")
      .where("agentId", "=", agentId)
      .where("owner", "=", owner)
      .where("chatId", "in", chatIds.slice(start, start + chatsAtOnce))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom("chatMessages")
              .select("id")
              .where("chatflowid", "=", agentId)
              .where("chatMessages.owner", "=", owner)
              .whereRef("chatMessages.chatId", "=", "files.chatId"),
          ),
        ),
      )
      .execute();
  }
}

/** Databases limit the parameters of a statement. */
const chatsAtOnce = 1_000;
