import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Database, findSetting, StorageError, saveSetting, type Tables } from "@weft/database";
import {
  followFile,
  type GivenKeys,
  parseSecretKeys,
  readSecretFile,
  replaceSecretFile,
  secretKeyBytes,
} from "@weft/database/secret-file";
import { parseTextList } from "@weft/schema";
import type { Kysely } from "kysely";
import { isKeyInUse, listSealed } from "./credential.store.ts";

/** Keys of 32 bytes by their ids. New secrets are sealed with the current one; the others only open old secrets. */
export type EncryptionKeys = {
  readonly currentId: string;
  readonly byId: ReadonlyMap<string, Buffer>;
  /** They are those of `ENCRYPTION_KEY`. Default: those of the file. */
  readonly isGiven?: boolean;
};

const fileName = "encryption.key";

/**
 * The given keys, else those in `encryption.key` of the data folder: one base64 key a line, the last one is current.
 * Call the result each time: the keys change with a rotation. Rejects with `StorageError` if the file holds anything
 * else.
 */
export async function loadEncryptionKeys(dataDir: string, given?: GivenKeys): Promise<() => EncryptionKeys> {
  if (given?.isEmpty === false) {
    const keys = toGivenKeys(given);
    return () => keys;
  }
  const { path, text } = await readSecretFile(dataDir, fileName);
  const parse = (content: string) => parseKeys(content, path);
  return followFile({ path, value: parse(text), parse });
}

function encryptionKeyPath(dataDir: string): string {
  return join(dataDir, fileName);
}

/** Replaces the file. The last key becomes current. */
export function saveEncryptionKeys(dataDir: string, keys: readonly Buffer[]): Promise<void> {
  return replaceSecretFile(encryptionKeyPath(dataDir), keys.map((key) => `${key.toString("base64")}\n`).join(""));
}

function toGivenKeys(given: GivenKeys): EncryptionKeys {
  const keys = parseSecretKeys(given.reveal());
  if (keys === undefined) throw new StorageError(`ENCRYPTION_KEY holds no base64 key of ${secretKeyBytes} bytes.`);
  return { ...toKeys(keys), isGiven: true };
}

function parseKeys(text: string, path: string): EncryptionKeys {
  if (text.trim() === "") throw new StorageError(`${path} holds no key. Restore it from a backup.`);
  const keys = parseSecretKeys(text);
  if (keys !== undefined) return toKeys(keys);
  throw new StorageError(
    `${path} holds a line that is not a base64 key of ${secretKeyBytes} bytes. Restore it from a backup.`,
  );
}

function toKeys(keys: readonly Buffer[]): EncryptionKeys {
  const byId = new Map(keys.map((key) => [createHash("sha256").update(key).digest("hex").slice(0, 12), key]));
  return { currentId: [...byId.keys()].at(-1) ?? "", byId };
}

/** The setting that names the key with which credentials are sealed: the id is a hash of it. */
const name = "encryptionKeyId";

const lost =
  "If it is lost, npm run rotate-keys -- --lost continues without it; the credentials encrypted with it then have to be entered again.";
const remedies = {
  file: `Restore the file from a backup. ${lost}`,
  sharedFile: `Copy the file from the data folder of another process, or restore it from a backup. ${lost}`,
  given: `Set it to the value that the other processes have, or add that key to it in front of the others. ${lost}`,
};

export type KeyPlace = {
  dataDir: string;
  given?: GivenKeys;
  /** Other processes need the same keys: another key is then rejected even if no credential is stored. */
  isShared?: boolean;
};

/**
 * The keys that seal and open this database's credentials, as `loadEncryptionKeys`. Creates the first one for a
 * database without credentials. Rejects with `StorageError` if the keys are not those of the database.
 */
