import type { Tables } from "@weft/database";
import type { JsonObject, RunEventOf, RunInput } from "@weft/schema";
import type { Kysely } from "kysely";

/** The flow's state as a run left it: what its nodes put there, in order. Empty for an unknown run. */
export async function readFlowState(read: Kysely<Tables>, runId: string): Promise<JsonObject> {
  const rows = await read
    .selectFrom("runEvents")
    .select("event")
    .where("runId", "=", runId)
    .where("type", "=", "node-completed")
    .orderBy("seq")
    .execute();
  const patches = rows.map(({ event }) => (JSON.parse(event) as RunEventOf<"node-completed">).state ?? {});
  return Object.assign({}, ...patches) as JsonObject;
}

/** What a run was asked; undefined for an unknown run. */
export async function readRunInput(read: Kysely<Tables>, runId: string): Promise<RunInput | undefined> {
  const row = await read
    .selectFrom("runEvents")
    .select("event")
    .where("runId", "=", runId)
    .where("type", "=", "run-started")
    .executeTakeFirst();
  return row && (JSON.parse(row.event) as RunEventOf<"run-started">).input;
}
