import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import type { FlowiseFile, FlowiseSource } from "./flowise-source.ts";
import { FlowiseSourceError } from "./flowise-source-error.ts";

/**
 * Finds files of stores, flows and chats below a folder. Since 3.x Flowise keeps them one level deeper, in a folder for
 * each organisation; files from before stay where they were. Where the organisations are not known, any folder counts as
 * one. Rejects if there is no such folder.
 */
export async function openStorage(
  folder: string,
  organizations: readonly string[] | undefined,
): Promise<FlowiseSource["files"]> {
  const root = await realpath(folder).catch(() => undefined);
  if (root === undefined || !(await isFolder(root))) {
    throw new FlowiseSourceError(`${folder} is not a folder. Name the folder with the files that Flowise stored.`);
  }
  const levels = organizations ?? (await readdir(root, { withFileTypes: true })).map(({ name }) => name);
  return (of) => listFiles(root, [...levels.filter(isName), undefined], pathOf(of));
}

function pathOf(of: Parameters<FlowiseSource["files"]>[0]): string[] {
  if ("store" in of) return ["docustore", of.store];
  return of.chat === undefined ? [of.flow] : [of.flow, of.chat];
}

async function* listFiles(
  root: string,
  levels: readonly (string | undefined)[],
  path: readonly string[],
): AsyncIterable<FlowiseFile> {
  if (!path.every(isName)) return;
  const found = new Map<string, FlowiseFile>();
  for (const level of levels) {
    const folder = await enter(root, level === undefined ? path : [level, ...path]);
    if (folder === undefined) continue;
    for (const file of await listFolder(folder)) if (!found.has(file.name)) found.set(file.name, file);
  }
  yield* [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The folder at the end of a path, each part of which must be a folder. */
async function enter(root: string, path: readonly string[]): Promise<string | undefined> {
  let folder = root;
  for (const name of path) {
    folder = join(folder, name);
    if (!(await isFolder(folder))) return undefined;
  }
  return folder;
}

async function listFolder(folder: string): Promise<FlowiseFile[]> {
  const files: FlowiseFile[] = [];
  for (const { name } of (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile())) {
    const path = join(folder, name);
    const sizeBytes = (await lstat(path).catch(() => undefined))?.size;
    if (sizeBytes !== undefined) files.push({ name, sizeBytes, read: () => read(path) });
  }
  return files;
}

async function read(path: string): Promise<Uint8Array> {
  try {
    if ((await realpath(path)) !== path) throw new Error("a symbolic link");
    await using file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    return await file.readFile();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new FlowiseSourceError(`${path} cannot be read: ${reason}`, { cause });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isDirectory() === true;
}

/** Whether this is a plain name inside a folder. Chat ids, which are arbitrary text, name folders. */
function isName(name: string): boolean {
  return name !== "" && name !== "." && name !== ".." && !/[/\\\0]/.test(name);
}
