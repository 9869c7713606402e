import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { FlowiseSourceError, openFlowise } from "@weft/flowise-source";
import { WeftError } from "@weft/schema";

export type FlowiseUpload = { name: string; sizeBytes: number; receivedBytes: number; workspaces: readonly string[] };

/** A part of a file. The first one starts another file. */
export type UploadPart = {
  /** Of the file, as its owner calls it. */
  name: string;
  /** Of the whole file. */
  sizeBytes: number;
  /** Byte offset of the part in the file. */
  offset: number;
  /** Reads at most `limitBytes`; rejects for more, and when the client disconnects. */
  read(limitBytes: number): AsyncIterable<Uint8Array>;
};

const maxBytes = 2 * 1024 ** 3;

const sqliteMagic = "SQLite format 3\0";

/**
 * Keeps one file of Flowise in a folder of its own, which nothing else uses. Invariants:
 * - A part that ends early leaves nothing: the file is as long as before, or gone when it was the first part.
 * - A complete file is one that Flowise wrote; another one is gone, and its sender told why.
 */
export function createFlowiseUploads(folder: string) {
  const path = join(folder, "upload");
  let held: FlowiseUpload | undefined;
  let isReceiving = false;
  /** How often the file was removed. */
  let removals = 0;

  async function remove(): Promise<void> {
    held = undefined;
    removals += 1;
    await rm(folder, { recursive: true, force: true });
  }

  async function receive(part: UploadPart): Promise<void> {
    const { name, sizeBytes, offset } = part;
    if (sizeBytes > maxBytes) throw new WeftError("body-too-large", { params: { limit: maxBytes } });
    const standsAt = held?.name === name && held.sizeBytes === sizeBytes ? held.receivedBytes : 0;
    if (offset !== 0 && offset !== standsAt) {
      throw conflict(`The upload of ${name} stands at byte ${standsAt}. Send the part that begins there.`);
    }
    if (offset === 0) {
      await remove();
      await mkdir(folder, { recursive: true, mode: 0o700 });
    }
    const before = removals;
    await using file = await open(path, "a", 0o600);
    const receivedBytes = offset + (await append(file, part));
    if (removals !== before) throw conflict(`${name} was removed while it was uploaded.`);
    held = { name, sizeBytes, receivedBytes, workspaces: [] };
  }

  async function append(file: FileHandle, { sizeBytes, offset, read }: UploadPart): Promise<number> {
    let written = 0;
    try {
      for await (const piece of read(sizeBytes - offset)) {
        await file.appendFile(piece);
        written += piece.byteLength;
      }
      return written;
    } catch (cause) {
      await (offset === 0 ? remove() : file.truncate(offset));
      throw cause;
    }
  }

  /** Opens the file for reading. Rejects with sentences that use the file's name. */
  async function openSource(key?: string | undefined) {
    const isDatabase = (await readStart(path).catch(() => "")) === sqliteMagic;
    return openFlowise({ ...(isDatabase ? { database: path } : { exportFile: path }), key });
  }

  async function check(upload: FlowiseUpload): Promise<void> {
    try {
      const source = await openSource();
      const workspaces = source.workspaces.map(({ name }) => name);
      await source.close();
      held = { ...upload, workspaces };
    } catch (cause) {
      await remove();
      if (!(cause instanceof FlowiseSourceError)) throw cause;
      const message = cause.message.replaceAll(path, upload.name);
      throw new WeftError("validation-failed", { message, cause });
    }
  }

  return {
    held: () => held,
    /** The file, once it is complete. Throws `conflict`. */
    complete(): FlowiseUpload {
      if (isReceiving) throw conflict("The upload is under way. Wait for it to end.");
      if (held === undefined) throw conflict("Upload database.sqlite or ExportData.json of Flowise first.");
      const { name, sizeBytes, receivedBytes } = held;
      if (receivedBytes === sizeBytes) return held;
      throw conflict(`Only ${receivedBytes} of ${sizeBytes} bytes of ${name} have arrived. Upload the rest.`);
    },
    /** Rejects with `conflict`, `body-too-large`, and `validation-failed` for a file that Flowise did not write. */
    async receive(part: UploadPart): Promise<void> {
      if (isReceiving) throw conflict("Another upload is under way. Wait for it to end.");
      isReceiving = true;
      try {
        await receive(part);
        if (held !== undefined && held.receivedBytes === held.sizeBytes) await check(held);
      } finally {
        isReceiving = false;
      }
    },
    openSource,
    /** A sentence about the file, without its path here. */
    conceal: (sentence: string) => sentence.replaceAll(path, held?.name ?? "The file"),
    remove,
  };
}

async function readStart(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(sqliteMagic.length), 0, sqliteMagic.length, 0);
  return buffer.toString("latin1", 0, bytesRead);
}

export function conflict(reason: string): WeftError {
  return new WeftError("conflict", { params: { reason } });
}
