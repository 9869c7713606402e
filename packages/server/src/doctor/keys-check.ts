import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { loadTokenKey } from "../accounts/key-file.ts";
import { loadEncryptionKeys } from "../credentials/encryption-keys.ts";
import { createSecretBox } from "../credentials/secret-box.ts";
import type { Check, CheckDeps, Notice } from "./check.ts";

/** Whether the key files are there and hold keys, and whether these open every credential. */
export const keysCheck: Check = {
  name: "keys",
  async run(deps) {
    const { dataDir } = deps.config;
    const ofTokens = await problemOf(dataDir, "jwt.key", loadTokenKey);
    const ofCredentials = await problemOf(dataDir, "encryption.key", loadEncryptionKeys);
    const messages = [ofTokens, ofCredentials].filter((message) => message !== undefined);
    if (ofCredentials !== undefined) return messages.map((message) => ({ message }));
    return [...messages.map((message) => ({ message })), ...(await sealedForGood(deps))];
  },
};

const lossOf = {
  "jwt.key": "the next start makes a new one, and everybody has to log in again",
  "encryption.key": "if credentials are stored, the server does not start without it",
};

/** Reads the file only where it is: reading a missing one makes it. */
async function problemOf(
  dataDir: string,
  name: keyof typeof lossOf,
  load: (dataDir: string) => Promise<unknown>,
): Promise<string | undefined> {
  try {
    await access(join(dataDir, name), constants.R_OK);
    await load(dataDir);
    return undefined;
  } catch (cause) {
    const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
    if (code === "ENOENT") {
      return `${dataDir} has no ${name}: ${lossOf[name]}. Put the file from the last backup there before the next start.`;
    }
    if (code === "EACCES")
      return `${name} in ${dataDir} cannot be read by this user. Run this as the user of the server.`;
    return cause instanceof Error ? cause.message : String(cause);
  }
}

async function sealedForGood({ read, config: { dataDir } }: CheckDeps): Promise<Notice[]> {
  const box = createSecretBox(await loadEncryptionKeys(dataDir));
  const credentials = await read
    .selectFrom("credentials")
    .select(["id", "name", "encryptedData"])
    .orderBy("name")
    .orderBy("id")
    .execute();
  return credentials.flatMap(({ id, name, encryptedData }) => {
    const opened = box.open(encryptedData, id);
    if (opened.ok) return [];
    return [
      {
        message: `The credential "${name}" (${id}) cannot be opened: ${opened.reason}. Put the encryption.key from its time into ${dataDir}, or enter its values again.`,
        resource: { type: "credential", id, name },
      },
    ];
  });
}
