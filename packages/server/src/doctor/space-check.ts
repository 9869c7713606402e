import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseReader } from "@weft/database";
import { readSpace } from "@weft/database/compact-sqlite-database";
import type { Config } from "../config.ts";

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

/** Files created before space reclaiming keep the space of deleted rows. */
export function toCompactNotice({ fileBytes, freeBytes, givesBack }: ReturnType<typeof readSpace>): string | undefined {
  if (givesBack || freeBytes < 64 * mib || freeBytes < fileBytes / 4) return undefined;
  return `${inMib(freeBytes)} of the ${inMib(fileBytes)} of weft.db are free, but stay in the file for new rows. To return them to the file system, stop the server and run npm run -s doctor -- --fix.`;
}

function inMib(bytes: number): string {
  return `${Math.round(bytes / mib)} MB`;
}

/** One thing that the operator should know or do, in whole sentences: the finding, why it matters, and what to do. */
export type Notice = {
  message: string;
  /** Its subject, for programs. `type` is, for example, `api-key` or `agent`. */
  resource?: { type: string; id: string; name: string };
};

/** Data that checks read. Nothing is written: a server may run on the same data meanwhile. */
export type CheckDeps = DatabaseReader & {
  config: Config;
  /** Milliseconds since the epoch. */
  now(): number;
};

/** Checks one side of an installation. Resolves with an empty list if all is well. */
export type Check = {
  /** Such as `api-keys`; unique. */
  name: string;
  run(deps: CheckDeps): Promise<Notice[]>;
};

const testedMajor = 24;

/** Whether Weft is tested with this version of Node. */
export const nodeCheck: Check = {
  name: "node",
  async run() {
    const message = toNodeNotice(process.versions.node);
    return message === undefined ? [] : [{ message }];
  },
};

export function toNodeNotice(found: string): string | undefined {
  if (Number(found.split(".")[0]) === testedMajor) return undefined;
  return `This is Node ${found}; Weft is tested with Node ${testedMajor}. npm start uses its own where it can; otherwise install Node ${testedMajor}.`;
}
