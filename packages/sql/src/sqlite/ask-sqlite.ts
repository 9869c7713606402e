import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { realpath, stat } from "node:fs/promises";
import { resolve, sep } from "node:path";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { SqlCall } from "@weft/engine/ports/sql-client";
import { parseJson } from "@weft/schema";
import { type Ended, type Sink, SqlFailure } from "../driver.ts";
import { toFailure } from "../failure.ts";
import { readStatement } from "../statement.ts";
import type { QueryJob, QueryReply } from "./query-job.ts";

type SqliteCall = Omit<SqlCall, "database"> & { file: string; filesDir: string };

/**
 * Runs a statement in a process of its own: SQLite works where it is called, and nothing but its end stops a statement
 * that does not come to an end. The process has no environment and may open no other file.
 */
export async function askSqlite(call: SqliteCall, sink: Sink): Promise<Ended> {
  const { parameters, access, maxRows, maxBytes, timeoutMs, signal } = call;
  const { text: statement } = readStatement("sqlite", call.statement, parameters.length);
  const file = await findFile(call);
  signal.throwIfAborted();
  const reply = await ask({ file, statement, parameters, access, maxRows, maxBytes, timeoutMs }, signal);
  if (!reply.ok) throw toFailure(new Error(reply.words), () => reply.advice, call);
  sink.columns(reply.columns);
  reply.rows.every((row) => sink.row(row));
  return reply.changedRows === undefined ? {} : { changedRows: reply.changedRows };
}

/** The file that a name stands for, once links are followed. */
async function findFile({ file, filesDir }: Pick<SqliteCall, "file" | "filesDir">): Promise<string> {
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
  // The same whether there is nothing or something outside.
  throw new SqlFailure(`There is no file ${file.slice(0, 200)} in the folder of SQL_FILES_DIR. Correct its name.`);
}

const program = fileURLToPath(new URL("./query-process.ts", import.meta.url));
const sources = fileURLToPath(new URL("../", import.meta.url));

/** Of its memory beside SQLite's own. */
const maxHeapMb = 256;
/** A reply is JSON of the rows and of one more. */
const maxReplyBytes = 64 * 1024 * 1024;

async function ask(job: QueryJob, signal: AbortSignal): Promise<QueryReply> {
  const child = start(job.file);
  const kill = () => child.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  child.stdin.on("error", () => undefined);
  // It stays open: its end tells the process that this one is gone.
  child.stdin.write(`${JSON.stringify(job)}\n`);
  try {
    const closed = once(child, "close");
    const reply = parseJson(await readReply(child.stdout, kill)) as QueryReply | undefined;
    await closed;
    signal.throwIfAborted();
    return reply ?? { ok: false, advice: "none", words: "the statement needs more memory than it may" };
  } finally {
    signal.removeEventListener("abort", kill);
    kill();
  }
}

function start(file: string): ChildProcessByStdio<Writable, Readable, null> {
  const args = [
    "--permission",
    "--allow-worker",
    `--allow-fs-read=${sources}*`,
    `--allow-fs-read=${file}`,
    `--allow-fs-write=${file}`,
    `--max-old-space-size=${maxHeapMb}`,
    "--no-warnings",
    program,
  ];
  return spawn(process.execPath, args, { env: {}, stdio: ["pipe", "pipe", "ignore"], windowsHide: true });
}

async function readReply(output: Readable, kill: () => void): Promise<string> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of output as AsyncIterable<Buffer>) {
    sizeBytes += chunk.byteLength;
    if (sizeBytes > maxReplyBytes) kill();
    else chunks.push(chunk);
  }
  return sizeBytes > maxReplyBytes ? "" : Buffer.concat(chunks).toString();
}
