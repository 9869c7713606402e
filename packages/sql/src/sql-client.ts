import type { EgressClient } from "@weft/egress";
import type { SqlCall, SqlClient, SqlOutcome, SqlResult } from "@weft/engine/ports/sql-client";
import { noShare } from "@weft/schema";
import { createPlaces } from "@weft/workers";
import { askFile } from "./ask-file.ts";
import { askServer } from "./ask-server.ts";
import { describeQueries, toTables } from "./describe.ts";
import { SqlFailure, tooMuch } from "./driver.ts";
import { effectOfStatement } from "./effect-of-statement.ts";
import { timedOut } from "./failure.ts";
import {
  createDatabaseProcesses,
  createFileProcesses,
  type DatabaseSeat,
  tooMany,
} from "./process/database-processes.ts";
import { checkStatement, numberQuestionMarks } from "./statement.ts";

export type SqlClientDeps = {
  /** Opens connections to permitted addresses. */
  connect: EgressClient["connect"];
  /** The secret behind a placeholder. Throws if it must not be sent to this `host:port`. */
  reveal: EgressClient["reveal"];
  /** The folder below which SQLite files may be opened; empty: none. */
  filesDir: string;
  /** Concurrent statements, of which no share gets more than its part; further ones fail. Default 32. */
  maxStatements?: number;
  /** For connecting, and for the database to end a statement by itself. Default 5,000. */
  graceMs?: number;
};

/** Of those, this many have a process at a time; the others wait. */
const processLimits = { size: 12, idleMs: 15_000 };
const fileProcessLimits = { idleMs: 1_000 };

const schemaLimits = { maxRows: 20_000, maxBytes: 4 * 1024 * 1024 };

/**
 * Runs each statement on a connection of its own, so that no leftover state reaches the next one. Data from the
 * databases is parsed in other processes: whatever it is, only that call is lost. Closed by the caller.
 */
export function createSqlClient(deps: SqlClientDeps): SqlClient & { close(): Promise<void> } {
  const { maxStatements = 32, graceMs = 5_000 } = deps;
  const places = createPlaces({ total: maxStatements });
  const processes = createDatabaseProcesses(processLimits);
  const fileProcesses = createFileProcesses(fileProcessLimits);

  async function run(call: SqlCall): Promise<SqlOutcome<SqlResult>> {
    const { share = noShare } = call;
    if (!places.take(share)) {
      return { ok: false, reason: tooMany().message, retryable: true };
    }
    try {
      const { placeholders = "numbers", database } = call;
      const numbered = placeholders === "numbers" ? call : { ...call, ...numberQuestionMarks(database.engine, call) };
      // A statement rejected by its text alone costs no process and no login.
      checkStatement(database.engine, numbered);
      return { ok: true, value: await ask(numbered) };
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof SqlFailure)) throw error;
      return { ok: false, reason: error.message, retryable: error.retryable };
    } finally {
      places.give(share);
    }
  }

  async function ask(call: SqlCall): Promise<SqlResult> {
    const seat = await takeSeat(call);
    const limit = AbortSignal.timeout(call.timeoutMs + graceMs);
    try {
      const { database } = call;
      const signal = AbortSignal.any([call.signal, limit]);
      const result =
        database.engine === "sqlite"
          ? await askFile({ ...call, database, signal }, { ...deps, processes: fileProcesses, leave: seat.leave })
          : await askServer({ ...call, database, signal }, { ...deps, seat });
      // Not even the first row was kept. The returned rows of a write say nothing about its effect.
      if (call.access === "read" && result.truncated && result.rows.length === 0) throw tooMuch(call.maxBytes);
      return result;
    } catch (error) {
      throw limit.aborted && !call.signal.aborted ? timedOut(call) : error;
    }
  }

  async function takeSeat({ share, signal, timeoutMs }: SqlCall): Promise<DatabaseSeat> {
    const limit = AbortSignal.timeout(timeoutMs);
    return processes.take({ share, signal: AbortSignal.any([signal, limit]) }).catch((error: unknown) => {
      throw limit.aborted && !signal.aborted ? tooMany() : error;
    });
  }

  return {
    run,
    async describe(of) {
      const statement = describeQueries[of.database.engine];
      const call = { ...of, ...schemaLimits, statement, parameters: [], access: "read" } as const;
      const outcome = await run(call);
      return outcome.ok ? { ok: true, value: toTables(outcome.value.rows) } : outcome;
    },
    effectOf: effectOfStatement,
    async close() {
      await Promise.all([processes.close(), fileProcesses.close()]);
    },
  };
}