export async function openEncryptionKeys(database: Database, place: KeyPlace): Promise<() => EncryptionKeys> {
  const { dataDir, given, isShared = false } = place;
  const path = encryptionKeyPath(dataDir);
  const isGiven = given?.isEmpty === false;
  const remedy = remedies[isGiven ? "given" : isShared ? "sharedFile" : "file"];
  if (!isGiven && !existsSync(path)) {
    const { length } = await listSealed(database.read);
    if (length > 0) {
      throw new StorageError(`${path} is missing, and the ${length} stored credentials are sealed with it. ${remedy}`);
    }
  }
  const keys = await loadEncryptionKeys(dataDir, given);
  if (await database.write((tx) => agree(tx, keys(), isShared))) return keys;
  const name = isGiven ? "ENCRYPTION_KEY" : path;
  throw new StorageError(`${name} does not hold the key with which the stored credentials are sealed. ${remedy}`);
}

/** Makes a key of the folder the one that seals credentials, whatever was before. */
export async function setEncryptionKey(tx: Kysely<Tables>, { currentId: value }: EncryptionKeys): Promise<void> {
  const former = await findKeyId(tx);
  // A process that still has that key may no longer seal anything with it.
  if (former !== undefined && former !== value) await retireKeys(tx, [former]);
  await saveSetting(tx, name, value);
}

/** False if the credentials are sealed with other keys, or other processes use other keys. */
async function agree(tx: Kysely<Tables>, keys: EncryptionKeys, isShared: boolean): Promise<boolean> {
  const keyId = await findKeyId(tx);
  if (keyId !== undefined && keys.byId.has(keyId)) return true;
  if (keyId !== undefined && isShared) return false;
  const isNeeded = (await listSealed(tx)).length > 0;
  // A database that predates the setting, in which single credentials may long have been unreadable.
  const isKnown = keyId === undefined && (await isAnyInUse(tx, keys));
  if (isNeeded && !isKnown) return false;
  await setEncryptionKey(tx, keys);
  return true;
}

async function isAnyInUse(tx: Kysely<Tables>, { byId }: EncryptionKeys): Promise<boolean> {
  for (const id of byId.keys()) if (await isKeyInUse(tx, id)) return true;
  return false;
}

/** The id of the key with which credentials are sealed; undefined before the first start. */
export function findKeyId(tx: Kysely<Tables>): Promise<string | undefined> {
  return findSetting(tx, name);
}

/** The setting with the ids of all keys that must not seal anything any more, as a JSON list. */
const retiredName = "retiredEncryptionKeys";

/**
 * The ids of the retired keys. No further key is retired until the transaction ends: whatever it seals with a key in
 * use is committed before that key is retired.
 */
export async function shareRetiredKeys(tx: Kysely<Tables>, dialect: Database["dialect"]): Promise<ReadonlySet<string>> {
  const query = tx.selectFrom("settings").select("value").where("name", "=", retiredName);
  const shared = dialect === "postgres" ? query.forShare() : query;
  const row = (await shared.executeTakeFirst()) ?? (await insertNoneRetired(tx).then(() => shared.executeTakeFirst()));
  return parseRetired(row?.value);
}

/** Waits for the transactions that share the list, so that none of them seals with these keys afterwards. */
export async function retireKeys(tx: Kysely<Tables>, keyIds: readonly string[]): Promise<void> {
  await insertNoneRetired(tx);
  const retired = parseRetired(await findSetting(tx, retiredName));
  const value = JSON.stringify([...new Set([...retired, ...keyIds])]);
  await tx.updateTable("settings").set({ value }).where("name", "=", retiredName).execute();
}

/** A row must exist to be locked. */
async function insertNoneRetired(tx: Kysely<Tables>): Promise<void> {
  await tx
    .insertInto("settings")
    .values({ name: retiredName, value: "[]" })
    .onConflict((conflict) => conflict.column("name").doNothing())
    .execute();
}

function parseRetired(value: string | undefined): Set<string> {
  return new Set(parseTextList(value ?? "[]"));
}
