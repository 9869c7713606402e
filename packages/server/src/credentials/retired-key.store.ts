import type { Database, Tables } from "@weft/database";
import type { Kysely } from "kysely";

type Handle = Kysely<Tables>;

/** The setting that holds the ids of all keys with which nothing may be sealed any more, as a JSON list. */
const name = "retiredEncryptionKeys";

/**
 * The ids of the retired keys. Until the transaction ends, no further key is retired: what it seals with a key that is
 * in use is committed before that key is retired.
 */
export async function shareRetiredKeys(tx: Handle, dialect: Database["dialect"]): Promise<ReadonlySet<string>> {
  const query = tx.selectFrom("settings").select("value").where("name", "=", name);
  const shared = dialect === "postgres" ? query.forShare() : query;
  const row = (await shared.executeTakeFirst()) ?? (await insertEmpty(tx).then(() => shared.executeTakeFirst()));
  return parse(row?.value);
}

/** Waits for the transactions that share the list, so that none of them seals with these keys afterwards. */
export async function retireKeys(tx: Handle, keyIds: readonly string[]): Promise<void> {
  await insertEmpty(tx);
  const row = await tx.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  const value = JSON.stringify([...new Set([...parse(row?.value), ...keyIds])]);
  await tx.updateTable("settings").set({ value }).where("name", "=", name).execute();
}

/** What is to be locked must exist. */
async function insertEmpty(tx: Handle): Promise<void> {
  await tx
    .insertInto("settings")
    .values({ name, value: "[]" })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

function parse(value: string | undefined): Set<string> {
  return new Set(JSON.parse(value ?? "[]") as string[]);
}
