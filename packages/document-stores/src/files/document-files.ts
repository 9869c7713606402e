import { createHash } from "node:crypto";
import type { Database, Tables } from "@weft/database";
import { standardLimits } from "@weft/documents";
import type { Clock } from "@weft/engine/ports/clock";
import type { LoaderServices } from "@weft/engine/ports/document-loader";
import { type JsonObject, toMoment, type UploadedFile, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { DocumentFilePartRow, DocumentFileRow } from "../tables.ts";

type Handle = Kysely<Tables>;

/** A file to be stored. Has a size but no bytes if it was too large to be kept. */
export type HeldFile = Pick<DocumentFileRow, "id" | "name" | "mime" | "sizeBytes"> & { bytes: Uint8Array };

export type DocumentFiles = {
  /**
   * Stores files that no loader owns yet, in small writes, and calls `fn` with the SHA-256 of each. Files that `fn`
   * gives to no loader (`adoptFiles`) are deleted afterwards; after a crash, an hour later.
   */
  during<T>(files: readonly HeldFile[], fn: (hashes: readonly string[]) => Promise<T>): Promise<T>;
  /** Reads a stored file, for loaders. */
  read: LoaderServices["readFile"];
  /** A file of a loader by its name, which is unique within the loader; undefined if there is none. */
  readNamed(loaderId: string, name: string): ReturnType<LoaderServices["readFile"]>;
  /** Removes unowned files, a little at a time. */
  sweep(signal: AbortSignal): Promise<void>;
};

export type DocumentFilesDeps = {
  database: Database;
  clock: Pick<Clock, "now" | "sleep">;
  /** Limit for each file of an upload, and for all of them together. */
  uploadLimitBytes: number;
};

const isolation = { isolation: "read-committed" } as const;
/** A write of this size blocks the event loop for a few milliseconds on SQLite. */
const partBytes = 256 * 1_024;
const orphansAtOnce = 8;
const pauseMs = 20;
/** Accepting an upload never takes this long. */
const unownedForMs = 60 * 60_000;

export function createDocumentFiles({ database, clock, uploadLimitBytes }: DocumentFilesDeps): DocumentFiles {
  const write = (fn: Parameters<Database["write"]>[0]) => database.write(fn, isolation);

  async function storeUnowned(files: readonly HeldFile[]): Promise<string[]> {
    const createdDate = toMoment(clock.now());
    const rows = files.map(({ bytes: _, ...file }) => ({ ...file, storeId: "", loaderId: "", createdDate }));
    await write((tx) => insertFiles(tx, rows));
    const hashes: string[] = [];
    const batch = createPartBatch((parts) => write((tx) => insertParts(tx, parts)));
    for (const { id, name, sizeBytes, bytes } of files) {
      const hash = createHash("sha256").update(JSON.stringify([name, sizeBytes]));
      for (let start = 0; start < bytes.length; start += partBytes) {
        const part = bytes.subarray(start, start + partBytes);
        hash.update(part);
        await batch.add({ fileId: id, partNo: start / partBytes, bytes: part });
      }
      hashes.push(hash.digest("hex"));
    }
    await batch.flush();
    return hashes;
  }

  function toStoredFile(row: DocumentFileRow) {
    return {
      name: row.name,
      mediaType: row.mime,
      async bytes() {
        const bytes = await readParts(database, row);
        if (bytes.length === 0 && row.sizeBytes > 0) throw tooLargeToKeep(row, uploadLimitBytes);
        return bytes;
      },
    };
  }

  return {
    async during(files, fn) {
      if (files.length === 0) return fn([]);
      const ids = files.map(({ id }) => id);
      try {
        return await fn(await storeUnowned(files));
      } finally {
        await write((tx) => deleteUnowned(tx, ids));
      }
    },

    async read(id) {
      const row = await findFile(database.read, id);
      return row && toStoredFile(row);
    },

    async readNamed(loaderId, name) {
      const row = await findFileNamed(database.read, loaderId, name);
      return row && toStoredFile(row);
    },

    async sweep(signal) {
      await write((tx) => deleteUnownedBefore(tx, toMoment(clock.now() - unownedForMs)));
      while (!signal.aborted) {
        const orphans = await listOrphans(database.read, orphansAtOnce);
        if (orphans.length === 0) return;
        for (const orphan of orphans) await write((tx) => deletePart(tx, orphan));
        await clock.sleep(pauseMs, signal);
      }
    },
  };
}

/** Message for a file that was skipped on arrival because it, or all files before it, was too large. */
function tooLargeToKeep({ name, sizeBytes }: DocumentFileRow, limitBytes: number): WeftError {
  const reason =
    sizeBytes > limitBytes
      ? `its ${sizeBytes} bytes are more than the ${limitBytes} that an upload may hold; split it`
      : `the files before it took what an upload may hold, ${limitBytes} bytes; upload it by itself`;
  return new WeftError("document-unreadable", { params: { name: name.slice(0, 200), reason } });
}

/** The bytes of a file; none where they were not kept. */
async function readParts({ read }: Database, row: DocumentFileRow): Promise<Uint8Array> {
  const first = await findPart(read, row.id, 0);
  if (first === undefined) return new Uint8Array();
  const bytes = Buffer.allocUnsafeSlow(row.sizeBytes);
  const pause = createPause();
  let length = 0;
  for (let part: Uint8Array | undefined = first, partNo = 1; part !== undefined; partNo += 1) {
    bytes.set(part, length);
    length += part.length;
    await pause();
    part = length < row.sizeBytes ? await findPart(read, row.id, partNo) : undefined;
  }
  return bytes.subarray(0, length);
}

/** Batches parts of small files, so that a folder of them takes few writes. */
function createPartBatch(write: (parts: DocumentFilePartRow[]) => Promise<unknown>) {
  let parts: DocumentFilePartRow[] = [];
  let sizeBytes = 0;

  async function flush(): Promise<void> {
    const full = parts;
    parts = [];
    sizeBytes = 0;
    if (full.length > 0) await write(full);
  }

  return {
    flush,
    async add(part: DocumentFilePartRow): Promise<void> {
      parts.push(part);
      sizeBytes += part.bytes.length;
      if (sizeBytes >= partBytes || parts.length >= 100) await flush();
    },
  };
}

/** Databases limit the parameters of a statement. */
const rowsAtOnce = 500;

async function insertFiles(tx: Handle, rows: readonly DocumentFileRow[]): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insertInto("documentFiles")
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
  }
}

