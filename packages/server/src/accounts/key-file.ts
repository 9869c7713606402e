import { join } from "node:path";
import {
  createSecretKey,
  followFile,
  readSecretFile,
  replaceSecretFile,
  StorageError,
  secretKeyBytes,
} from "@weft/database";

const fileName = "jwt.key";

/**
 * The key that signs tokens: `jwt.key` of the data folder. Ask for it each time: it is another one after a rotation.
 * Rejects with `StorageError` when the file holds no key.
 */
export async function loadTokenKey(dataDir: string): Promise<() => Buffer> {
  const { path, text } = await readSecretFile(dataDir, fileName);
  const parse = (content: string) => parseKey(content, path);
  return followFile({ path, value: parse(text), parse });
}

/** Signs with a new key from now on: every token is void. A running server follows within five seconds. */
export function rotateTokenKey(dataDir: string): Promise<void> {
  return replaceSecretFile(join(dataDir, fileName), `${createSecretKey()}\n`);
}

function parseKey(text: string, path: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  if (key.length === secretKeyBytes) return key;
  throw new StorageError(
    `${path} holds no key of ${secretKeyBytes} bytes. Delete it to make a new one: everybody must log in again.`,
  );
}
