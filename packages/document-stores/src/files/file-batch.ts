import { createHash } from "node:crypto";
import type { Database, Tables } from "@weft/database";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import type { DocumentFilePartRow, DocumentFileRow } from "../tables.ts";

/** A write of this size blocks the event loop for a few milliseconds on SQLite. */
const partBytes = 256 * 1_024;
const partsAtOnce = 100;

/** Stores files in few small writes: a large one part by part, many small ones together. */
export type FileBatch = {
  /**
   * Takes the pieces of a file at the pace of the writes, and sets the row's `sizeBytes`, unless there are none.
   * Resolves with their SHA-256, before the last ones are stored.
   */
  add(row: DocumentFileRow, pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string>;
  /** Deletes a file that turned out too large, and its parts at once, so that many of them take the place of one. */
  discard(row: DocumentFileRow): Promise<void>;
  /** Resolves once everything is stored. */
  flush(): Promise<void>;
};

export function createFileBatch(write: (fn: Parameters<Database["write"]>[0]) => Promise<unknown>): FileBatch {
  let rows: DocumentFileRow[] = [];
  let parts: DocumentFilePartRow[] = [];
  let sizeBytes = 0;

  async function flush(): Promise<void> {
    const full = { rows, parts };
    rows = [];
    parts = [];
    sizeBytes = 0;
    if (full.rows.length + full.parts.length > 0) await write((tx) => insert(tx, full));
  }

  async function addPart(row: DocumentFileRow, partNo: number, bytes: Uint8Array): Promise<void> {
    // The file comes with its first part: parts without a file are swept away.
    if (partNo === 0) rows.push(row);
    parts.push({ fileId: row.id, partNo, bytes });
    sizeBytes += bytes.length;
    if (sizeBytes >= partBytes || parts.length >= partsAtOnce) await flush();
  }

  return {
    flush,
    async discard({ id, sizeBytes: storedBytes }) {
      await flush();
      await write((tx) => tx.deleteFrom("documentFiles").where("id", "=", id).where("loaderId", "=", "").execute());
      for (let partNo = 0; partNo * partBytes < storedBytes; partNo += 1) {
        await write((tx) => deletePart(tx, id, partNo));
      }
    },
    async add(row, pieces) {
      const hash = createHash("sha256");
      const pause = createPause();
      let length = 0;
      let partNo = 0;
      for await (const bytes of partsOf(pieces)) {
        hash.update(bytes);
        length += bytes.length;
        if (partNo === 0) row.sizeBytes = length;
        await addPart(row, partNo, bytes);
        partNo += 1;
        await pause();
      }
      if (partNo === 0) rows.push(row);
      if (partNo > 1) {
        row.sizeBytes = length;
        await write((tx) => setSize(tx, row.id, length));
      }
      return hash.digest("hex");
    },
  };
}

async function deletePart(tx: Kysely<Tables>, fileId: string, partNo: number): Promise<void> {
  await tx.deleteFrom("documentFileParts").where("fileId", "=", fileId).where("partNo", "=", partNo).execute();
}

async function setSize(tx: Kysely<Tables>, id: string, sizeBytes: number): Promise<void> {
  await tx.updateTable("documentFiles").set({ sizeBytes }).where("id", "=", id).execute();
}

async function insert(
  tx: Kysely<Tables>,
  { rows, parts }: { rows: readonly DocumentFileRow[]; parts: readonly DocumentFilePartRow[] },
): Promise<void> {
  if (rows.length > 0) await tx.insertInto("documentFiles").values(rows).execute();
  for (const part of parts) await tx.insertInto("documentFileParts").values(part).execute();
}

/** Joins or cuts pieces to parts. A whole part is valid until the next one is asked for: its memory is used again. */
async function* partsOf(pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let whole: Uint8Array | undefined;
  let held: Uint8Array[] = [];
  let length = 0;
  for await (const piece of pieces) {
    let rest = piece;
    while (length + rest.length >= partBytes) {
      held.push(rest.subarray(0, partBytes - length));
      rest = rest.subarray(partBytes - length);
      whole ??= Buffer.allocUnsafeSlow(partBytes);
      yield joinInto(whole, held);
      held = [];
      length = 0;
    }
    if (rest.length > 0) held.push(rest);
    length += rest.length;
  }
  if (length > 0) yield Buffer.concat(held, length);
}

function joinInto(whole: Uint8Array, pieces: readonly Uint8Array[]): Uint8Array {
  let length = 0;
  for (const piece of pieces) {
    whole.set(piece, length);
    length += piece.length;
  }
  return whole;
}
