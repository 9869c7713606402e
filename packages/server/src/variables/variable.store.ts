import type { Tables } from "@weft/database";
import { defineRows } from "@weft/http/rows";
import type { Kysely } from "kysely";

export type VariableRow = {
  id: string;
  name: string;
  /** `string`, `number`, `boolean`, `json` or `runtime`. */
  type: string;
  createdDate: string;
  updatedDate: string;
  value: string | null;
};

declare module "@weft/database" {
  interface Tables {
    variables: VariableRow;
  }
}

export const rows = defineRows<VariableRow>("variables", "variable");

/** Most recently updated first; of those of one moment the one that was created last. */
export function allVariables(db: Kysely<Tables>) {
  return db.selectFrom("variables").selectAll().orderBy("updatedDate", "desc").orderBy("id", "desc");
}
