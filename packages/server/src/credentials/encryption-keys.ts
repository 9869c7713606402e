import { createHash } from "node:crypto";
import { join } from "node:path";
import { followFile, readSecretFile, replaceSecretFile, StorageError, secretKeyBytes } from "@weft/database";

/** Keys of 32 bytes by their ids. New secrets are sealed with the current one; the others only open old secrets. */
export type EncryptionKeys = { readonly currentId: string; readonly byId: ReadonlyMap<string, Buffer> };

const fileName = "encryption.key";

/**
 * The keys in `encryption.key` of the data folder: one base64 key a line, the last one is current. Ask for them each
 * time: they are others after a rotation. Rejects with `StorageError` when the file holds anything else.
 */
export async function loadEncryptionKeys(dataDir: string): Promise<() => EncryptionKeys> {
  const { path, text } = await readSecretFile(dataDir, fileName);
  const parse = (content: string) => parseKeys(content, path);
  return followFile({ path, value: parse(text), parse });
}

export function encryptionKeyPath(dataDir: string): string {
  return join(dataDir, fileName);
}

/** Replaces the file. The last key becomes current. */
export function saveEncryptionKeys(dataDir: string, keys: readonly Buffer[]): Promise<void> {
  return replaceSecretFile(encryptionKeyPath(dataDir), keys.map((key) => `${key.toString("base64")}\n`).join(""));
}

function parseKeys(text: string, path: string): EncryptionKeys {
  const keys = text.split("\n").filter((line) => line.trim() !== "");
  const byId = new Map(keys.map((line) => toEntry(line.trim(), path)));
  const currentId = [...byId.keys()].at(-1);
  if (currentId === undefined) throw new StorageError(`${path} holds no key. Restore it from a backup.`);
  return { currentId, byId };
}

function toEntry(line: string, path: string): [string, Buffer] {
  const key = Buffer.from(line, "base64");
  if (key.length !== secretKeyBytes || key.toString("base64") !== line) {
    throw new StorageError(
      `${path} holds a line that is not a base64 key of ${secretKeyBytes} bytes. Restore it from a backup.`,
    );
  }
  return [createHash("sha256").update(key).digest("hex").slice(0, 12), key];
}
