import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { createIdSource } from "@weft/database";
import { type FlowiseSource, openFlowise } from "@weft/flowise-source";
import { createLogger } from "@weft/http/logger";
import { systemClock } from "@weft/run-host";
import type { FlowiseReport, FlowiseTableReport } from "@weft/schema";
import { readConfig } from "../config.ts";
import { startFeatures } from "../feature.ts";
import { FlowiseImportError, type FlowiseImportOptions } from "../flowise-import/index.ts";
import { type PlatformDeps, withIdlePlatform } from "../platform.ts";
import { assertInDataDir, runCommand, type Shell } from "./run-command.ts";

const usage = `Usage: npm run -s import-flowise -- --database PATH|postgres://…|mysql://… --key FILE --storage FOLDER
       npm run -s import-flowise -- --export ExportData.json

Takes over a whole Flowise installation under the same ids: credentials, variables, tools, API keys with their values,
document stores, agents, assistants, chats and executions. Reads it and changes nothing there. What is here already is
left alone, so an import that was interrupted can be repeated. With SQLite here, stop this server first.

  --database    The SQLite file, or the address of the PostgreSQL, MySQL or MariaDB database, of the other server.
  --key         Its file encryption.key, without which credentials come without their values.
  --storage     Its folder with uploaded files (BLOB_STORAGE_PATH), without which document stores come without files.
  --export      A file that its "Export" wrote, in place of these: it has no credentials, keys and leads.
  --workspace   Name of the one workspace that is taken over. Default: all.
  --open-flows  What flows become that need no key, and so answer everybody: closed (callers need an API key) or public.
  --confirm-destinations  Lets its credentials be sent to where its flows send them. Otherwise each one that is not its
                vendor's own is listed with its agent, and calls there are refused until you allow it.
  --dry-run     Says what would be done, and changes nothing.

Exit status: 0 all is imported, 1 something was refused or the import was interrupted, 2 the command was wrong.
`;

export function run(args: string[], shell: Shell): Promise<void> {
  return runCommand(shell, async () => {
    const given = readOptions(args);
    if (given === "help") shell.stdout.write(usage);
    else if (given === undefined) {
      shell.stderr.write(usage);
      shell.exitCode = 2;
    } else shell.stdout.write(describeReport(await importFrom(given, shell)));
  });
}

type Given = Pick<FlowiseImportOptions, "workspace" | "openFlows" | "destinationsBy" | "dryRun"> & {
  database: string | undefined;
  exportFile: string | undefined;
  keyFile: string | undefined;
  storage: string | undefined;
};

/** Someone who can read the data folder. */
const operator = { name: "operator", owner: "account:operator", isKey: false };

function readOptions(args: string[]): Given | "help" | undefined {
  const text = { type: "string" } as const;
  const options = { database: text, key: text, storage: text, export: text, workspace: text, "open-flows": text };
  try {
    const flag = { type: "boolean" } as const;
    const flags = { help: { ...flag, short: "h" }, "dry-run": flag, "confirm-destinations": flag } as const;
    const { values } = parseArgs({ args, options: { ...options, ...flags } });
    if (values.help) return "help";
    const openFlows = values["open-flows"];
    const isKnown = openFlows === undefined || openFlows === "closed" || openFlows === "public";
    if (!isKnown || (values.database === undefined) === (values.export === undefined)) return undefined;
    const { database, export: exportFile, key: keyFile, storage, workspace } = values;
    const destinationsBy = values["confirm-destinations"] ? operator : undefined;
    const dryRun = values["dry-run"] === true;
    return { database, exportFile, keyFile, storage, workspace, openFlows, destinationsBy, dryRun };
  } catch {
    return undefined;
  }
}

async function importFrom(
  { database, exportFile, keyFile, storage, ...options }: Given,
  shell: Shell,
): Promise<FlowiseReport> {
  const source = await openFlowise({
    database: database?.includes("://") ? database : database && resolve(database),
    exportFile: exportFile && resolve(exportFile),
    key: keyFile && (await readKey(resolve(keyFile))),
    storage: storage && resolve(storage),
  });
  try {
    return await importHere(source, options, shell);
  } finally {
    await source.close();
  }
}

async function readKey(file: string): Promise<string> {
  const text = await readFile(file, "utf8").catch((cause: Error) => {
    throw new FlowiseImportError(`${file} cannot be read: ${cause.message}`, { cause });
  });
  return text.trim();
}

