import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** How long ago a run began. */
export type Moved = { runId: string; agoMs: number };

const columns = {
  runs: ["createdDate", "updatedDate", "stoppedDate"],
  chatMessages: ["createdDate"],
} as const;

/** Moves runs into the past, with their events and messages, in the database of a server that runs. */
export function spreadRuns(dataDir: string, moved: readonly Moved[]): void {
  const database = new DatabaseSync(join(dataDir, "weft.db"), { timeout: 5_000 });
  const shift = (table: keyof typeof columns, key: string, { runId, agoMs }: Moved) => {
    for (const column of columns[table]) {
      // As the server writes moments: with milliseconds, in UTC.
      const earlier = `strftime('%Y-%m-%dT%H:%M:%fZ', "${column}", ?)`;
      database
        .prepare(`update "${table}" set "${column}" = ${earlier} where "${key}" = ?`)
        .run(`-${Math.round(agoMs / 1_000)} seconds`, runId);
    }
  };
  try {
    database.exec("begin immediate");
    for (const move of moved) {
      shift("runs", "id", move);
      shift("chatMessages", "executionId", move);
      database.prepare(`update "runEvents" set "at" = "at" - ? where "runId" = ?`).run(move.agoMs, move.runId);
    }
    database.exec("commit");
  } finally {
    database.close();
  }
}
