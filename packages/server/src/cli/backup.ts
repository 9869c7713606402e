import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { openReader } from "@weft/database";
import { copySqliteDatabase } from "@weft/database/compact-sqlite-database";
import { listSchemaChanges } from "@weft/database/migrate";
import { syncDirectory, syncFile } from "@weft/database/secret-file";
import { systemClock } from "@weft/run-host";
import {
  type BackupFile,
  backupFiles,
  describeFile,
  givenKeys,
  type Manifest,
  manifestFile,
} from "../backup/manifest.ts";
import { dumpCommand, runPostgresCommand, toShell } from "../backup/postgres-tools.ts";
import { type Config, readConfig } from "../config.ts";
import { version } from "../version.ts";
import type { Shell } from "./run-command.ts";
import { assertInDataDir, runCommand } from "./run-command.ts";

type BackupOptions = {
  config: Config;
  /** Must not exist yet. */
  folder: string;
  withKeys: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
};

type Backup = {
  folder: string;
  manifest: Manifest;
  /** Keys missing from DATA_DIR. */
  missingKeys: string[];
  /** Variables that supply keys to the server, regardless of DATA_DIR. */
  givenKeys: string[];
  /** Names in DATA_DIR that are not Weft's, and not in the backup. */
  leftOut: string[];
};

/**
 * Backs up the database at one moment, and the keys that fit it, while a server may be running. The folder appears
 * whole or not at all. For PostgreSQL without `pg_dump` on this machine it contains only the keys.
 */
async function takeBackup({ config, folder, withKeys, now }: BackupOptions): Promise<Backup> {
  const target = resolve(folder);
  if ((await stat(target).catch(() => undefined)) !== undefined) {
    throw new Error(`${target} exists already. Name a new folder for each backup.`);
  }
  const leftOut = await findLeftOut(config.dataDir);
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(`${target}.partial-`);
  try {
    const createdDate = new Date(now()).toISOString();
    const { dataDir } = config;
    const given = givenKeys(config);
    const inFiles = backupFiles.keys.filter((name) => !given.has(name));
    const keys = await readKeys(dataDir, inFiles);
    const { schema, names } = await copyDatabase(config, draft);
    if (withKeys) names.push(...(await writeKeys(draft, keys)));
    if (!isSame(keys, await readKeys(dataDir, inFiles))) {
      throw new Error("The keys were replaced while the backup was taken, so the backup was discarded. Take it again.");
    }
    const files: BackupFile[] = [];
    for (const name of names) {
      await syncFile(join(draft, name));
      files.push(await describeFile(draft, name));
    }
    const database = config.databaseUrl.isEmpty ? "sqlite" : "postgres";
    const manifest: Manifest = { format: 1, version, createdDate, database, schema, files };
    await writeFile(join(draft, manifestFile), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600, flush: true });
    await syncDirectory(draft);
    await rename(draft, target);
    await syncDirectory(dirname(target));
    const missingKeys = inFiles.filter((name) => !keys.has(name));
    return { folder: target, manifest, missingKeys, givenKeys: [...given.values()], leftOut };
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw cause;
  }
}

async function copyDatabase({ dataDir, databaseUrl }: BackupOptions["config"], folder: string) {
  const names: BackupFile["name"][] = [];
  if (databaseUrl.isEmpty) {
    const { sqlite } = backupFiles;
    return { schema: copySqliteDatabase(join(dataDir, sqlite), join(folder, sqlite)), names: [...names, sqlite] };
  }
  const { dump } = backupFiles;
  if (await runPostgresCommand(dumpCommand(join(folder, dump)), databaseUrl.reveal())) names.push(dump);
  const { read, close } = await openReader({ databaseUrl: databaseUrl.reveal(), dataDir });
  try {
    return { schema: await listSchemaChanges(read), names };
  } finally {
    await close();
  }
}

type KeyFile = (typeof backupFiles.keys)[number];
type Keys = ReadonlyMap<KeyFile, string>;

