import type { Tables } from "@weft/database";
import { type ModelChoice, modelChoiceSchema } from "@weft/schema";
import type { Kysely } from "kysely";

const name = "default-model";

/** The model that someone chose; undefined when nobody has. */
export async function findChosenModel(db: Kysely<Tables>): Promise<ModelChoice | undefined> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row && modelChoiceSchema.parse(JSON.parse(row.value));
}

export async function saveChosenModel(tx: Kysely<Tables>, choice: ModelChoice): Promise<void> {
  const value = JSON.stringify(choice);
  await tx
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

export async function deleteChosenModel(tx: Kysely<Tables>): Promise<void> {
  await tx.deleteFrom("settings").where("name", "=", name).execute();
}
