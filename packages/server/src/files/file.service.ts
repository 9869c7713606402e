import type { Clock, IdSource } from "@weft/engine";
import { toMoment, WeftError } from "@weft/schema";
import type { Kysely } from "kysely";
import type { Database } from "../storage/database.ts";
import type { FileRow, Tables } from "../storage/tables.ts";
import * as store from "./file.store.ts";
import { toFileName, toMediaType } from "./file-name.ts";

export type FileServiceDeps = {
  database: Database;
  clock: Pick<Clock, "now">;
  ids: IdSource;
  /** Whether the agent or assistant exists; if so, nobody deletes it before the transaction ends. */
  holdAgent(tx: Kysely<Tables>, agentId: string): Promise<boolean>;
};

/** Where a file belongs: it goes with its chat, and with its agent. */
export type FilePlace = { agentId: string; chatId: string };

/** A file as a client sent it: name and type are what it says. */
export type NewFile = { name: string; mimeType: string; bytes: Uint8Array };

/** A stored file without its bytes. */
export type StoredFile = { id: string; name: string; mime: string; sizeBytes: number };

/** Files that came with questions or as attachments, kept in the database. */
export type FileService = {
  /** Stores all or none. Rejects with `not-found` for an unknown agent. */
  store(place: FilePlace, files: readonly NewFile[]): Promise<StoredFile[]>;
  /** The newest file of that name in a chat. Rejects with `not-found`. */
  find(place: FilePlace, name: string): Promise<FileRow>;
  /** Undefined when it was deleted. */
  read(id: string): Promise<{ bytes: Uint8Array; mediaType: string } | undefined>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /** For the transaction that deleted messages of these chats: files go with the last message. */
  removeOfChats(tx: Kysely<Tables>, agentId: string, chatIds: readonly string[]): Promise<void>;
};

export function createFileService({ database, clock, ids, holdAgent }: FileServiceDeps): FileService {
  return {
    async store({ agentId, chatId }, files) {
      const createdDate = toMoment(clock.now());
      const rows = files.map(({ name, mimeType, bytes }): FileRow => {
        const described = { name: toFileName(name), mime: toMediaType(mimeType), sizeBytes: bytes.length };
        return { id: ids.uuid(), agentId, chatId, ...described, createdDate, bytes };
      });
      const write = async (tx: Kysely<Tables>) => {
        if (!(await holdAgent(tx, agentId))) throw notFound("agent", agentId);
        await store.insertFiles(tx, rows);
      };
      if (rows.length > 0) await database.write(write, { isolation: "read-committed" });
      return rows.map(({ id, name, mime, sizeBytes }) => ({ id, name, mime, sizeBytes }));
    },

    async find(place, name) {
      const row = await store.findFileOfChat(database.read, { ...place, name });
      if (row === undefined) throw notFound("file", name.slice(0, 200));
      return row;
    },

    async read(id) {
      const row = await store.findFile(database.read, id);
      return row && { bytes: row.bytes, mediaType: row.mime };
    },

    removeOfAgent: store.deleteFilesOfAgent,
    removeOfChats: store.deleteFilesOfEmptyChats,
  };
}

function notFound(resource: string, id: string): WeftError {
  return new WeftError("not-found", { params: { resource, id } });
}