async function readKeys(dataDir: string, names: readonly KeyFile[]): Promise<Keys> {
  const keys = new Map<KeyFile, string>();
  for (const name of names) {
    const path = join(dataDir, name);
    const isThere = (await stat(path).catch(() => undefined)) !== undefined;
    if (isThere) keys.set(name, await readFile(path, "utf8"));
  }
  return keys;
}

async function writeKeys(folder: string, keys: Keys): Promise<BackupFile["name"][]> {
  for (const [name, text] of keys) await writeFile(join(folder, name), text, { mode: 0o600 });
  return [...keys.keys()];
}

function isSame(a: Keys, b: Keys): boolean {
  return backupFiles.keys.every((name) => a.get(name) === b.get(name));
}

/** SQLite's own files, and those moved aside by earlier restores. */
const known = /^(weft\.db(-wal|-shm|-journal)?|lock\.db(-journal)?|(encryption|jwt)\.key(\..*)?|before-restore-.*)$/;

async function findLeftOut(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir).catch(() => [])).filter((name) => !known.test(name));
}

const usage = `Usage: npm run -s backup -- FOLDER [--without-keys]

Takes a backup of the database and the keys into a new folder, beside a running server. Who can read the folder can read
every credential; it is closed to other users of this machine. With DATABASE_URL it runs pg_dump.

  --without-keys  Leaves encryption.key and jwt.key out. Keep them elsewhere: without encryption.key no credential can be
                  opened again.

Exit status: 0 all is in the backup, 1 there is none, 2 only the keys are: pg_dump is not on this machine.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const { values, positionals } = parseArgs({
      args,
      options: { help: { type: "boolean", short: "h" }, "without-keys": { type: "boolean" } },
      allowPositionals: true,
    });
    if (values.help) {
      shell.stdout.write(usage);
      return;
    }
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) {
      throw new Error("Name the folder of the backup: npm run -s backup -- FOLDER");
    }
    const withKeys = !values["without-keys"];
    const config = readConfig(shell.env);
    if (config.databaseUrl.isEmpty) assertInDataDir(config.dataDir, backupFiles.sqlite);
    else if (config.encryptionKey.isEmpty) assertInDataDir(config.dataDir, backupFiles.keys[0]);
    const backup = await takeBackup({ config, folder, withKeys, now: systemClock.now });
    shell.stdout.write(describe(backup, withKeys));
    if (lacksDatabase(backup)) {
      const command = toShell(dumpCommand(backupFiles.dump));
      shell.stderr.write(
        `The database is not in the backup: pg_dump is not installed on this machine. Dump it with: ${command}\n`,
      );
      shell.exitCode = 2;
    }
  });
}

function lacksDatabase({ manifest: { files } }: Backup): boolean {
  return !files.some(({ name }) => name === backupFiles.sqlite || name === backupFiles.dump);
}

function describe({ folder, manifest, missingKeys, givenKeys, leftOut }: Backup, withKeys: boolean): string {
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const names = manifest.files.map(({ name }) => name).join(", ");
  const lines = [`Backup in ${folder}: ${names} (${(bytes / 1_024 ** 2).toFixed(1)} MB).`];
  if (!withKeys && givenKeys.length < backupFiles.keys.length) {
    lines.push(
      "Not in it: encryption.key, without which no credential can be opened again, and jwt.key, without which everybody has to log in again. Keep copies of both elsewhere.",
    );
  } else if (missingKeys.length > 0) {
    lines.push(`DATA_DIR has no ${missingKeys.join(" and no ")}, so the backup has none either.`);
  }
  if (givenKeys.length > 0) {
    lines.push(
      `Not in it, because the environment has them: ${givenKeys.join(", ")}. Keep their present values elsewhere: the backup needs them.`,
    );
  }
  if (leftOut.length > 0) lines.push(`Not in it, because they are not part of Weft: ${leftOut.join(", ")}.`);
  return `${lines.join("\n")}\n`;
}
