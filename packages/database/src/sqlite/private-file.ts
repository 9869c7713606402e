import { chmodSync, closeSync, openSync } from "node:fs";

/** Files that SQLite keeps beside a database; it creates them with the permissions of the database's own file. */
const companions = ["", "-wal", "-shm", "-journal"];

/**
 * Ensures that the file of an SQLite database, and those beside it, can be read only by their owner, whatever the
 * folder and the umask allow; creates it if missing. An existing file is never opened: closing it would release the
 * locks that this process holds on it.
 */
export function keepPrivate(path: string): void {
  try {
    closeSync(openSync(path, "wx", 0o600));
  } catch (cause) {
    if (codeOf(cause) !== "EEXIST") throw cause;
  }
  for (const companion of companions) {
    try {
      chmodSync(`${path}${companion}`, 0o600);
    } catch (cause) {
      // Another user's file cannot be changed; the folder's check reports what is open to others.
      if (!["ENOENT", "EPERM", "EROFS"].includes(codeOf(cause) ?? "")) throw cause;
    }
  }
}

function codeOf(cause: unknown): string | undefined {
  return cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
}
