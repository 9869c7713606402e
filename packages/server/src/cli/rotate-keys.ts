import { parseArgs } from "node:util";
import { rotateTokenKey, setTokenKey } from "@weft/identity";
import { type Config, readConfig } from "../config.ts";
import { type Rotation, replaceLostKey, rotateEncryptionKey, rotateToGiven } from "../credentials/index.ts";
import type { Shell } from "./run-command.ts";
import { assertInDataDir, runCommand, withDatabase } from "./run-command.ts";

const usage = `Usage: npm run -s rotate-keys [-- --tokens | --lost]

Seals every credential with a new key and removes the keys that nothing needs any more. When it is broken off, run it
again. With SQLite, stop the server first. Keep encryption.key with each backup of the database: an older backup needs
the keys of its time. Where keys come from ENCRYPTION_KEY, append the new one after a comma first.

  --tokens  Replaces the key that signs tokens instead: everybody must log in again. A server may run meanwhile. Where
            the key comes from JWT_KEY, set that to a new one first.
  --lost    Goes on without a key that is lost. The credentials that it sealed stay, without their values.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const { values } = parseArgs({
      args,
      options: { help: { type: "boolean", short: "h" }, tokens: { type: "boolean" }, lost: { type: "boolean" } },
    });
    const say = (sentence: string) => void shell.stdout.write(`${sentence}\n`);
    if (values.help) shell.stdout.write(usage);
    else if (values.tokens) await rotateTokens(readConfig(shell.env), say);
    else if (values.lost) await goOnWithout(readConfig(shell.env), say);
    else await rotateEncryption(readConfig(shell.env), say);
  });
}

type Say = (sentence: string) => void;

async function rotateTokens(config: Config, say: Say): Promise<void> {
  const { dataDir, databaseUrl, jwtKey } = config;
  if (jwtKey.isEmpty) {
    assertInDataDir(dataDir, "jwt.key");
    await rotateTokenKey(dataDir);
  }
  // A process on SQLite is alone, so its database does not record the key.
  const isNew = databaseUrl.isEmpty || (await withDatabase(config, (database) => setTokenKey(database, config)));
  if (jwtKey.isEmpty) return say("Tokens are signed with a new key; all earlier ones are void.");
  if (databaseUrl.isEmpty) return say("JWT_KEY is read at the start: set it to a new key, and start the server again.");
  if (!isNew) {
    throw new Error("JWT_KEY is the key in use. Set it to a new one (openssl rand -base64 32), and run this again.");
  }
  say("Tokens are signed with the new JWT_KEY by every process that is started with it. Restart all of them now.");
}

async function rotateEncryption(config: Config, say: Say): Promise<void> {
  const { dataDir, encryptionKey } = config;
  if (encryptionKey.isEmpty) {
    assertInDataDir(dataDir, "encryption.key");
    return describe(await withDatabase(config, (database) => rotateEncryptionKey(database, dataDir)), say);
  }
  describe(await withDatabase(config, (database) => rotateToGiven(database, dataDir, encryptionKey)), say);
  say("Restart every process with this ENCRYPTION_KEY now. Leave its earlier keys out where they are removed.");
}

async function goOnWithout(config: Config, say: Say): Promise<void> {
  const { dataDir, encryptionKey } = config;
  const unreadable = await withDatabase(config, (database) => replaceLostKey(database, dataDir, encryptionKey));
  say(
    `Credentials are sealed with the ${encryptionKey.isEmpty ? "key in encryption.key" : "last key of ENCRYPTION_KEY"}.`,
  );
  describeUnreadable(unreadable, say);
}

function describe({ resealed, unreadable, removedKeys }: Rotation, say: Say): void {
  say(`Credentials sealed with a new key: ${resealed}. Keys removed: ${removedKeys}.`);
  describeUnreadable(unreadable, say);
}

function describeUnreadable(ids: readonly string[], say: Say): void {
  if (ids.length > 0) say(`No key opens these credentials; enter their values again: ${ids.join(", ")}.`);
}
