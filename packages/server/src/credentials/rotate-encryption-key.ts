import { randomBytes } from "node:crypto";
import type { Database, Tables } from "@weft/database";
import { lockDirectory } from "@weft/database/directory-lock";
import { type GivenKeys, secretKeyBytes } from "@weft/database/secret-file";
import { ifFound } from "@weft/http";
import type { Kysely } from "kysely";
import { isKeyInUse, listCredentialIds, rows } from "./credential.store.ts";
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
 * Seals every credential with a new key of the folder. Servers that run on the same PostgreSQL and data folder go on meanwhile.
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
  const sealed = await database.read.selectFrom("credentials").select(["id", "encryptedData"]).orderBy("id").execute();
  return sealed
    .filter(({ encryptedData }) => !keys().byId.has(encryptedData.split(".", 1)[0] ?? ""))
    .map(({ id }) => id);
}

async function resealAll(database: Database, secretBox: SecretBox): Promise<Omit<Rotation, "removedKeys">> {
  const unreadable: string[] = [];
  let resealed = 0;
  for (const id of await listCredentialIds(database.read)) {
    const isResealed = await database.write((tx) => reseal(tx, secretBox, id), { isolation: "read-committed" });
    if (isResealed === true) resealed += 1;
    if (isResealed === false) unreadable.push(id);
  }
  return { resealed, unreadable };
}

/** Undefined if the credential was deleted meanwhile. */
async function reseal(tx: Kysely<Tables>, secretBox: SecretBox, id: string): Promise<boolean | undefined> {
  const row = await ifFound(rows.lock(tx, id));
  if (row === undefined) return undefined;
  const opened = secretBox.open(row.encryptedData, id);
  // To clients the credential is the same.
  if (opened.ok) await rows.update(tx, { id, encryptedData: secretBox.seal(opened.plaintext, id) });
  return opened.ok;
}

async function removeUnused(database: Database, dataDir: string): Promise<number> {
  const { byId, currentId } = (await loadEncryptionKeys(dataDir))();
  const used = await findUsed(database, [...byId.keys()]);
  const kept = [...byId].flatMap(([id, key]) => (id === currentId || used.includes(id) ? [key] : []));
  await saveEncryptionKeys(dataDir, kept);
  return byId.size - kept.length;
}
