import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** The value of a setting that processes on this database share; undefined if it has none. */
export async function findSetting(db: Kysely<Tables>, name: string): Promise<string | undefined> {
  return (await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst())?.value;
}

export async function saveSetting(tx: Kysely<Tables>, name: string, value: string): Promise<void> {
  await tx
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}
