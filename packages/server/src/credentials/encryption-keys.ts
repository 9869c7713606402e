import { createHash, randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "../storage/storage-error.ts";

/** Keys of 32 bytes by their ids. New secrets are sealed with the current one; the others only open old secrets. */
export type EncryptionKeys = { readonly currentId: string; readonly byId: ReadonlyMap<string, Buffer> };

const fileName = "encryption.key";
const keyBytes = 32;

/**
 * Reads `encryption.key` of the data folder: one base64 key a line, the last one is current. A missing file is
 * created with one new key, readable by its owner only; of several processes that create it at once, one wins and
 * all use its key. Rejects with `StorageError` when the file holds anything else.
 */
export async function loadEncryptionKeys(dataDir: string): Promise<EncryptionKeys> {
  const path = join(dataDir, fileName);
  const text = (await readExisting(path)) ?? (await createFile(path, dataDir));
  return parseKeys(text, path);
}

async function readExisting(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

/** The file appears with its whole content or not at all: it is written under another name, then linked. */
async function createFile(path: string, dataDir: string): Promise<string> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  await writeDurably(draft, `${randomBytes(keyBytes).toString("base64")}\n`);
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  return readFile(path, "utf8");
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

function parseKeys(text: string, path: string): EncryptionKeys {
  const keys = text.split("\n").filter((line) => line.trim() !== "");
  const byId = new Map(keys.map((line) => toEntry(line.trim(), path)));
  const currentId = [...byId.keys()].at(-1);
  if (currentId === undefined) throw new StorageError(`${path} holds no key. Restore it from a backup.`);
  return { currentId, byId };
}

function toEntry(line: string, path: string): [string, Buffer] {
  const key = Buffer.from(line, "base64");
  if (key.length !== keyBytes || key.toString("base64") !== line) {
    throw new StorageError(
      `${path} holds a line that is not a base64 key of ${keyBytes} bytes. Restore it from a backup.`,
    );
  }
  return [createHash("sha256").update(key).digest("hex").slice(0, 12), key];
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
