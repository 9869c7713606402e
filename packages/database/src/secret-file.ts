import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "./sync-files.ts";

/** Length of every key that the platform makes for itself. */
export const secretKeyBytes = 32;

/**
 * Text of a key file in the data folder. A missing file is created with one new key, base64, readable by its owner
 * only; of several processes that create it at once, one wins and all use its key.
 */
export async function readSecretFile(dataDir: string, fileName: string): Promise<{ path: string; text: string }> {
  const path = join(dataDir, fileName);
  return { path, text: (await readExisting(path)) ?? (await createFile(path, dataDir)) };
}

/**
 * Replaces a key file in one step: whenever the machine stops, the old file or the new one is there. Others may read
 * it meanwhile, and must not replace it.
 */
export async function replaceSecretFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeDurably(draft, text);
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** A new key as key files hold it: base64. */
export function createSecretKey(): string {
  return randomBytes(secretKeyBytes).toString("base64");
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
  await writeDurably(draft, `${createSecretKey()}\n`);
  try {
    await link(draft, path);
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
  await syncDirectory(dataDir);
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

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
