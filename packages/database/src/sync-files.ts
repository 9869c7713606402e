import { open } from "node:fs/promises";

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
