import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";

/** Hosts that a credential is bound to. Null marks credentials whose hosts are still to be read from flows. */
export async function addCredentialHosts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("credentials").addColumn("hosts", types.text).execute();
}
