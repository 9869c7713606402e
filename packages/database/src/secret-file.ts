import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { link, mkdir, open, readFile, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Length of every key that the platform generates for itself. */
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
 * Replaces a key file atomically: after a crash, the old file or the new one exists. Others may read it meanwhile, and
 * must not replace it.
 */
export async function replaceSecretFile(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await rm(draft, { force: true });
  await writeDurably(draft, text);
  await rename(draft, path);
  await syncDirectory(dirname(path));
}

/** Keys that an operator gives a process in place of a key file, hidden until needed. Empty: there is a file. */
export type GivenKeys = { reveal(): string; readonly isEmpty: boolean };

/**
 * The keys in a text of one or several base64 keys, separated by commas or line breaks. Undefined for anything else.
 */
export function parseSecretKeys(text: string): Buffer[] | undefined {
  const lines = text.split(/[,\r\n]+/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "").map((line) => Buffer.from(line, "base64"));
  const isWhole = keys.every((key) => key.length === secretKeyBytes && lines.includes(key.toString("base64")));
  return isWhole && keys.length > 0 ? keys : undefined;
}

/** A new key in the format of key files: base64. */
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

/** Makes a folder's entries durable. Windows has no equivalent. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform !== "win32") await syncFile(directory, "r");
}

/** Flushes a file to the disk. */
export async function syncFile(path: string, flags = "r+"): Promise<void> {
  const handle = await open(path, flags);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export type FollowedFileOptions<T> = {
  path: string;
  /** Content of the file when it was first read. */
  value: T;
  /** Throws on invalid text. */
  parse(text: string): T;
};

/**
 * The value of a small file that another process may replace. Each call checks whether the file was replaced, which
 * takes a few microseconds, and only then reads it. A missing or invalid file changes nothing.
 */
export function followFile<T>({ path, value, parse }: FollowedFileOptions<T>): () => T {
  let current = value;
  let seen = "";

  function refresh(): void {
    const { ino, size, mtimeMs } = statSync(path);
    const found = `${ino}:${size}:${mtimeMs}`;
    if (found === seen) return;
    seen = found;
    current = parse(readFileSync(path, "utf8"));
  }

  return () => {
    try {
      refresh();
    } catch {
      // The last good value is better than none.
    }
    return current;
  };
}
