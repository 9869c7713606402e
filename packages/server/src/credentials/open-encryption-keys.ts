import { existsSync } from "node:fs";
import { type Database, StorageError, type Tables } from "@weft/database";
import type { Kysely } from "kysely";
import { isKeyInUse, listCredentialIds } from "./credential.store.ts";
import { type EncryptionKeys, encryptionKeyPath, loadEncryptionKeys } from "./encryption-keys.ts";
import { retireKeys } from "./retired-key.store.ts";

/** The setting that names the key with which credentials are sealed: the id is a hash of it. */
const name = "encryptionKeyId";

const remedy =
  "Restore the file from a backup. If it is lost, npm run rotate-keys -- --lost continues without it; the credentials encrypted with it then have to be entered again.";

/**
 * The keys that seal and open this database's credentials, as `loadEncryptionKeys`. Makes the first one for a database
 * that has no credentials. Rejects with `StorageError` when the keys in the folder are not those of the database.
 */
export async function openEncryptionKeys(database: Database, dataDir: string): Promise<() => EncryptionKeys> {
  const path = encryptionKeyPath(dataDir);
  if (!existsSync(path)) {
    const { length } = await listCredentialIds(database.read);
    if (length > 0) {
      throw new StorageError(`${path} is missing, and the ${length} stored credentials are sealed with it. ${remedy}`);
    }
  }
  const keys = await loadEncryptionKeys(dataDir);
  if (await database.write((tx) => agree(tx, keys()))) return keys;
  throw new StorageError(`${path} does not hold the key with which the stored credentials are sealed. ${remedy}`);
}

/** Makes a key of the folder the one with which credentials are sealed, whatever was before. */
export async function setEncryptionKey(tx: Kysely<Tables>, { currentId: value }: EncryptionKeys): Promise<void> {
  const former = await findKeyId(tx);
  // A process that still has that key may no longer seal anything with it.
  if (former !== undefined && former !== value) await retireKeys(tx, [former]);
  await tx
    .insertInto("settings")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

/** False when the credentials are sealed with other keys than these. */
async function agree(tx: Kysely<Tables>, keys: EncryptionKeys): Promise<boolean> {
  const keyId = await findKeyId(tx);
  if (keyId !== undefined && keys.byId.has(keyId)) return true;
  const isNeeded = (await listCredentialIds(tx)).length > 0;
  // A database from before the setting, in which single credentials may have been unreadable for long.
  const isKnown = keyId === undefined && (await isAnyInUse(tx, keys));
  if (isNeeded && !isKnown) return false;
  await setEncryptionKey(tx, keys);
  return true;
}

async function isAnyInUse(tx: Kysely<Tables>, { byId }: EncryptionKeys): Promise<boolean> {
  for (const id of byId.keys()) if (await isKeyInUse(tx, id)) return true;
  return false;
}

async function findKeyId(tx: Kysely<Tables>): Promise<string | undefined> {
  return (await tx.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst())?.value;
}
