import type { Database, Tables } from "@weft/database";
import type { Clock, IdSource, WallClock } from "@weft/engine/ports/clock";
import type { Logger } from "@weft/http/logger";
import { createPoller, type Poller } from "@weft/run-host";
import { toMoment, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import type { FileRow } from "./file.store.ts";
import * as store from "./file.store.ts";

type FileServiceDeps = {
  /** Storage limits of visitors. Default: unlimited. */
  visitorFiles?: VisitorFileLimits;
  database: Database;
  clock: WallClock;
  ids: IdSource;
  /** Whether the agent or assistant exists; if so, locks it against deletion until the transaction ends. */
  holdAgent(tx: Kysely<Tables>, agentId: string): Promise<boolean>;
};

/** Limits of files that visitors (callers without credentials) have stored at a time. */
export type VisitorFileLimits = { perChat: FileLimit; perAgent: FileLimit; inTotal: FileLimit };
export type FileLimit = { bytes: number; files: number };

/** The owner of a file: it is deleted with its chat, and with its agent. */
export type FilePlace = { agentId: string; chatId: string; owner: string };

/** A file as sent by a client: name and type are unverified. */
export type NewFile = { name: string; mimeType: string; bytes: Uint8Array };

/** A stored file without its bytes. */
type StoredFile = { id: string; name: string; mime: string; sizeBytes: number };

/** Files that came with questions or as attachments, kept in the database. */
export type FileService = {
  /** Stores all or none. Rejects with `not-found` for an unknown agent, `visitor-files-exceeded` beyond a visitor's limits. */
  store(place: FilePlace, files: readonly NewFile[], sender?: { isVisitor: boolean }): Promise<StoredFile[]>;
  /** The newest file of that name in a chat, within reach. Rejects with `not-found`. */
  find(chat: store.ReachedFiles, name: string): Promise<FileRow>;
  /** Undefined if it was deleted. */
  read(id: string): Promise<{ bytes: Uint8Array; mediaType: string } | undefined>;
  /**
   * Deletes some files of chats that did not begin before the first date or, with the second one, whose runs are all
   * gone. Dates in milliseconds since the epoch. False when there was none.
   */
  removeAbandoned(before: { unsentBefore: number; endedBefore?: number }): Promise<boolean>;
  /** For the transaction that deletes an agent. */
  removeOfAgent(tx: Kysely<Tables>, agentId: string): Promise<void>;
  /** For the transaction that deleted messages of these chats: files go with the last message. */
  removeOfChats(tx: Kysely<Tables>, agentId: string, chats: readonly store.ChatOfFiles[]): Promise<void>;
};

export function createFileService(deps: FileServiceDeps): FileService {
  const { database, clock, ids, holdAgent, visitorFiles } = deps;
  const parts = createFileParts(database);
  return {
    async store({ agentId, chatId, owner: chatOwner }, files, { isVisitor } = { isVisitor: false }) {
      const createdDate = toMoment(clock.now());
      const owner = isVisitor ? "anonymous" : chatOwner;
      const rows = files.map(({ name, mimeType, bytes }): FileRow => {
        const described = { name: toFileName(name), mime: toMediaType(mimeType), sizeBytes: bytes.length };
        return { id: ids.uuid(), agentId, chatId, ...described, createdDate, bytes, owner };
      });
      const write = async (tx: Kysely<Tables>) => {
        if (!(await holdAgent(tx, agentId))) throw notFound("agent", agentId);
        if (isVisitor && visitorFiles) await assertRoom(tx, visitorFiles, { agentId, chatId, rows });
        await store.insertFiles(
          tx,
          rows.map((row) => (isKeptInParts(row) ? { ...row, bytes: new Uint8Array() } : row)),
        );
      };
      if (rows.length > 0) await database.write(write, { isolation: "read-committed" });
      await parts.write(rows.filter(isKeptInParts), {
        undo: (tx) =>
          store.deleteFiles(
            tx,
            rows.map(({ id }) => id),
          ),
      });
      return rows.map(({ id, name, mime, sizeBytes }) => ({ id, name, mime, sizeBytes }));
    },

    async find(chat, name) {
      const row = await store.findFileOfChat(database.read, chat, name);
      const bytes = row && (await parts.read(row));
      if (row === undefined || bytes === undefined) throw notFound("file", name.slice(0, 200));
      return { ...row, bytes };
    },

    async read(id) {
      const row = await store.findFile(database.read, id);
      const bytes = row && (await parts.read(row));
      return row && bytes && { bytes, mediaType: row.mime };
    },

    async removeAbandoned({ unsentBefore, endedBefore }) {
      const dates = {
        unsentBefore: toMoment(unsentBefore),
        endedBefore: endedBefore === undefined ? undefined : toMoment(endedBefore),
      };
      return database.write(async (tx) => {
        const abandoned = await store.listAbandonedFiles(tx, dates, removedAtOnce);
        if (abandoned.length > 0) await store.deleteFiles(tx, abandoned);
        return abandoned.length === removedAtOnce;
      });
    },

    removeOfAgent: store.deleteFilesOfAgent,
    removeOfChats: store.deleteFilesOfEmptyChats,
  };
}

const removedAtOnce = 100;

type Room = Omit<FilePlace, "owner"> & { rows: readonly FileRow[] };

/** Throws `visitor-files-exceeded` if visitors' stored files and these together are too much. */
async function assertRoom(
  tx: Kysely<Tables>,
  limits: VisitorFileLimits,
  { agentId, chatId, rows }: Room,
): Promise<void> {
  const more = { files: rows.length, bytes: rows.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) };
  const scopes = [
    ["This chat", { agentId, chatId }, limits.perChat],
    ["This agent", { agentId }, limits.perAgent],
    ["This server", {}, limits.inTotal],
  ] as const;
  for (const [holder, place, limit] of scopes) {
    const stored = await store.countVisitorFiles(tx, place);
    if (stored.files + more.files <= limit.files && stored.bytes + more.bytes <= limit.bytes) continue;
    const params = { holder, files: String(limit.files), bytes: String(limit.bytes) };
    throw new WeftError("visitor-files-exceeded", { params });
  }
}

