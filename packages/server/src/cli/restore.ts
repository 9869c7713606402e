import { copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { prepareDirectory, unfinishedRestoreFile } from "@weft/database";
import { lockDirectory } from "@weft/database/directory-lock";
import { unknownChanges } from "@weft/database/migrate";
import { syncDirectory, syncFile } from "@weft/database/secret-file";
import { systemClock } from "@weft/run-host";
import { backupFiles, describeFile, givenKeys, type Manifest, readManifest } from "../backup/manifest.ts";
import { restoreCommand, runPostgresCommand, toShell } from "../backup/postgres-tools.ts";
import { type Config, readConfig } from "../config.ts";
import type { Shell } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

type RestoreOptions = {
  config: Config;
  folder: string;
  /** Moves aside existing files of DATA_DIR. */
  force: boolean;
  /** Milliseconds since the epoch. */
  now(): number;
};

type Restored = {
  manifest: Manifest;
  /** Where the previous files of DATA_DIR are. */
  aside: string | undefined;
};

/**
 * Restores DATA_DIR, and a PostgreSQL database without tables, from a backup. Everything is verified before anything is
 * changed; nothing is deleted. Rejects with a sentence for the operator. A restore interrupted during its changes
 * leaves a folder on which no server starts; run it again.
 */
async function restoreBackup({ config, folder, force, now }: RestoreOptions): Promise<Restored> {
  const source = resolve(folder);
  const manifest = await readManifest(source);
  assertFits(manifest, config);
  const { dataDir, databaseUrl } = config;
  await prepareDirectory(dataDir);
  const lock = databaseUrl.isEmpty ? lockDirectory(dataDir) : undefined;
  try {
    await removeStages(dataDir);
    const inTheWay = await findInTheWay(dataDir, manifest);
    if (inTheWay.length > 0 && !force) {
      throw new Error(
        `${dataDir} is not empty: it holds ${inTheWay.join(", ")}. With --force these are moved into a folder beside the restored files.`,
      );
    }
    const stage = await mkdtemp(join(dataDir, stagePrefix));
    try {
      await copyVerified(source, stage, manifest);
      await restoreDump(stage, manifest, databaseUrl.reveal());
      const aside = inTheWay.length === 0 ? undefined : join(dataDir, `before-restore-${toFileName(now())}`);
      await swap(dataDir, { stage, aside, inTheWay });
      return { manifest, aside };
    } finally {
      await rm(stage, { recursive: true, force: true });
    }
  } finally {
    lock?.release();
  }
}

const stagePrefix = ".restore-";

function assertFits({ database, schema, version, files }: Manifest, { databaseUrl }: RestoreOptions["config"]): void {
  const unknown = unknownChanges(schema);
  if (unknown.length > 0) {
    throw new Error(
      `The backup was taken by a newer version of Weft (${version}; its database has ${unknown.join(", ")}). Restore it with that version or a later one.`,
    );
  }
  if (database === "postgres" && databaseUrl.isEmpty) {
    throw new Error("The backup is of a PostgreSQL database. Set DATABASE_URL to a new, empty one.");
  }
  if (database === "sqlite" && !databaseUrl.isEmpty) {
    throw new Error("The backup is of an SQLite database. Leave DATABASE_URL empty to restore it into DATA_DIR.");
  }
  if (database === "sqlite" && !files.some(({ name }) => name === backupFiles.sqlite)) {
    throw new Error("The backup names no database. Use another one.");
  }
}

/** Keys stay if the backup brings none: they may have been put there for it. */
async function findInTheWay(dataDir: string, { files }: Manifest): Promise<string[]> {
  const brought = new Set<string>(files.map(({ name }) => name));
  const staying = new Set<string>(backupFiles.keys.filter((name) => !brought.has(name)));
  const isOfRestores = /^(lock\.db(-journal)?|before-restore-.*)$/;
  return (await readdir(dataDir)).filter(
    (name) => !staying.has(name) && !isOfRestores.test(name) && name !== unfinishedRestoreFile,
  );
}

/** Copies left by an interrupted restore. */
async function removeStages(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (name.startsWith(stagePrefix)) await rm(join(dataDir, name), { recursive: true });
  }
}

