import { hash } from "node:crypto";
import type { Database, Tables } from "@weft/database";
import { standardLimits } from "@weft/documents";
import type { IdSource, Sleeper, WallClock } from "@weft/engine/ports/clock";
import type { LoaderServices, StoredFile } from "@weft/engine/ports/document-loader";
import type { FileReceiver } from "@weft/http";
import { type JsonObject, toMoment, type UploadedFile, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { DocumentFilePartRow, DocumentFileRow } from "../tables.ts";
import { createFileBatch } from "./file-batch.ts";

type Handle = Kysely<Tables>;

/**
 * A file that no loader owns yet: in memory, or stored as it arrived, with the SHA-256 of its bytes. Has a size but no
 * bytes if it was too large to be kept.
 */
export type HeldFile = Pick<DocumentFileRow, "id" | "name" | "mime" | "sizeBytes"> &
  ({ bytes: Uint8Array } | { sha256: string });

export type DocumentFiles = {
  /**
   * Stores files that no loader owns yet, in small writes, and calls `fn` with the SHA-256 of each. Files that `fn`
   * gives to no loader (`adoptFiles`) are deleted afterwards; after a crash, an hour later.
   */
  during<T>(files: readonly HeldFile[], fn: (hashes: readonly string[]) => Promise<T>): Promise<T>;
  /**
   * Stores the files of a form while they arrive, a part of each in memory at a time, as `ReceivedFile`s. Those that no
   * loader has taken by the end of the request are deleted; after a crash, an hour later.
   */
  receive(): FileReceiver;
  /** Reads a stored file, for loaders. */
  read: LoaderServices["readFile"];
  /** A file of a loader by its name, which is unique within the loader; undefined if there is none. */
  readNamed(loaderId: string, name: string): ReturnType<LoaderServices["readFile"]>;
  /** Removes unowned files, a little at a time. */
  sweep(signal: AbortSignal): Promise<void>;
};

const isolation = { isolation: "read-committed" } as const;
const orphansAtOnce = 8;
const pauseMs = 20;
/** Accepting an upload never takes this long. */
const unownedForMs = 60 * 60_000;

/** `uploadLimitBytes`: limit for each file of an upload, and for all of them together. */
export function createDocumentFiles({
  database,
  clock,
  ids,
  uploadLimitBytes,
}: {
  database: Database;
  clock: WallClock & Sleeper;
  ids: IdSource;
  uploadLimitBytes: number;
}): DocumentFiles {
  const write = (fn: Parameters<Database["write"]>[0]) => database.write(fn, isolation);
  const toRow = ({ id, name, mime, sizeBytes }: Omit<HeldFile, "bytes" | "sha256">): DocumentFileRow => {
    return { id, name, mime, sizeBytes, storeId: "", loaderId: "", createdDate: toMoment(clock.now()) };
  };

  async function storeUnowned(files: readonly HeldFile[]): Promise<string[]> {
    const batch = createFileBatch(write);
    const hashes: string[] = [];
    for (const file of files) {
      const sha256 = "bytes" in file ? await batch.add(toRow(file), [file.bytes]) : file.sha256;
      hashes.push(hash("sha256", JSON.stringify([file.name, file.sizeBytes, sha256])));
    }
    await batch.flush();
    // Files get names as they arrive, before those of the others are known.
    const stored = files.filter((file) => "sha256" in file);
    if (stored.length > 0) await write((tx) => renameFiles(tx, stored));
    return hashes;
  }

  function toStoredFile(row: DocumentFileRow): StoredFile {
    const { name, mime: mediaType, sizeBytes } = row;
    return { name, mediaType, sizeBytes, parts: () => readParts(database, { row, uploadLimitBytes }) };
  }

  return {
    async during(files, fn) {
      if (files.length === 0) return fn([]);
      const own = files.filter((file) => "bytes" in file).map(({ id }) => id);
      try {
        return await fn(await storeUnowned(files));
      } finally {
        await write((tx) => deleteUnowned(tx, own));
      }
    },

    receive() {
      const stored: string[] = [];
      const batch = createFileBatch(write);
      const toNewRow = (name: string, mime: string, sizeBytes = 0) => {
        const row = toRow({ id: ids.uuid(), name: toFileName(name), mime, sizeBytes });
        stored.push(row.id);
        return row;
      };
      return {
        async receive(file, pieces) {
          const { name, mimeType } = file;
          let row = toNewRow(name, mimeType);
          let sha256 = await batch.add(row, pieces);
          if (file.oversizeBytes !== undefined) {
            await batch.discard(row);
            row = toNewRow(name, mimeType, file.oversizeBytes);
            sha256 = await batch.add(row, []);
          }
          return new ReceivedFile({ id: row.id, name, mimeType, sizeBytes: row.sizeBytes, sha256 });
        },
        complete: batch.flush,
        async release() {
          await write((tx) => deleteUnowned(tx, stored));
        },
      };
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

/** The parts of a file, read as they are asked for. Throws `document-unreadable` where they are not, or no longer, stored. */
async function* readParts(
  { readLarge }: Database,
  { row, uploadLimitBytes }: { row: DocumentFileRow; uploadLimitBytes: number },
): AsyncGenerator<Uint8Array> {
  const pause = createPause();
  let length = 0;
  for (let partNo = 0; length < row.sizeBytes; partNo += 1) {
    const part = await findPart(readLarge, row.id, partNo);
    if (part === undefined) throw partNo === 0 ? tooLargeToKeep(row, uploadLimitBytes) : noLongerStored(row);
    length += part.length;
    yield part;
    // Nothing of it is left here if it was moved to a thread.
    await pause(part.length);
  }
}

function noLongerStored({ name }: DocumentFileRow): WeftError {
  const reason = "it is no longer stored; upload it again";
  return new WeftError("document-unreadable", { params: { name: name.slice(0, 200), reason } });
}

/** The bytes of a stored file, at once. */
export async function readWhole({ sizeBytes, parts }: StoredFile): Promise<Uint8Array> {
  const bytes = Buffer.allocUnsafeSlow(sizeBytes);
  let length = 0;
  for await (const part of parts()) {
    bytes.set(part, length);
    length += part.length;
  }
  return bytes;
}

/** Databases limit the parameters of a statement. */
const rowsAtOnce = 500;

async function renameFiles(tx: Handle, files: readonly HeldFile[]): Promise<void> {
  for (const { id, name } of files) {
    await tx.updateTable("documentFiles").set({ name }).where("id", "=", id).where("name", "<>", name).execute();
  }
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

async function deletePart(tx: Handle, { fileId, partNo }: Omit<DocumentFilePartRow, "bytes">): Promise<void> {
  await tx.deleteFrom("documentFileParts").where("fileId", "=", fileId).where("partNo", "=", partNo).execute();
}

function* slicesOf(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += rowsAtOnce) yield ids.slice(start, start + rowsAtOnce);
}

/** A file of a form, stored under its id as it arrived. `name` and `mimeType` are the client's claims. */
export class ReceivedFile {
  readonly id: string;
  readonly name: string;
  readonly mimeType: string;
  /** As received. More than is stored for a file that was too large to be kept. */
  readonly sizeBytes: number;
  readonly sha256: string;

  constructor(file: Omit<ReceivedFile, "toJSON">) {
    this.id = file.id;
    this.name = file.name;
    this.mimeType = file.mimeType;
    this.sizeBytes = file.sizeBytes;
    this.sha256 = file.sha256;
  }

  /** What tells one file from another: a repeated request stores its files under new ids. */
  toJSON() {
    const { id: _, ...file } = this;
    return file;
  }
}

/** The files of a form. */
export const receivedFilesSchema = z
  .array(z.instanceof(ReceivedFile, { error: "must be files of a form" }))
  .meta({ type: "array", items: { type: "string", format: "binary" } });

/** JSON cannot carry files, but a loader's configuration may hold them as data URLs. */
export const uploadsSchema = receivedFilesSchema.optional();

/** A file larger than any that can be read is listed among the failures; the others are loaded. */
export const uploadLimits = { maxFiles: 1_000, maxFileBytes: standardLimits.inputBytes };

/** A new file of a loader: received with a form, or in memory. */
export type NewFile = ReceivedFile | Pick<UploadedFile, "name" | "mimeType" | "bytes">;

/** A file as existing clients put it into a loader's configuration: `data:<type>;base64,<bytes>,filename:<name>`. */
export function parseDataUrlFile(text: string): Exclude<NewFile, ReceivedFile> | undefined {
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
