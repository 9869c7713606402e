import { readSecretFile, secretKeyBytes } from "../storage/secret-file.ts";
import { StorageError } from "../storage/storage-error.ts";

/** The key that signs tokens: `jwt.key` of the data folder. Rejects with `StorageError` when the file holds no key. */
export async function loadTokenKey(dataDir: string): Promise<Buffer> {
  const { path, text } = await readSecretFile(dataDir, "jwt.key");
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === secretKeyBytes) return key;
  throw new StorageError(
    `${path} holds no key of ${secretKeyBytes} bytes. Delete it to make a new one: everybody must log in again.`,
  );
}