async function insertParts(tx: Handle, rows: readonly DocumentFilePartRow[]): Promise<void> {
  for (const row of rows) await tx.insertInto("documentFileParts").values(row).execute();
}

/** Gives unowned files to a loader. */
export async function adoptFiles(
  tx: Handle,
  ids: readonly string[],
  owner: Pick<DocumentFileRow, "storeId" | "loaderId" | "createdDate">,
): Promise<void> {
  for (const some of slicesOf(ids)) {
    await tx.updateTable("documentFiles").set(owner).where("id", "in", some).where("loaderId", "=", "").execute();
  }
}

/** Deletes those of these files that no loader has taken. The next sweep removes their parts. */
async function deleteUnowned(tx: Handle, ids: readonly string[]): Promise<void> {
  for (const some of slicesOf(ids)) {
    await tx.deleteFrom("documentFiles").where("id", "in", some).where("loaderId", "=", "").execute();
  }
}

async function deleteUnownedBefore(tx: Handle, moment: string): Promise<void> {
  await tx.deleteFrom("documentFiles").where("loaderId", "=", "").where("createdDate", "<", moment).execute();
}

/** Deletes files that a loader's configuration no longer names. The next sweep removes their parts. */
export async function deleteOtherFiles(tx: Handle, loaderId: string, keptIds: readonly string[]): Promise<void> {
  let files = tx.deleteFrom("documentFiles").where("loaderId", "=", loaderId);
  if (keptIds.length > 0) files = files.where("id", "not in", keptIds);
  await files.execute();
}

export function findFile(db: Handle, id: string): Promise<DocumentFileRow | undefined> {
  return db.selectFrom("documentFiles").selectAll().where("id", "=", id).executeTakeFirst();
}

function findFileNamed(db: Handle, loaderId: string, name: string): Promise<DocumentFileRow | undefined> {
  return db
    .selectFrom("documentFiles")
    .selectAll()
    .where("loaderId", "=", loaderId)
    .where("name", "=", name)
    .executeTakeFirst();
}

