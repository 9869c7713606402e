import type { Tables } from "@weft/database";
import { type Agent, type Pins, parseJson } from "@weft/schema";
import { type Kysely, sql } from "kysely";

export type AgentDraftRow = {
  agentId: string;
  flowData: string;
  /** JSON text of the pinned outputs, by node id. */
  pins: string;
  /** Display name of who saved it last. */
  savedBy: string;
  /** The version that test runs of this flow start with; null until there is one. */
  versionId: string | null;
  updatedDate: string;
};

declare module "@weft/database" {
  interface Tables {
    agentDrafts: AgentDraftRow;
  }
}

type Handle = Kysely<Tables>;

export function findDraft(db: Handle, agentId: string): Promise<AgentDraftRow | undefined> {
  return db.selectFrom("agentDrafts").selectAll().where("agentId", "=", agentId).executeTakeFirst();
}

export async function putDraft(tx: Handle, row: AgentDraftRow): Promise<void> {
  const { agentId: _, ...changes } = row;
  await tx
    .insertInto("agentDrafts")
    .values(row)
    .onConflict((conflict) => conflict.column("agentId").doUpdateSet(changes))
    .execute();
}

export async function setDraftVersion(tx: Handle, agentId: string, versionId: string): Promise<void> {
  await tx.updateTable("agentDrafts").set({ versionId }).where("agentId", "=", agentId).execute();
}

export async function deleteDraft(tx: Handle, agentId: string): Promise<void> {
  await tx.deleteFrom("agentDrafts").where("agentId", "=", agentId).execute();
}

/** Deletes the draft of an agent if its flow is the published one. */
export async function deletePublishedDraft(tx: Handle, { id, flowData }: Agent): Promise<void> {
  await tx.deleteFrom("agentDrafts").where("agentId", "=", id).where("flowData", "=", flowData).execute();
}

/** The lowest number of an agent's versions; at most 0. */
export async function lowestVersionNumber(tx: Handle, agentId: string): Promise<number> {
  const row = await tx
    .selectFrom("agentVersions")
    .select("number")
    .where("agentId", "=", agentId)
    .orderBy("number")
    .limit(1)
    .executeTakeFirst();
  return Math.min(0, row?.number ?? 0);
}

/**
 * Deletes those of these versions that only deleted test runs started with. `before`: younger ones may be about to run.
 */
export async function deleteOldDraftVersions(tx: Handle, ids: readonly string[], before: string): Promise<void> {
  await tx
    .deleteFrom("agentVersions")
    .where("id", "in", ids)
    .where("number", "<", 0)
    .where("createdDate", "<", before)
    .where("id", "not in", (eb) =>
      eb
        .selectFrom("runs")
        .select("agentVersionId")
        .where("agentVersionId", "in", ids)
        // A literal, so that the index of these few runs applies.
        .where("chatType", "=", sql.lit("INTERNAL")),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("agentDrafts").select("agentId").whereRef("versionId", "=", "agentVersions.id"))),
    )
    .execute();
}

/** Whether any of these versions is of a draft. Runs of published flows cost no more than this. */
export async function listDraftVersions(tx: Handle, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom("agentVersions")
    .select("id")
    .where("id", "in", ids)
    .where("number", "<", 0)
    .execute();
  return rows.map(({ id }) => id);
}

export function pinsOf({ pins }: AgentDraftRow): Pins {
  return parseJson(pins) as Pins;
}
