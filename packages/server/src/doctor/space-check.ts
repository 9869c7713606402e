import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import { readSpace } from "@weft/database";
import type { Check } from "./check.ts";

const mib = 1_024 ** 2;
const leastFree = 512 * mib;

/** Whether the disk of the data folder has room to work and for a copy of the database. */
export const spaceCheck: Check = {
  name: "space",
  async run({ config: { dataDir }, dialect }) {
    const { bavail, bsize } = await statfs(dataDir);
    const path = join(dataDir, "weft.db");
    const databaseBytes = dialect === "sqlite" ? (await stat(path)).size : 0;
    const messages = [toSpaceNotice({ dataDir, freeBytes: bavail * bsize, databaseBytes })];
    if (dialect === "sqlite") messages.push(toCompactNotice(readSpace(path)));
    return messages.filter((message) => message !== undefined).map((message) => ({ message }));
  },
};

export type DiskSpace = { dataDir: string; freeBytes: number; databaseBytes: number };

export function toSpaceNotice({ dataDir, freeBytes, databaseBytes }: DiskSpace): string | undefined {
  if (freeBytes >= Math.max(leastFree, databaseBytes)) return undefined;
  const size = databaseBytes > 0 ? `, and the database has ${inMib(databaseBytes)}` : "";
  return `The disk of ${dataDir} has ${inMib(freeBytes)} free${size}. When it is full, the server accepts nothing more. Free some space, move DATA_DIR, or set EXECUTION_RETENTION.`;
}

/** Files that were made before space was given back keep what deleted rows took. */
export function toCompactNotice({ fileBytes, freeBytes, givesBack }: ReturnType<typeof readSpace>): string | undefined {
  if (givesBack || freeBytes < 64 * mib || freeBytes < fileBytes / 4) return undefined;
  return `${inMib(freeBytes)} of the ${inMib(fileBytes)} of weft.db are free, but stay in the file for new rows. To return them to the file system, stop the server and run npm run -s doctor -- --fix.`;
}

function inMib(bytes: number): string {
  return `${Math.round(bytes / mib)} MB`;
}
