import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { openReader } from "@weft/database";
import { systemClock } from "@weft/run-host";
import { readConfig } from "../config.ts";
import { createExportService } from "../transfer/index.ts";
import type { Shell } from "./run-command.ts";
import { assertInDataDir, runCommand } from "./run-command.ts";

const usage = `Usage: npm run -s export -- FILE [--current-versions]

Writes the agents, tools, variables, assistants and document stores of this installation into one new file, without
secrets. A server may run meanwhile. npm run -s import reads the file.

  --current-versions  Leaves the earlier flows of agents out.

Not in the file: the values of credentials, API keys, accounts, documents, chats and executions. For all of these, take
a backup: npm run -s backup.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const { values, positionals } = parseArgs({
      args,
      options: { help: { type: "boolean", short: "h" }, "current-versions": { type: "boolean" } },
      allowPositionals: true,
    });
    if (values.help) {
      shell.stdout.write(usage);
      return;
    }
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error("Name the file to write: npm run -s export -- FILE");
    await writeExport(shell, resolve(file), values["current-versions"] ? "current" : "all");
  });
}

async function writeExport(shell: Shell, file: string, versions: "all" | "current"): Promise<void> {
  const config = readConfig(shell.env);
  const { databaseUrl, dataDir } = config;
  if (databaseUrl.isEmpty) assertInDataDir(dataDir, "weft.db");
  const { read, close } = await openReader({ databaseUrl: databaseUrl.reveal(), dataDir });
  try {
    const text = await createExportService(read, config, systemClock.now).text(versions);
    await writeFile(file, text, { mode: 0o600, flag: "wx", flush: true }).catch((cause: NodeJS.ErrnoException) => {
      if (cause.code !== "EEXIST") throw cause;
      throw new Error(`${file} exists already. Name a new file for each export.`, { cause });
    });
    shell.stdout.write(`Exported to ${file} (${Buffer.byteLength(text)} bytes), without secrets.\n`);
  } finally {
    await close();
  }
}