/** The copies are verified, not their originals: a disk may make errors while it reads. */
async function copyVerified(source: string, stage: string, { files }: Manifest): Promise<void> {
  for (const expected of files) {
    const { name, bytes, sha256 } = expected;
    await copyFile(join(source, name), join(stage, name)).catch((cause: unknown) => {
      throw new Error(`The backup is incomplete: ${name} cannot be read. Use another one.`, { cause });
    });
    const found = await describeFile(stage, name);
    if (found.bytes !== bytes || found.sha256 !== sha256) {
      throw new Error(`The backup is damaged: ${name} is not what the manifest says. Use another one.`);
    }
    await syncFile(join(stage, name));
  }
}

async function restoreDump(stage: string, { files }: Manifest, databaseUrl: string): Promise<void> {
  if (!files.some(({ name }) => name === backupFiles.dump)) return;
  const path = join(stage, backupFiles.dump);
  if (await runPostgresCommand(restoreCommand(path), databaseUrl)) {
    await rm(path);
    return;
  }
  throw new Error(
    `pg_restore is not installed on this machine. Install the PostgreSQL client tools, or run this elsewhere: ${toShell(restoreCommand(backupFiles.dump))}, and copy the keys of the backup into DATA_DIR.`,
  );
}

type Swap = { stage: string; aside: string | undefined; inTheWay: readonly string[] };

async function swap(dataDir: string, { stage, aside, inTheWay }: Swap): Promise<void> {
  const mark = join(dataDir, unfinishedRestoreFile);
  await writeFile(mark, "", { mode: 0o600, flush: true });
  await syncDirectory(dataDir);
  if (aside !== undefined) await mkdir(aside, { mode: 0o700 });
  for (const name of inTheWay) await rename(join(dataDir, name), join(aside ?? "", name));
  for (const name of await readdir(stage)) await rename(join(stage, name), join(dataDir, name));
  await syncDirectory(dataDir);
  await rm(mark);
  await syncDirectory(dataDir);
}

function toFileName(at: number): string {
  return new Date(at).toISOString().replaceAll(":", "-");
}

const usage = `Usage: npm run -s restore -- FOLDER [--force]

Verifies a backup and brings DATA_DIR to it; with DATABASE_URL it runs pg_restore on a database without tables. Stop the
server first.

  --force  Moves what DATA_DIR holds into a folder before-restore-… in it. Nothing is deleted.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const { values, positionals } = parseArgs({
      args,
      options: { help: { type: "boolean", short: "h" }, force: { type: "boolean" } },
      allowPositionals: true,
    });
    if (values.help) {
      shell.stdout.write(usage);
      return;
    }
    const [folder, ...more] = positionals;
    if (folder === undefined || more.length > 0) {
      throw new Error("Name the folder of the backup: npm run -s restore -- FOLDER");
    }
    const config = readConfig(shell.env);
    const restored = await restoreBackup({ config, folder, force: values.force ?? false, now: systemClock.now });
    shell.stdout.write(describe(restored, config));
  });
}

function describe({ manifest: { createdDate, version, database, files }, aside }: Restored, config: Config): string {
  const { dataDir } = config;
  const given = givenKeys(config);
  const has = (wanted: string) => files.some(({ name }) => name === wanted);
  const lines = [`Restored the backup of ${createdDate} (Weft ${version}) into ${dataDir}.`];
  if (aside !== undefined) lines.push(`What was there before is in ${aside}. Delete it when you no longer need it.`);
  for (const name of backupFiles.keys) {
    const variable = given.get(name);
    if (variable !== undefined) {
      lines.push(
        `The server takes its key from ${variable}, not from ${name}: set it to the key from the time of the backup.`,
      );
    } else if (!has(name)) {
      lines.push(`The backup has no ${name}. Before you start the server, put the one from that time into ${dataDir}.`);
    }
  }
  if (database === "postgres" && !has(backupFiles.dump)) {
    lines.push("The backup does not contain the database. Use pg_restore to restore the dump that was taken with it.");
  }
  return `${lines.join("\n")}\n`;
}
