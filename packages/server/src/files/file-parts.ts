import type { Database, FileRow, Tables } from "@weft/database";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import * as store from "./file.store.ts";

type Bytes = Pick<FileRow, "id" | "sizeBytes" | "bytes">;

/** The bytes of long files. One write or read takes a few milliseconds of SQLite, which works on the event loop. */
export type FileParts = {
  /** Writes the parts of files whose rows are there; when that fails, `undo` takes all of the rows back. */
  write(files: readonly Bytes[], options: { undo(tx: Kysely<Tables>): Promise<void> }): Promise<void>;
  /** The bytes of a file; undefined while some of them are missing, as after a crash. */
  read(file: Bytes): Promise<Uint8Array | undefined>;
};

const partBytes = 256 * 1_024;
const isolation = { isolation: "read-committed" } as const;

/** Whether the bytes of a file are too long for its row. */
export function isKeptInParts({ sizeBytes }: Pick<FileRow, "sizeBytes">): boolean {
  return sizeBytes > partBytes;
}

export function createFileParts(database: Database): FileParts {
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
