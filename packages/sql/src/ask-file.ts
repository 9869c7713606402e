import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { SqlCall, SqlDatabase, SqlResult } from "@weft/engine/ports/sql-client";
import type { JsonObject } from "@weft/schema";
import { WorkerEnded } from "@weft/workers";
import { SqlFailure } from "./driver.ts";
import { timedOut, toFailure } from "./failure.ts";
import type { FileProcesses } from "./process/database-processes.ts";
import type { DatabaseAnswer, DatabasePart, StatementJob } from "./process/protocol.ts";

type FileCall = SqlCall & { database: Extract<SqlDatabase, { engine: "sqlite" }> };

type FileDeps = { filesDir: string; processes: FileProcesses; leave(): void };

/**
 * Runs a statement in a process of its own: SQLite is synchronous, and only ending the process stops a statement that
 * does not end. The process may open no other file, and only one that answered is reused.
 */
export async function askFile(call: FileCall, { filesDir, processes, leave }: FileDeps): Promise<SqlResult> {
  try {
    const file = await findFile(call.database.file, filesDir);
    call.signal.throwIfAborted();
    return await runInProcess(file, call, processes);
  } finally {
    leave();
  }
}

async function runInProcess(file: string, call: FileCall, processes: FileProcesses): Promise<SqlResult> {
  const startedAt = performance.now();
  const process = processes.take(file);
  let hasAnswered = false;
  const rows: JsonObject[] = [];
  const onPart = (part: DatabasePart) => void ("rows" in part && rows.push(...part.rows));
  try {
    const request = { do: "run-file", file, job: toJob(call) } as const;
    const answer = await process.ask(request, { signal: call.signal, onPart });
    hasAnswered = true;
    return toResult(answer, rows);
  } catch (error) {
    if (!(error instanceof WorkerEnded)) throw error;
    // It ends itself at the time limit, and beyond its memory.
    throw performance.now() - startedAt >= call.timeoutMs ? timedOut(call) : toFailure(error, () => "memory", call);
  } finally {
    await (hasAnswered ? processes.give(file, process) : process.close());
  }
}

export function toJob({ statement, parameters, access, maxRows, maxBytes, timeoutMs }: SqlCall): StatementJob {
  return { statement, parameters, access, maxRows, maxBytes, timeoutMs };
}

/** Throws if the answer is a failure. */
export function toResult(answer: DatabaseAnswer, rows: JsonObject[]): SqlResult {
  if (answer.kind === "ran") return { ...answer.result, rows };
  if (answer.kind === "failed") throw new SqlFailure(answer.reason, { retryable: answer.retryable });
  throw new Error(`A statement was answered with ${answer.kind}.`);
}

/** The file that a name refers to, with links resolved. Rejects with `SqlFailure`. */
async function findFile(file: string, filesDir: string): Promise<string> {
  if (filesDir === "") {
    throw new SqlFailure(
      "SQLite files cannot be used here. The operator names the folder they are in with SQL_FILES_DIR.",
    );
  }
  if (file.trim() === "")
    throw new SqlFailure("No SQLite file is named. Enter its name below the folder of SQL_FILES_DIR.");
  const folder = await realpath(filesDir).catch(() => undefined);
  if (folder === undefined)
    throw new SqlFailure("The folder of SQL_FILES_DIR does not exist. The operator has to make it.");
  const path = file.includes("\0") ? undefined : await realpath(resolve(folder, file.trim())).catch(() => undefined);
  const isInside = path?.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const isFile = isInside && path !== undefined && (await stat(path).catch(() => undefined))?.isFile();
  if (path !== undefined && isFile) return path;
  // The same message whether there is nothing or something outside.
  throw new SqlFailure(`The folder of SQL_FILES_DIR has no file ${file.slice(0, 200)}. Check its name.`);
}