/** In order of arrival. */
export function listFiles(db: Handle, loaderIds: readonly string[]): Promise<DocumentFileRow[]> {
  if (loaderIds.length === 0) return Promise.resolve([]);
  return db
    .selectFrom("documentFiles")
    .selectAll()
    .where("loaderId", "in", loaderIds)
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

async function findPart(db: Handle, fileId: string, partNo: number): Promise<Uint8Array | undefined> {
  const part = await db
    .selectFrom("documentFileParts")
    .select("bytes")
    .where("fileId", "=", fileId)
    .where("partNo", "=", partNo)
    .executeTakeFirst();
  return part?.bytes;
}

/** Parts of deleted files. */
function listOrphans(db: Handle, limit: number): Promise<Omit<DocumentFilePartRow, "bytes">[]> {
  return db
    .selectFrom("documentFileParts")
    .select(["fileId", "partNo"])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("documentFiles").select("id").whereRef("id", "=", "documentFileParts.fileId"))),
    )
    .limit(limit)
    .execute();
}

async function deletePart(
  tx: Handle,
  { fileId, partNo }: Pick<DocumentFilePartRow, "fileId" | "partNo">,
): Promise<void> {
  await tx.deleteFrom("documentFileParts").where("fileId", "=", fileId).where("partNo", "=", partNo).execute();
}

function* slicesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += rowsAtOnce) yield ids.slice(start, start + rowsAtOnce);
}

/** The files of a form. JSON cannot carry any, but a loader's configuration may hold them as data URLs. */
export const uploadsSchema = z
  .custom<UploadedFile[]>(areFiles, "must be files of a form")
  .optional()
  .meta({ type: "array", items: { type: "string", format: "binary" } });

/** A file larger than any that can be read is listed among the failures; the others are loaded. */
export const uploadLimits = { maxFiles: 1_000, maxFileBytes: standardLimits.inputBytes };

function areFiles(value: unknown): boolean {
  return Array.isArray(value) && value.every((file) => file?.bytes instanceof Uint8Array);
}

/** A file as received with a request. */
export type NewFile = Pick<UploadedFile, "name" | "mimeType" | "bytes" | "oversizeBytes">;

/** A file as existing clients put it into a loader's configuration: `data:<type>;base64,<bytes>,filename:<name>`. */
export function parseDataUrlFile(text: string): NewFile | undefined {
  const found = /^data:([^;,]*)((?:;[^;,]*)*),([^,]*)(?:,filename:(.*))?$/s.exec(text);
  if (!found) return undefined;
  const [, mimeType = "", parameters = "", data = "", name = ""] = found;
  const bytes = parameters.includes(";base64") ? Buffer.from(data, "base64") : Buffer.from(decode(data));
  return { name: name.trim(), mimeType, bytes };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The files that a loader's configuration names: ids, or whole inline files. */
export function fileIds(config: JsonObject): string[] {
  const { files } = config;
  return Array.isArray(files) ? files.filter((file) => typeof file === "string") : [];
}

/** Unique names for stored files, in the same order: of several `a.md` the second is `a (2).md`. */
export function toFileNames(given: readonly string[]): string[] {
  const taken = new Set<string>();
  return given.map((name) => {
    const own = toFileName(name);
    const dot = startOfEnding(own);
    let free = own;
    for (let count = 2; taken.has(free); count += 1) free = `${own.slice(0, dot)} (${count})${own.slice(dot)}`;
    taken.add(free);
    return free;
  });
}

/**
 * Removes control characters, which databases reject, and path separators: folders stay as in `docs – a.md`, which
 * tells files of one name apart. A long name loses its middle.
 */
export function toFileName(given: string): string {
  const name = given
    .toWellFormed()
    .replaceAll(/\p{Cc}|[\u2028\u2029]/gu, "")
    .replaceAll(/[/\\]/g, " – ")
    .trim();
  if (/^\.{0,2}$/.test(name)) return "file";
  if (name.length <= maxCharacters) return name;
  const ending = name.slice(startOfEnding(name)).slice(0, 20);
  return (name.slice(0, maxCharacters - ending.length) + ending).toWellFormed();
}

const maxCharacters = 200;

function startOfEnding(name: string): number {
  const dot = name.lastIndexOf(".");
  return dot > 0 ? dot : name.length;
}
