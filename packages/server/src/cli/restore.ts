import { parseArgs } from "node:util";
import { systemClock } from "@weft/run-host";
import { backupFiles } from "../backup/manifest.ts";
import { type Restored, restoreBackup } from "../backup/restore-backup.ts";
import { readConfig } from "../config.ts";
import { runCommand } from "./run-command.ts";

const usage = `Usage: npm run -s restore -- FOLDER [--force]

Verifies a backup and brings DATA_DIR to it; with DATABASE_URL it runs pg_restore on a database without tables. Stop the
server first.

  --force  Moves what DATA_DIR holds into a folder before-restore-… in it. Nothing is deleted.
`;

await runCommand(async () => {
  const { values, positionals } = parseArgs({
    options: { help: { type: "boolean", short: "h" }, force: { type: "boolean" } },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(usage);
    return;
  }
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) {
    throw new Error("Name the folder of the backup: npm run -s restore -- FOLDER");
  }
  const config = readConfig();
  const restored = await restoreBackup({ config, folder, force: values.force ?? false, now: systemClock.now });
  process.stdout.write(describe(restored, config.dataDir));
});

function describe({ manifest: { createdDate, version, database, files }, aside }: Restored, dataDir: string): string {
  const has = (wanted: string) => files.some(({ name }) => name === wanted);
  const lines = [`Restored the backup of ${createdDate} (Weft ${version}) into ${dataDir}.`];
  if (aside !== undefined) lines.push(`What was there before is in ${aside}. Delete it when you no longer need it.`);
  for (const name of backupFiles.keys.filter((key) => !has(key))) {
    lines.push(`The backup has no ${name}. Before you start the server, put the one from that time into ${dataDir}.`);
  }
  if (database === "postgres" && !has(backupFiles.dump)) {
    lines.push("The backup does not contain the database. Use pg_restore to restore the dump that was taken with it.");
  }
  return `${lines.join("\n")}\n`;
}
