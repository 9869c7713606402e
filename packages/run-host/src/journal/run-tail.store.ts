import type { Tables } from "@weft/database";
import type { RunEvent } from "@weft/schema";
import type { Kysely } from "kysely";
import type { VisibleRun } from "../run-tables.ts";
import { eventColumns, fromEventRow } from "./event-row.ts";

export type RunTailStore = {
  find(runId: string): Promise<VisibleRun | undefined>;
  /** Events of a run after `seq`, in order. */
  eventsAfter(runId: string, seq: number): Promise<RunEvent[]>;
  /** The last sequence number of each of these runs that exists. */
  lastSeqs(runIds: readonly string[]): Promise<Map<string, number>>;
  isAnyHeld(runIds: readonly string[]): Promise<boolean>;
};

export function createRunTailStore(read: Kysely<Tables>): RunTailStore {
  return {
    find: (runId) =>
      read.selectFrom("runs").select(["agentId", "chatType", "owner"]).where("id", "=", runId).executeTakeFirst(),
    async eventsAfter(runId, seq) {
      const rows = await read
        .selectFrom("runEvents")
        .select(eventColumns)
        .where("runId", "=", runId)
        .where("seq", ">", seq)
        .orderBy("seq")
        .execute();
      return rows.map(fromEventRow);
    },
    async lastSeqs(runIds) {
      const rows = await read.selectFrom("runs").select(["id", "lastSeq"]).where("id", "in", runIds).execute();
      return new Map(rows.map(({ id, lastSeq }) => [id, lastSeq]));
    },
    async isAnyHeld(runIds) {
      const held = read.selectFrom("runs").select("id").where("id", "in", runIds).where("status", "=", "running");
      return (await held.where("leaseOwner", "is not", null).limit(1).execute()).length > 0;
    },
  };
}
