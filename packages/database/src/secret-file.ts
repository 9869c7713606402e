import { randomBytes } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { link, mkdir, open, readFile, rename, rm, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";

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

/** Text that an operator gives a process in place of a key file, hidden until it is needed. Empty: there is a file. */
export type GivenKeys = { reveal(): string; readonly isEmpty: boolean };

/** The keys in a text of one base64 key or several, separated by commas or line breaks. Undefined for anything else. */
export function parseSecretKeys(text: string): Buffer[] | undefined {
  const lines = text.split(/[,\r\n]+/).map((line) => line.trim());
  const keys = lines.filter((line) => line !== "").map((line) => Buffer.from(line, "base64"));
  const isWhole = keys.every((key) => key.length === secretKeyBytes && lines.includes(key.toString("base64")));
  return isWhole && keys.length > 0 ? keys : undefined;
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

/** Makes durable which names a folder holds. Windows has nothing like it. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform !== "win32") await syncFile(directory, "r");
}

/** Brings what was written to a file to the disk. */
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
  /** What the file held when it was read at first. */
  value: T;
  /** Throws on text that is not to be used. */
  parse(text: string): T;
};

/**
 * The value of a small file that another process may replace. Each call looks whether the file is another one, which
 * takes a few microseconds, and reads it only then. What is gone or does not parse changes nothing.
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
