import { access, constants, mkdir, stat } from "node:fs/promises";
import { StorageError } from "./storage-error.ts";

/**
 * Creates the data directory, readable only by its owner; an existing one keeps its permissions. Resolves with whether
 * other users can read it. Rejects with `StorageError` if it cannot be used.
 */
export async function prepareDirectory(dataDir: string): Promise<{ isOpenToOthers: boolean }> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    return { isOpenToOthers: process.platform !== "win32" && ((await stat(dataDir)).mode & 0o007) !== 0 };
  } catch (cause) {
    throw new StorageError(
      `The data directory ${dataDir} cannot be used: ${explain(cause)}. Set DATA_DIR to a folder that this user may write.`,
      cause,
    );
  }
}

function explain(cause: unknown): string {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  if (code === "EEXIST" || code === "ENOTDIR") return "a file is in its place";
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") return "this user may not write there";
  return cause instanceof Error ? cause.message : String(cause);
}
