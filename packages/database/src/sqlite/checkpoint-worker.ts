import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";

/** How to copy the write-ahead log into the database: what is there, or all of it, after which the log is empty. */
export type CheckpointMode = "passive" | "truncate";

/** How long `truncate` waits for readers such as a backup, blocking all writers. */
const readersMs = 100;

/** With a connection of its own to the file at `workerData.path`. Answers each request when it is done. */
const database = new DatabaseSync(workerData.path, { timeout: readersMs });
database.exec("pragma synchronous = normal; pragma wal_autocheckpoint = 0; pragma cache_size = -256");

parentPort?.on("message", (mode: CheckpointMode | "close") => {
  if (mode === "close") {
    database.close();
    parentPort?.close();
    return;
  }
  database.exec(`pragma wal_checkpoint(${mode})`);
  parentPort?.postMessage(mode);
});
