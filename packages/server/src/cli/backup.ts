import { parseArgs } from "node:util";
import { systemClock } from "@weft/run-host";
import { backupFiles } from "../backup/manifest.ts";
import { dumpCommand, toShell } from "../backup/postgres-tools.ts";
import { type Backup, takeBackup } from "../backup/take-backup.ts";
import { readConfig } from "../config.ts";
import { assertInDataDir, runCommand } from "./run-command.ts";

const usage = `Usage: npm run -s backup -- FOLDER [--without-keys]

Takes a backup of the database and the keys into a new folder, beside a running server. Who can read the folder can read
every credential; it is closed to other users of this machine. With DATABASE_URL it runs pg_dump.

  --without-keys  Leaves encryption.key and jwt.key out. Keep them elsewhere: without encryption.key no credential can be
                  opened again.

Exit status: 0 all is in the backup, 1 there is none, 2 only the keys are: pg_dump is not on this machine.
`;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean", short: "h" }, "without-keys": { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    throw new Error("Name the folder of the backup: npm run -s backup -- FOLDER");
  }
  const withKeys = !values["without-keys"];
  const config = readConfig();
  assertInDataDir(config.dataDir, config.databaseUrl.isEmpty ? backupFiles.sqlite : backupFiles.keys[0]);
  const backup = await takeBackup({ config, folder, withKeys, now: systemClock.now });
  process.stdout.write(describe(backup, withKeys));
  if (lacksDatabase(backup)) {
    const command = toShell(dumpCommand(backupFiles.dump));
    process.stderr.write(
      `The database is not in the backup: pg_dump is not installed on this machine. Dump it with: ${command}\n`,
    );
    process.exitCode = 2;
  }
});

function lacksDatabase({ manifest: { files } }: Backup): boolean {
  return !files.some(({ name }) => name === backupFiles.sqlite || name === backupFiles.dump);
}

function describe({ folder, manifest, missingKeys, leftOut }: Backup, withKeys: boolean): string {
  const bytes = manifest.files.reduce((sum, file) => sum + file.bytes, 0);
  const names = manifest.files.map(({ name }) => name).join(", ");
  const lines = [`Backup in ${folder}: ${names} (${(bytes / 1_024 ** 2).toFixed(1)} MB).`];
  if (!withKeys) {
    lines.push(
      "Not in it: encryption.key, without which no credential can be opened again, and jwt.key, without which everybody has to log in again. Keep copies of both elsewhere.",
    );
  } else if (missingKeys.length > 0) {
    lines.push(`DATA_DIR has no ${missingKeys.join(" and no ")}, so the backup has none either.`);
  }
  if (leftOut.length > 0) lines.push(`Not in it, because they are not part of Weft: ${leftOut.join(", ")}.`);
  return `${lines.join("\n")}\n`;
}