async function importHere(
  source: FlowiseSource,
  options: Omit<FlowiseImportOptions, "source" | "progress">,
  { env, stderr }: Shell,
): Promise<FlowiseReport> {
  const config = readConfig(env);
  // Opening a database creates it, which only a start of the server may do.
  if (config.databaseUrl.isEmpty) assertInDataDir(config.dataDir, "weft.db");
  const clock = systemClock;
  const ids = createIdSource(clock.now);
  const logger = createLogger({ level: "error", write: (line) => stderr.write(`${line}\n`), now: clock.now });
  const progress = stderr.isTTY ? showProgressOn(stderr) : undefined;
  return importInto({ config, clock, ids, logger }, { source, ...options, ...(progress && { progress }) });
}

function showProgressOn(output: Shell["stderr"]) {
  return (table: string, done: number, total: number): void =>
    void output.write(`\r\u001b[K${table} ${done} of ${total}${done >= total ? "\n" : ""}`);
}

/**
 * Imports into an installation that no server on SQLite has open, and starts nothing here: embeddings are queued for
 * the server. Like `importFlowise`.
 */
export function importInto(platform: PlatformDeps, options: FlowiseImportOptions): Promise<FlowiseReport> {
  const config = { ...platform.config, role: "api" as const };
  return withIdlePlatform({ ...platform, config }, async ({ flowiseImport }, features) => {
    await startFeatures(features.filter(({ name }) => name === "executions"));
    return flowiseImport(options);
  });
}

const titles: Readonly<Record<string, string>> = {
  credential: "Credentials",
  variable: "Variables",
  tool: "Tools",
  custom_mcp_server: "MCP servers",
  apikey: "API keys",
  document_store: "Document stores",
  "document_store.loaders": "Loaders",
  document_store_file_chunk: "Chunks",
  chat_flow: "Agents",
  assistant: "Assistants",
  schedule_record: "Schedules",
  chat_message: "Chat messages",
  "files of chats": "Files of chats",
  chat_message_feedback: "Feedback",
  lead: "Leads",
  upsert_history: "Upsert history",
  execution: "Executions",
};

const access = {
  key: "requires its API key, as in Flowise",
  public: "open to everyone, as in Flowise, if ALLOW_PUBLIC_FLOWS=true is set",
  closed: "requires an API key; in Flowise it answered everyone",
} as const;

export function describeReport(report: FlowiseReport): string {
  const lines = [report.dryRun ? "Nothing was changed. An import would bring about:" : "Imported:"];
  for (const table of report.tables) lines.push(...describeTable(table));
  if (report.agents.length > 0) lines.push("Agents:");
  for (const { name, id, findings, ...agent } of report.agents) {
    lines.push(`  ${name} (${id}): ${access[agent.access]}`, ...findings.map((finding) => `    ${finding}`));
  }
  const todo = describeSteps(report);
  if (todo.length > 0) lines.push("To do:", ...todo.map((step) => `  - ${step}`));
  if (report.notMoved.length > 0) {
    const counts = report.notMoved.map(({ table, count }) => `${table} ${count}`).join(", ");
    lines.push(`Not moved, because they have no counterpart here: ${counts}.`);
  }
  return `${lines.join("\n")}\n`;
}

function describeTable({ table, read, written, there, left }: FlowiseTableReport): string[] {
  const sum = left.reduce((total, { count }) => total + count, 0);
  const counts = `${read} read, ${written} written, ${there} there already, ${sum} left`;
  const reasons = left.map(({ reason, count, examples }) => {
    const more = count > examples.length ? ` and ${count - examples.length} more` : "";
    return `    ${examples.join(", ")}${more}: ${reason}`;
  });
  return [`  ${titles[table] ?? table}: ${counts}`, ...reasons];
}

function describeSteps(report: FlowiseReport): string[] {
  const { runtimeVariables, privateHosts, schedules, embedding, agents, notes } = report;
  const isPublic = agents.some((agent) => agent.access === "public");
  return [
    ...(isPublic ? ["Set ALLOW_PUBLIC_FLOWS=true, so that public agents answer everybody."] : []),
    ...(runtimeVariables.length > 0
      ? [
          `Set these variables in the server's environment, and RUNTIME_VARIABLES=${runtimeVariables.join(",")}, so that flows can read them.`,
        ]
      : []),
    ...(privateHosts.length > 0
      ? [`Set EGRESS_ALLOW=${privateHosts.join(",")} if flows shall call these private hosts.`]
      : []),
    ...(schedules.length > 0 ? [`Switch these schedules off there, and then on here: ${schedules.join(", ")}.`] : []),
    ...(embedding.length > 0
      ? [
          `Start the server: it embeds ${embedding.map(({ store, chunks }) => `${store} (${chunks} chunks)`).join(", ")}, and shows the progress in the document stores.`,
        ]
      : []),
    ...notes,
  ];
}
