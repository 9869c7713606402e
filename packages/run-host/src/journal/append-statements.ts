import type { Tables } from "@weft/database";
import type { RunEvent } from "@weft/schema";
import { CompiledQuery, type Kysely } from "kysely";
import type { RunEventRow, RunRow } from "../run-tables.ts";

/** What an append moves on in the run's row while the run goes on. */
export type RunStep = Pick<RunRow, "id" | "leaseEpoch" | "lastSeq" | "updatedDate"> & { lastSeqBefore: number };

/** The statements of every step of every run, compiled once: building them anew costs as much as running them. */
export type AppendStatements = {
  /** Changes one row, or none when the lease or the sequence is another. */
  advance(step: RunStep): CompiledQuery;
  /** At most `maxEvents` events. */
  insertEvents(runId: string, events: readonly RunEvent[]): CompiledQuery;
};

/** Bounds the number of different statements, and the parameters of one. */
export const maxEvents = 64;

export function createAppendStatements(read: Kysely<Tables>): AppendStatements {
  const advanceText = compileAdvance(read);
  const insertTexts = new Map<number, string>();

  function insertText(count: number): string {
    const text = insertTexts.get(count) ?? compileInsert(read, count);
    insertTexts.set(count, text);
    return text;
  }

  return {
    advance: ({ lastSeq, updatedDate, id, leaseEpoch, lastSeqBefore }) =>
      CompiledQuery.raw(advanceText, [lastSeq, updatedDate, "running", id, leaseEpoch, lastSeqBefore]),
    insertEvents(runId, events) {
      const parameters: unknown[] = [];
      for (const event of events) parameters.push(runId, event.seq, event.at, event.type, JSON.stringify(event));
      return CompiledQuery.raw(insertText(events.length), parameters);
    },
  };
}

function compileAdvance(read: Kysely<Tables>): string {
  return read
    .updateTable("runs")
    .set({ lastSeq: 0, updatedDate: "", status: "" })
    .where("id", "=", "")
    .where("leaseEpoch", "=", 0)
    .where("lastSeq", "=", 0)
    .where("leaseOwner", "is not", null)
    .compile().sql;
}

function compileInsert(read: Kysely<Tables>, count: number): string {
  const row: RunEventRow = { runId: "", seq: 0, at: 0, type: "", event: "" };
  return read
    .insertInto("runEvents")
    .values(Array.from({ length: count }, () => row))
    .compile().sql;
}
