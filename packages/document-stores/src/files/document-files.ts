import { createHash } from "node:crypto";
import type { Database, DocumentFilePartRow, DocumentFileRow } from "@weft/database";
import type { Clock, LoaderServices } from "@weft/engine";
import { toMoment, WeftError } from "@weft/schema";
import { createPause } from "@weft/workers";
import * as store from "./document-file.store.ts";

/** A file as it is to be stored. Without bytes, and yet of some size, when it was too large to be kept. */
export type HeldFile = Pick<DocumentFileRow, "id" | "name" | "mime" | "sizeBytes"> & { bytes: Uint8Array };

/** Files of loaders. */
export type DocumentFiles = {
  /**
   * Stores files that no loader has yet, in small writes, and calls `fn` with the SHA-256 of each. What `fn` gives to no
   * loader (`adoptFiles`) is gone afterwards; after a crash, an hour later.
   */
  during<T>(files: readonly HeldFile[], fn: (hashes: readonly string[]) => Promise<T>): Promise<T>;
  /** A stored file, for loaders. */
  read: LoaderServices["readFile"];
  /** Removes what belongs to nobody, a little at a time. */
  sweep(signal: AbortSignal): Promise<void>;
};

export type DocumentFilesDeps = {
  database: Database;
  clock: Pick<Clock, "now" | "sleep">;
  /** All files of one upload together, and each of them, may be that long. */
  uploadLimitBytes: number;
};

const isolation = { isolation: "read-committed" } as const;
/** One write takes a few milliseconds of SQLite, which works on the event loop. */
const partBytes = 256 * 1_024;
const orphansAtOnce = 8;
const pauseMs = 20;
/** No upload takes that long to be accepted. */
const unownedForMs = 60 * 60_000;

export function createDocumentFiles({ database, clock, uploadLimitBytes }: DocumentFilesDeps): DocumentFiles {
  const write = (fn: Parameters<Database["write"]>[0]) => database.write(fn, isolation);

  async function storeUnowned(files: readonly HeldFile[]): Promise<string[]> {
    const createdDate = toMoment(clock.now());
    const rows = files.map(({ bytes: _, ...file }) => ({ ...file, storeId: "", loaderId: "", createdDate }));
    await write((tx) => store.insertFiles(tx, rows));
    const hashes: string[] = [];
    const batch = createPartBatch((parts) => write((tx) => store.insertParts(tx, parts)));
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

  return {
    async during(files, fn) {
      if (files.length === 0) return fn([]);
      const ids = files.map(({ id }) => id);
      try {
        return await fn(await storeUnowned(files));
      } finally {
        await write((tx) => store.deleteUnowned(tx, ids));
      }
    },

    async read(id) {
      const row = await store.findFile(database.read, id);
      if (row === undefined) return undefined;
      const { name, mime: mediaType } = row;
      return {
        name,
        mediaType,
        async bytes() {
          const bytes = await readParts(database, row);
          if (bytes.length === 0 && row.sizeBytes > 0) throw tooLargeToKeep(row, uploadLimitBytes);
          return bytes;
        },
      };
    },

    async sweep(signal) {
      await write((tx) => store.deleteUnownedBefore(tx, toMoment(clock.now() - unownedForMs)));
      while (!signal.aborted) {
        const orphans = await store.listOrphans(database.read, orphansAtOnce);
        if (orphans.length === 0) return;
        for (const orphan of orphans) await write((tx) => store.deletePart(tx, orphan));
        await clock.sleep(pauseMs, signal);
      }
    },
  };
}

/** What is said of a file that was passed over when it came: it, or all that came before it, was too long. */
function tooLargeToKeep({ name, sizeBytes }: DocumentFileRow, limitBytes: number): WeftError {
  const reason =
    sizeBytes > limitBytes
      ? `its ${sizeBytes} bytes are more than the ${limitBytes} that an upload may hold; split it`
      : `the files before it took what an upload may hold, ${limitBytes} bytes; upload it by itself`;
  return new WeftError("document-unreadable", { params: { name: name.slice(0, 200), reason } });
}

/** The bytes of a file; none where they were not kept. */
async function readParts({ read }: Database, row: DocumentFileRow): Promise<Uint8Array> {
  const first = await store.findPart(read, row.id, 0);
  if (first === undefined) return new Uint8Array();
  const bytes = Buffer.allocUnsafeSlow(row.sizeBytes);
  const pause = createPause();
  let length = 0;
  for (let part: Uint8Array | undefined = first, partNo = 1; part !== undefined; partNo += 1) {
    bytes.set(part, length);
    length += part.length;
    await pause();
    part = length < row.sizeBytes ? await store.findPart(read, row.id, partNo) : undefined;
  }
  return bytes.subarray(0, length);
}

/** Collects parts of small files, so that a folder of them takes few writes. */
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
