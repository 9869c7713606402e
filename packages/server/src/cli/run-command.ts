import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Database, openDatabase } from "@weft/database";
import type { Config } from "../config.ts";

/** The environment of a command: its variables, its streams and its exit status. `process` is one. */
export type Shell = {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: Output;
  readonly stderr: Output & { readonly isTTY?: boolean };
  exitCode?: number | string | null | undefined;
};

type Output = { write(text: string): unknown };

/** Runs a command of the shell. A failure is one sentence on standard error and an exit status, by default 1. */
export async function runCommand(shell: Shell, command: () => Promise<void>, failedStatus = 1): Promise<void> {
  try {
    await command();
  } catch (error) {
    shell.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    shell.exitCode = failedStatus;
  }
}

/** Throws a sentence for the operator if the data folder lacks a file that a server creates at its first start. */
export function assertInDataDir(dataDir: string, fileName: string): void {
  if (existsSync(join(dataDir, fileName))) return;
  throw new Error(`There is no ${fileName} in ${dataDir}. Set DATA_DIR to the data folder of the server.`);
}

/** Runs `work` on the database of a server that was started before, and closes it. Never creates a new one. */
export async function withDatabase<T>(config: Config, work: (database: Database) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir } = config;
  if (databaseUrl.isEmpty) assertInDataDir(dataDir, "weft.db");
  const database = await openDatabase({ databaseUrl: databaseUrl.reveal(), dataDir });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}
