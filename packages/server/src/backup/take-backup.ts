import { mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { copySqliteDatabase, listSchemaChanges, openReader, syncDirectory, syncFile } from "@weft/database";
import type { Config } from "../config.ts";
import { version } from "../version.ts";
import { type BackupFile, backupFiles, describeFile, type Manifest, manifestFile } from "./manifest.ts";
import { dumpCommand, runPostgresCommand } from "./postgres-tools.ts";

export type BackupOptions = {
  config: Pick<Config, "dataDir" | "databaseUrl">;
  /** Must not exist yet. */
  folder: string;
  withKeys: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
};

export type Backup = {
  folder: string;
  manifest: Manifest;
  /** Keys that DATA_DIR does not have. */
  missingKeys: string[];
  /** Names in DATA_DIR that are not Weft's, and not in the backup. */
  leftOut: string[];
};

/**
 * Takes a backup of the database at one moment, and of the keys that fit it, beside a running server. The folder appears
 * whole or not at all. Of PostgreSQL without `pg_dump` on this machine it holds the keys alone.
 */
export async function takeBackup({ config, folder, withKeys, now }: BackupOptions): Promise<Backup> {
  const target = resolve(folder);
  if ((await stat(target).catch(() => undefined)) !== undefined) {
    throw new Error(`${target} exists already. Name a new folder for each backup.`);
  }
  const leftOut = await findLeftOut(config.dataDir);
  await mkdir(dirname(target), { recursive: true });
  const draft = await mkdtemp(`${target}.partial-`);
  try {
    const createdDate = new Date(now()).toISOString();
    const keys = await readKeys(config.dataDir);
    const { schema, names } = await copyDatabase(config, draft);
    if (withKeys) names.push(...(await writeKeys(draft, keys)));
    if (!isSame(keys, await readKeys(config.dataDir))) {
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
    const missingKeys = backupFiles.keys.filter((name) => !keys.has(name));
    return { folder: target, manifest, missingKeys, leftOut };
  } catch (cause) {
    await rm(draft, { recursive: true, force: true });
    throw cause;
  }
}

async function copyDatabase({ dataDir, databaseUrl }: BackupOptions["config"], folder: string) {
  const names: BackupFile["name"][] = [];
  if (databaseUrl.isEmpty) {
    const { sqlite } = backupFiles;
    return { schema: await copySqliteDatabase(join(dataDir, sqlite), join(folder, sqlite)), names: [...names, sqlite] };
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

type Keys = ReadonlyMap<(typeof backupFiles.keys)[number], string>;

async function readKeys(dataDir: string): Promise<Keys> {
  const keys = new Map<(typeof backupFiles.keys)[number], string>();
  for (const name of backupFiles.keys) {
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

/** SQLite's own files, and what earlier restores laid aside. */
const known = /^(weft\.db(-wal|-shm|-journal)?|lock\.db(-journal)?|(encryption|jwt)\.key(\..*)?|before-restore-.*)$/;

async function findLeftOut(dataDir: string): Promise<string[]> {
  return (await readdir(dataDir)).filter((name) => !known.test(name));
}
