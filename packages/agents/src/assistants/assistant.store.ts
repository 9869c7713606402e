import type { Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import { defineRows } from "@weft/http/rows";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";

export type AssistantRow = {
  id: string;
  credential: string;
  iconSrc: string;
  createdDate: string;
  updatedDate: string;
  /** Id of the version, in `agentVersions`, that new runs use: the flow that the details amount to. */
  versionId: string;
  /** JSON text of an object. */
  details: string;
};

declare module "@weft/database" {
  interface Tables {
    assistants: AssistantRow;
  }
}

type Handle = Kysely<Tables>;

export const rows = defineRows<AssistantRow>("assistants", "assistant");

/** Those within reach, most recently updated first. */
export function reachedAssistants(db: Handle, { agents }: Reach) {
  const all = db.selectFrom("assistants").selectAll().orderBy("updatedDate", "desc").orderBy("id");
  return agents === "all" ? all : all.where("id", "in", [...agents]);
}

export async function hasAssistant(db: Handle, id: string): Promise<boolean> {
  return (await db.selectFrom("assistants").select("id").where("id", "=", id).executeTakeFirst()) !== undefined;
}

/** As `hasAssistant`, as a condition of a statement. */
export function isAssistantThere(id: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table("assistants")} where "id" = ${id})`;
}
