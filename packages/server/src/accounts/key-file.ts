import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { StorageError } from "../storage/storage-error.ts";

const fileName = "jwt.key";
const keyBytes = 32;

/**
 * The key that signs tokens: `jwt.key` of the data folder, base64. A missing file is created, readable by its owner
 * only; of several processes that create it at once, one wins and all use its key. Rejects with `StorageError`
 * when the file holds anything else.
 */
export async function loadTokenKey(dataDir: string): Promise<Buffer> {
  const path = join(dataDir, fileName);
  const text = (await readExisting(path)) ?? (await createFile(path, dataDir));
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === keyBytes) return key;
  throw new StorageError(
    `${path} holds no key of ${keyBytes} bytes. Delete it to make a new one: everybody must log in again.`,
  );
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
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${randomBytes(keyBytes).toString("base64")}\n`);
    await file.sync();
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await file.close();
    await unlink(draft);
  }
  return readFile(path, "utf8");
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
