import type { Database } from "@weft/database";
import { type FlowiseSource, flowiseTables } from "@weft/flowise-source";
import { type FlowiseReport, type OpenFlows, WeftError } from "@weft/schema";
import { sql } from "kysely";
import type { Context } from "../context.ts";
import { type Confirmer, storedUses } from "../credentials/index.ts";
import type { Needs } from "../feature.ts";
import { type ImportContext, rowsOf } from "./copy-rows.ts";
import { checkAgents, importAgents, listOpenFlows } from "./import-agents.ts";
import { importChats } from "./import-chats.ts";
import { importExecutions } from "./import-executions.ts";
import { importMaterial } from "./import-material.ts";
import { importMcpServers } from "./import-mcp-servers.ts";
import { importStores } from "./import-stores.ts";
import { createReport } from "./report.ts";

export type FlowiseImportOptions = {
  source: FlowiseSource;
  /** Name or id of the workspace to import. Default: all of them. */
  workspace?: string | undefined;
  /** How to import flows without a key, which answer everyone in Flowise. */
  openFlows?: OpenFlows | undefined;
  /**
   * Confirms the destinations to which the imported flows send their credentials. Absent: each is a finding of its
   * agent.
   */
  destinationsBy?: Confirmer | undefined;
  /** Reports what would be done, and writes nothing. */
  dryRun: boolean;
  /** Reports how many rows of a table were read so far. */
  progress?(table: string, done: number, total: number): void;
};

type ImportNeeds = Needs<
  | "agents"
  | "apiKeys"
  | "assistants"
  | "chats"
  | "credentialUses"
  | "credentials"
  | "destinations"
  | "documentStores"
  | "flows"
  | "references"
  | "schedules"
  | "tools"
  | "variables"
  | "webhooks"
>;

/** Something that the operator has to decide or to correct first, in a sentence. Nothing was written. */
export class FlowiseImportError extends Error {
  override readonly name = "FlowiseImportError";
}

/**
 * Takes over a Flowise installation under the same ids. Invariants:
 * - Nothing is written before what the operator has to decide is decided.
 * - What is here under an id stays as it is, and batches are transactions: an import that was interrupted is completed by
 *   another one, and a second one adds nothing.
 * - What is left has a reason in the report.
 */
export async function importFlowise(
  { database }: Context,
  needs: ImportNeeds,
  options: FlowiseImportOptions,
): Promise<FlowiseReport> {
  const { source, dryRun, progress = () => undefined } = options;
  const report = createReport(dryRun);
  const context: ImportContext = {
    ...{ database, source, dryRun, report, progress },
    workspaces: chooseWorkspaces(source, options.workspace),
  };
  const openFlows = options.openFlows ?? (await assertDecided(context));
  await importMaterial(context, needs);
  const mcpServers = await importMcpServers(context, needs);
  await importStores(context, needs);
  const replaced = await importAgents(context, { ...needs, openFlows, mcpServers });
  const coming = dryRun ? await comingIds(context) : new Set<string>();
  const owners = new Set([...(await idsOfOwners(database.read)), ...coming]);
  if (!dryRun && options.destinationsBy !== undefined)
    await confirmDestinations(context, needs, options.destinationsBy);
  await checkAgents(context, needs, { replaced, isComing: (id) => coming.has(id) });
  await importChats(context, needs, owners);
  await importExecutions(context, owners);
  await embedStores(context, needs);
  for (const table of neverMoved) report.notMoved(table, await source.count(table));
  return report.finish();
}

/** Confirms all destinations to which the imported credentials are sent. */
async function confirmDestinations(context: ImportContext, needs: ImportNeeds, by: Confirmer): Promise<void> {
  const ids = await idsOfCredentials(context);
  const stored = await storedUses(context.database.read, needs);
  const imported = stored.filter(({ credential }) => ids.has(credential));
  await needs.destinations.confirm(imported, by);
}

function chooseWorkspaces({ workspaces }: FlowiseSource, wanted: string | undefined): (string | undefined)[] {
  if (wanted === undefined) return [undefined];
  const found = workspaces.find(({ id, name }) => name === wanted || id === wanted);
  if (found !== undefined) return [found.id];
  const names = workspaces.map(({ name }) => name).join(", ");
  throw new FlowiseImportError(
    workspaces.length === 0
      ? "This installation has no workspaces. Leave --workspace out."
      : `There is no workspace called ${wanted}. Nothing was imported. There are: ${names}.`,
  );
}

async function assertDecided(context: ImportContext): Promise<OpenFlows> {
  const open = await listOpenFlows(context);
  if (open.length === 0) return "closed";
  throw new FlowiseImportError(
    `Nothing was imported. These flows need no key and answer everybody: ${open.join(", ")}. Decide with --open-flows what they become here: closed (callers need an API key) or public (everybody may ask them, if ALLOW_PUBLIC_FLOWS=true is set).`,
  );
}

/** Credentials keep their ids, and those of MCP servers have the servers' ids. */
async function idsOfCredentials(context: ImportContext): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const table of ["credential", "custom_mcp_server"] as const)
    for await (const { id } of rowsOf(context, table)) ids.add(id);
  return ids;
}

/** Ids that chats and histories can belong to here. */
async function idsOfOwners(read: Database["read"]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select "id" from "agents" union select "id" from "assistants" union select "id" from "documentStores"`.execute(
    read,
  );
  return new Set(rows.map(({ id }) => id));
}

/** Ids of flows and of what flows can name, and names of variables, that the import brings. */
async function comingIds(context: ImportContext): Promise<Set<string>> {
  const ids = new Set<string>();
  for (const table of [
    "credential",
    "custom_mcp_server",
    "tool",
    "document_store",
    "chat_flow",
    "assistant",
  ] as const) {
    for await (const { id } of rowsOf(context, table)) ids.add(id);
  }
  for await (const { name } of rowsOf(context, "variable")) ids.add(name ?? "");
  return ids;
}

/** Leaves adopted but not yet embedded documents to the server. */
async function embedStores(context: ImportContext, needs: ImportNeeds): Promise<void> {
  if (context.dryRun) return;
  for await (const { id, name } of rowsOf(context, "document_store")) {
    const loaders = await needs.documentStores.adoption.settle(id);
    if (loaders.length > 0) await embed(context, needs, { id, name: name ?? id, loaders });
  }
}

type Embedded = { id: string; name: string; loaders: readonly { loaderId: string; chunks: number }[] };

async function embed({ report }: ImportContext, { documentStores }: ImportNeeds, { id, name, loaders }: Embedded) {
  const chunks = loaders.reduce((sum, loader) => sum + loader.chunks, 0);
  try {
    const ids = loaders.map(({ loaderId }) => loaderId);
    // Durable when it resolves; a server does the work.
    await documentStores.upserts.beginInsertOf(id, ids);
    report.embeds(name, chunks);
  } catch (cause) {
    if (!(cause instanceof WeftError)) throw cause;
    report.note(`The passages of the document store "${name}" are not embedded: ${cause.message} Upsert it.`);
  }
}

/** Tables of the other server without a counterpart here. */
const neverMoved = [
  ...["custom_template", "dataset", "dataset_row", "evaluation", "evaluation_run", "evaluator"],
  ...["user", "organization", "organization_user", "role", "workspace", "workspace_user", "workspace_shared"],
  ...["login_method", "login_activity", "login_sessions", "schedule_trigger_log"],
].filter((table) => !flowiseTables.some((moved) => moved === table));
