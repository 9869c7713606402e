import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createIdSource } from "@weft/database";
import { createLogger } from "@weft/http/logger";
import { systemClock } from "@weft/run-host";
import { type ImportReport, parseJson, transferKinds } from "@weft/schema";
import { readConfig } from "../config.ts";
import { withIdlePlatform } from "../platform.ts";
import type { Shell } from "./run-command.ts";
import { assertInDataDir, runCommand } from "./run-command.ts";

const usage = `Usage: npm run -s import -- FILE [--overwrite] [--dry-run]

Adds what npm run -s export wrote: agents, tools, variables, assistants and document stores, under the same ids. What is
here already is left alone, so that an import that was interrupted can be repeated. Says what to do next, such as which
credentials to add. With SQLite, stop the server first.

  --overwrite  Takes what the file says where it differs from what is here.
  --dry-run    Says what would be done, and changes nothing.

Exit status: 0 all is imported, 1 the file was refused or the import was interrupted.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const { values, positionals } = parseArgs({
      args,
      options: {
        help: { type: "boolean", short: "h" },
        overwrite: { type: "boolean" },
        "dry-run": { type: "boolean" },
      },
      allowPositionals: true,
    });
    if (values.help) {
      shell.stdout.write(usage);
      return;
    }
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error("Name the file to import: npm run -s import -- FILE");
    const content = await readExport(resolve(file));
    const options = { mode: values.overwrite ? "overwrite" : "skip", dryRun: values["dry-run"] === true } as const;
    shell.stdout.write(describe(await importInto(shell, content, options)));
  });
}

async function readExport(file: string): Promise<unknown> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new Error(`${file} cannot be read: ${cause.message}`, { cause });
  });
  const content = parseJson(text);
  if (content === undefined) throw new Error(`${file} is not valid JSON. Name a file that npm run -s export wrote.`);
  return content;
}

function importInto(
  { env, stderr }: Shell,
  content: unknown,
  options: { mode: "skip" | "overwrite"; dryRun: boolean },
): Promise<ImportReport> {
  const config = readConfig(env);
  // Opening a database creates it, which only a start of the server may do.
  if (config.databaseUrl.isEmpty) assertInDataDir(config.dataDir, "weft.db");
  const clock = systemClock;
  const ids = createIdSource(clock.now);
  const logger = createLogger({ level: "error", write: (line) => stderr.write(`${line}\n`), now: clock.now });
  return withIdlePlatform({ config, clock, ids, logger }, ({ transfer }) => transfer.importer.run(content, options));
}

const titles = {
  variables: "Variables",
  tools: "Tools",
  documentStores: "Document stores",
  agents: "Agents",
  assistants: "Assistants",
} as const;

function describe(report: ImportReport): string {
  const lines = [report.dryRun ? "Nothing was changed. An import would bring about:" : "Imported:"];
  for (const kind of transferKinds) {
    const { added, unchanged, overwritten, skipped } = report[kind];
    const counts = `${added.length} added, ${unchanged.length} unchanged, ${overwritten.length} overwritten, ${skipped.length} skipped`;
    lines.push(`  ${titles[kind]}: ${counts}`);
    for (const { id, name } of skipped) {
      lines.push(`    ${name} (${id}) is different here and was kept. --overwrite takes what the file says.`);
    }
  }
  if (report.next.length > 0) lines.push("To do:", ...report.next.map(({ message }) => `  - ${message}`));
  return `${lines.join("\n")}\n`;
}
