import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import type { Kysely } from "kysely";

export type ToolRow = {
  id: string;
  name: string;
  description: string;
  color: string;
  createdDate: string;
  updatedDate: string;
  iconSrc: string | null;
  /** JSON text, in any form that clients send. */
  schema: string | null;
  func: string | null;
};

declare module "@weft/database" {
  interface Tables {
    tools: ToolRow;
  }
}

export const rows = defineRows<ToolRow>("tools", "tool");

/** Most recently updated first. */
export function allTools(db: Kysely<Tables>) {
  return db.selectFrom("tools").selectAll().orderBy("updatedDate", "desc").orderBy("id");
}
