import type { Tables } from "@weft/database";
import { type JsonObject, type RunInput, toJsonObject } from "@weft/schema";
import type { Kysely } from "kysely";
import { eventColumns, fromEventRow } from "./event-row.ts";

/**
 * The flow's state as a run left it: its nodes' updates, in order; for an imported run, the state that came with it.
 */
export async function readFlowState(read: Kysely<Tables>, runId: string): Promise<JsonObject> {
  const rows = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "=", runId)
    .where("type", "=", "node-completed")
    .orderBy("seq")
    .execute();
  if (rows.length === 0) return readImportedState(read, runId);
  const patches = rows.map(fromEventRow).map((event) => (event.type === "node-completed" && event.state) || {});
  return Object.assign({}, ...patches);
}

async function readImportedState(read: Kysely<Tables>, runId: string): Promise<JsonObject> {
  const row = await read.selectFrom("importedRuns").select("flowState").where("runId", "=", runId).executeTakeFirst();
  return row === undefined ? {} : toJsonObject(JSON.parse(row.flowState));
}

/** A run's input; undefined for an unknown run. */
export async function readRunInput(read: Kysely<Tables>, runId: string): Promise<RunInput | undefined> {
  const row = await read
    .selectFrom("runEvents")
    .select(eventColumns)
    .where("runId", "=", runId)
    .where("type", "=", "run-started")
    .executeTakeFirst();
  const event = row && fromEventRow(row);
  return event?.type === "run-started" ? event.input : undefined;
}