function notFound(resource: string, id: string): WeftError {
  return new WeftError("not-found", { params: { resource, id } });
}

/** A file's name for storage, display and lookup: no path, no control characters, at most 200 characters. */
export function toFileName(given: string): string {
  const base = given.split(/[\\/]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  const printable = base.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, "").trim();
  return /^\.{0,2}$/.test(printable) ? "file" : shorten(printable);
}

/** A media type without its parameters, or the generic binary one. */
export function toMediaType(given: string): string {
  const essence = given.split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return /^[\w.+-]{1,60}\/[\w.+-]{1,100}$/.test(essence) ? essence : "application/octet-stream";
}

/** Keeps the extension. */
function shorten(name: string): string {
  if (name.length <= maxLength) return name;
  const ending = /\.\w{1,10}$/.exec(name)?.[0] ?? "";
  return name.slice(0, maxLength - ending.length).toWellFormed() + ending;
}

const maxLength = 200;

type Bytes = Pick<FileRow, "id" | "sizeBytes" | "bytes">;

/** The bytes of long files. One write or read blocks the event loop for a few milliseconds on SQLite. */
type FileParts = {
  /** Writes the parts of files with existing rows; if that fails, `undo` removes all the rows. */
  write(files: readonly Bytes[], options: { undo(tx: Kysely<Tables>): Promise<void> }): Promise<void>;
  /** The bytes of a file; undefined while some are missing, as after a crash. */
  read(file: Bytes): Promise<Uint8Array | undefined>;
};

const partBytes = 256 * 1_024;
const isolation = { isolation: "read-committed" } as const;

/** Whether the bytes of a file are too long for its row. */
function isKeptInParts({ sizeBytes }: { sizeBytes: number }): boolean {
  return sizeBytes > partBytes;
}

function createFileParts(database: Database): FileParts {
  async function writeFile({ id, bytes }: Bytes): Promise<void> {
    for (let start = 0; start < bytes.length; start += partBytes) {
      const part = { fileId: id, partNo: start / partBytes, bytes: bytes.subarray(start, start + partBytes) };
      await database.write((tx) => store.insertPart(tx, part), isolation);
    }
  }

  return {
    async write(files, { undo }) {
      try {
        for (const file of files) await writeFile(file);
      } catch (error) {
        await database.write(undo, isolation);
        throw error;
      }
    },

    async read({ id, sizeBytes, bytes: kept }) {
      if (kept.length === sizeBytes) return kept;
      const bytes = Buffer.allocUnsafeSlow(sizeBytes);
      const pause = createPause();
      let length = 0;
      for (let partNo = 0; length < sizeBytes; partNo += 1) {
        const part = await store.findPart(database.read, id, partNo);
        if (part === undefined) return undefined;
        bytes.set(part, length);
        length += part.length;
        await pause();
      }
      return bytes;
    },
  };
}

type FileSweeperDeps = {
  files: FileService;
  clock: Clock;
  logger: Logger;
  /** How long files stay in a chat that does not begin. */
  unsentFilesMs: number;
  /** How long runs are kept; 0: forever. Files are deleted when their chat has no run left. */
  executionRetentionMs: number;
};

const everyMs = 10 * 60_000;
/** Between two batches, so that other writers never wait long. */
const pauseMs = 50;

/** Deletes files that no longer belong to a chat, in small batches. */
export function createFileSweeper(deps: FileSweeperDeps): Poller {
  const { files, clock, logger, unsentFilesMs, executionRetentionMs } = deps;
  return createPoller({
    clock,
    everyMs,
    async round(signal) {
      const now = clock.now();
      const before = {
        unsentBefore: now - unsentFilesMs,
        ...(executionRetentionMs > 0 && { endedBefore: now - executionRetentionMs }),
      };
      while (!signal.aborted && (await files.removeAbandoned(before))) await clock.sleep(pauseMs, signal);
    },
    onFailure: (cause) => logger.error("file-sweep-failed", { cause }),
  });
}
