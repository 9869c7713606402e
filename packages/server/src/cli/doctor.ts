import { join } from "node:path";
import { parseArgs } from "node:util";
import { type DatabaseReader, openReader } from "@weft/database";
import { compactSqliteDatabase, readSpace } from "@weft/database/compact-sqlite-database";
import { listSchemaChanges } from "@weft/database/migrate";
import { systemClock } from "@weft/run-host";
import { sql } from "kysely";
import { type Config, readConfig } from "../config.ts";
import { purgeOrphans, runChecks, schemaCheck, toCompactNotice } from "../doctor/index.ts";
import { describeRetention } from "../retention/list-retention.ts";
import { version } from "../version.ts";
import type { Shell } from "./run-command.ts";
import { assertInDataDir, runCommand, withDatabase } from "./run-command.ts";

const usage = `Usage: npm run -s doctor [-- [--fix] [--json]]

Looks at the data folder and the database of this installation, names what an operator should know or do, and changes
nothing. A server may run meanwhile.

  --fix   Removes the vectors of deleted passages, which no search returns, from the vector databases of all document
          stores, and gives free space of an older weft.db back. Says first what it will remove, and afterwards what is
          left to do. With SQLite, stop the server first.
  --json  Prints a JSON array of { check, message, resource? }; what --fix says goes to standard error.

Exit status: 0 nothing to do, 1 there are notices, 2 the data cannot be read.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(
    shell,
    async () => {
      const { values } = parseArgs({
        args,
        options: { help: { type: "boolean", short: "h" }, fix: { type: "boolean" }, json: { type: "boolean" } },
      });
      const { help, fix = false, json = false } = values;
      if (help) shell.stdout.write(usage);
      else await examine(shell, { isFixing: fix, isJson: json });
    },
    2,
  );
}

async function examine(shell: Shell, { isFixing, isJson }: { isFixing: boolean; isJson: boolean }): Promise<void> {
  const config = readConfig(shell.env);
  const { databaseUrl, dataDir } = config;
  if (databaseUrl.isEmpty) assertInDataDir(dataDir, "weft.db");
  const database = await openReader({ databaseUrl: databaseUrl.reveal(), dataDir });
  try {
    const deps = { ...database, config, now: systemClock.now };
    // Opening the database for writing migrates its schema, which only a start of the server may do.
    if (isFixing && (await schemaCheck.run(deps)).length === 0) await fix(config, isJson ? shell.stderr : shell.stdout);
    const findings = await runChecks(deps);
    const facts = [describeRetention(config), await describeVersions(database)];
    shell.stdout.write(
      isJson
        ? `${JSON.stringify(findings, null, 2)}\n`
        : `${toText(findings.map((one) => one.message))}${facts.join("\n")}\n`,
    );
    if (findings.length > 0) shell.exitCode = 1;
  } finally {
    await database.close();
  }
}

async function describeVersions({ read, dialect }: DatabaseReader): Promise<string> {
  const { rows } = await (dialect === "sqlite"
    ? sql<{ version: string }>`select sqlite_version() as version`
    : sql<{ version: string }>`select current_setting('server_version') as version`
  ).execute(read);
  const name = dialect === "sqlite" ? "SQLite" : "PostgreSQL";
  const schema = (await listSchemaChanges(read)).at(-1) ?? "none";
  return `Weft ${version}, Node ${process.versions.node}, ${name} ${rows[0]?.version}, schema ${schema}.`;
}

async function fix(config: Config, output: Shell["stdout"]): Promise<void> {
  const say = (sentence: string) => void output.write(`${sentence}\n`);
  const { databaseUrl, dataDir } = config;
  const path = join(dataDir, "weft.db");
  if (databaseUrl.isEmpty && toCompactNotice(readSpace(path)) !== undefined) {
    const before = readSpace(path).fileBytes;
    compactSqliteDatabase(dataDir);
    say(`Gave ${Math.round((before - readSpace(path).fileBytes) / 1_024 ** 2)} MB of weft.db back to the file system.`);
  }
  await withDatabase(config, (database) => purgeOrphans(database, config, say));
}

function toText(messages: readonly string[]): string {
  if (messages.length === 0) return "Nothing to do.\n";
  return messages.map((message) => `- ${message}\n`).join("");
}
