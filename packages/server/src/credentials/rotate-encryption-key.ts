import { randomBytes } from "node:crypto";
import type { Database } from "@weft/database";
import { lockDirectory } from "@weft/database/directory-lock";
import { type GivenKeys, secretKeyBytes } from "@weft/database/secret-file";
import { isKeyInUse, listSealed, replaceSealed, type SealedText } from "./credential.store.ts";
import {
  findKeyId,
  loadEncryptionKeys,
  openEncryptionKeys,
  retireKeys,
  saveEncryptionKeys,
  setEncryptionKey,
} from "./encryption-keys.ts";
import { createSecretBox, type SecretBox } from "./secret-box.ts";

export type Rotation = {
  /** Credentials now sealed with the new key. */
  resealed: number;
  /** Ids of the credentials that no key opens. They stay as they are. */
  unreadable: string[];
  /** Keys removed because nothing needs them. */
  removedKeys: number;
};

/**
 * Seals every credential, and what else is sealed, with a new key of the folder. Servers that run on the same PostgreSQL and data folder go on meanwhile.
 * Broken off at any point nothing is lost, and the next rotation does the rest. Invariants:
 * R1 a key is durable in the file before anything is sealed with it;
 * R2 from the moment at which the earlier keys are retired in the database, nobody seals with them;
 * R3 a key leaves the file when it is retired and no credential is sealed with it, not earlier.
 * Rejects with `StorageError` when another rotation runs in this folder.
 */
export async function rotateEncryptionKey(database: Database, dataDir: string): Promise<Rotation> {
  // A process with SQLite already has the folder to itself.
  const lock = database.dialect === "postgres" ? lockDirectory(dataDir) : undefined;
  try {
    const earlier = (await openEncryptionKeys(database, { dataDir }))().byId;
    await saveEncryptionKeys(dataDir, [...earlier.values(), randomBytes(secretKeyBytes)]);
    const keys = (await loadEncryptionKeys(dataDir))();
    await database.write(async (tx) => {
      await retireKeys(tx, [...earlier.keys()]);
      await setEncryptionKey(tx, keys);
    });
    const resealed = await resealAll(database, createSecretBox(await loadEncryptionKeys(dataDir)));
    return { ...resealed, removedKeys: await removeUnused(database, dataDir) };
  } finally {
    lock?.release();
  }
}

/**
 * Seals every credential with the last of the given keys, and retires the others, as R2 says. It may be interrupted,
 * and run again. `removedKeys`: those that the operator may omit from now on. Rejects with a sentence if everything is
 * already sealed with the last key.
 */
export async function rotateToGiven(database: Database, dataDir: string, given: GivenKeys): Promise<Rotation> {
  const keys = (await openEncryptionKeys(database, { dataDir, given, isShared: true }))();
  const earlier = [...keys.byId.keys()].filter((id) => id !== keys.currentId);
  const inUse = await findUsed(database, earlier);
  if (inUse.length === 0 && (await findKeyId(database.read)) === keys.currentId) {
    throw new Error(
      "Everything is sealed with the last key of ENCRYPTION_KEY already. To rotate, append a new one (openssl rand -base64 32) after a comma, and run this again.",
    );
  }
  await database.write(async (tx) => {
    await retireKeys(tx, earlier);
    await setEncryptionKey(tx, keys);
  });
  const resealed = await resealAll(
    database,
    createSecretBox(() => keys),
  );
  return { ...resealed, removedKeys: earlier.length - (await findUsed(database, earlier)).length };
}

/** Those with which credentials are sealed. */
async function findUsed({ read }: Database, keyIds: readonly string[]): Promise<string[]> {
  const used: string[] = [];
  for (const id of keyIds) if (await isKeyInUse(read, id)) used.push(id);
  return used;
}

/**
 * Continues without a lost key: the given key, the folder's, or a new one seals from now on. Resolves with the ids of
 * the credentials that it does not open; they stay, for their values to be entered again.
 */
export async function replaceLostKey(database: Database, dataDir: string, given?: GivenKeys): Promise<string[]> {
  const keys = await loadEncryptionKeys(dataDir, given);
  await database.write((tx) => setEncryptionKey(tx, keys()));
  const all = await listSealed(database.read);
  return all.filter(({ sealed }) => !keys().byId.has(sealed.split(".", 1)[0] ?? "")).map(({ id }) => id);
}

async function resealAll(database: Database, secretBox: SecretBox): Promise<Omit<Rotation, "removedKeys">> {
  const unreadable: string[] = [];
  let resealed = 0;
  for (const found of await listSealed(database.read)) {
    const isResealed = await reseal(database, secretBox, found);
    if (isResealed === true) resealed += 1;
    if (isResealed === false) unreadable.push(found.id);
  }
  return { resealed, unreadable };
}

/** Undefined if it was deleted meanwhile, or sealed again: then with the new key, by R2. */
async function reseal(database: Database, secretBox: SecretBox, found: SealedText): Promise<boolean | undefined> {
  const opened = secretBox.open(found.sealed, found.id);
  if (!opened.ok) return false;
  const next = secretBox.seal(opened.plaintext, found.id);
  const isReplaced = await database.write((tx) => replaceSealed(tx, found, next), { isolation: "read-committed" });
  return isReplaced || undefined;
}

async function removeUnused(database: Database, dataDir: string): Promise<number> {
  const { byId, currentId } = (await loadEncryptionKeys(dataDir))();
  const used = await findUsed(database, [...byId.keys()]);
  const kept = [...byId].flatMap(([id, key]) => (id === currentId || used.includes(id) ? [key] : []));
  await saveEncryptionKeys(dataDir, kept);
  return byId.size - kept.length;
}
