import { parseArgs } from "node:util";
import { rotateTokenKey } from "@weft/identity";
import { type Config, readConfig } from "../config.ts";
import { replaceLostKey, rotateEncryptionKey } from "../credentials/index.ts";
import { assertInDataDir, runCommand, withDatabase } from "./run-command.ts";

const usage = `Usage: npm run -s rotate-keys [-- --tokens | --lost]

Seals every credential with a new key and removes the keys that nothing needs any more. When it is broken off, run it
again. With SQLite, stop the server first. Keep encryption.key with each backup of the database: an older backup needs
the keys of its time.

  --tokens  Replaces the key that signs tokens instead: everybody must log in again. A server may run meanwhile.
  --lost    Goes on without an encryption.key that is lost. The credentials that it sealed stay, without their values.
`;

export function run(args: string[]): Promise<void> {
  return runCommand(async () => {
    const { values } = parseArgs({
      args,
      options: { help: { type: "boolean", short: "h" }, tokens: { type: "boolean" }, lost: { type: "boolean" } },
    });
    if (values.help) process.stdout.write(usage);
    else if (values.tokens) await rotateTokens(readConfig());
    else if (values.lost) await goOnWithout(readConfig());
    else await rotateEncryption(readConfig());
  });
}

async function rotateTokens({ dataDir }: Config): Promise<void> {
  assertInDataDir(dataDir, "jwt.key");
  await rotateTokenKey(dataDir);
  process.stdout.write("Tokens are signed with a new key; all earlier ones are void.\n");
}

async function rotateEncryption(config: Config): Promise<void> {
  assertInDataDir(config.dataDir, "encryption.key");
  const rotation = await withDatabase(config, (database) => rotateEncryptionKey(database, config.dataDir));
  process.stdout.write(describe(rotation));
}

async function goOnWithout(config: Config): Promise<void> {
  const unreadable = await withDatabase(config, (database) => replaceLostKey(database, config.dataDir));
  process.stdout.write(`Credentials are sealed with the key in encryption.key.\n${describeUnreadable(unreadable)}`);
}

function describe({ resealed, unreadable, removedKeys }: Awaited<ReturnType<typeof rotateEncryptionKey>>): string {
  const done = `Credentials sealed with a new key: ${resealed}. Keys removed: ${removedKeys}.\n`;
  return `${done}${describeUnreadable(unreadable)}`;
}

function describeUnreadable(ids: readonly string[]): string {
  if (ids.length === 0) return "";
  return `No key opens these credentials; enter their values again: ${ids.join(", ")}.\n`;
}
