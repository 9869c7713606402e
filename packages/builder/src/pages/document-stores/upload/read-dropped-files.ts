import type { Upload } from "./upload.ts";

/**
 * The files of a drop, those in folders included; hidden ones, such as .DS_Store, are left out. To be called while the
 * drop is handled: afterwards the browser forgets what it was.
 */
export async function readDroppedFiles({ items }: DataTransfer): Promise<Upload[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  return (await Promise.all(entries.map(readEntry))).flat();
}

/** The files that a file input has. */
export function readChosenFiles(files: Iterable<File>): Upload[] {
  return [...files]
    .map((file) => ({ file, path: file.webkitRelativePath || file.name }))
    .filter(({ path }) => !path.split("/").some(isHidden));
}

async function readEntry(entry: FileSystemEntry): Promise<Upload[]> {
  if (isHidden(entry.name)) return [];
  if (isFile(entry)) return [{ file: await fileOf(entry), path: entry.fullPath.replace(/^\//, "") }];
  if (!isFolder(entry)) return [];
  return (await Promise.all((await entriesOf(entry)).map(readEntry))).flat();
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A reader gives some entries at a time, and none at the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return all;
    all.push(...some);
  }
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory;
}
