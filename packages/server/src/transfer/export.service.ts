import type { Tables } from "@weft/database";
import {
  type ExportFile,
  exportFormat,
  exportFormatVersion,
  type JsonObject,
  parseTextList,
  toJsonObject,
  toMoment,
} from "@weft/schema";
import { createPause } from "@weft/workers";
import type { Kysely } from "kysely";
import type { Config } from "../config.ts";
import { listSecretValues } from "../credentials/index.ts";
import { version } from "../version.ts";
import { createSecretStripper, isSecretName, type SecretStripper } from "./strip-secrets.ts";

/** Whether all saved flows of an agent are exported, or only the current one. */
export type ExportedVersions = "all" | "current";

/** Exports the installation without its secrets. It only reads, so it works beside a running server. */
export type ExportService = {
  read(versions: ExportedVersions): Promise<ExportFile>;
  /** The file as JSON text. */
  text(versions: ExportedVersions): Promise<string>;
};

/** `now`: milliseconds since the epoch. */
export function createExportService(db: Kysely<Tables>, config: Config, now: () => number): ExportService {
  async function read(versions: ExportedVersions): Promise<ExportFile> {
    const strip = await openSecretStripper(db, config);
    const lists = {
      variables: await readVariables(db, strip),
      tools: await readTools(db, strip),
      documentStores: await readStores(db, strip),
      agents: await readAgents(db, strip, versions),
      assistants: await readAssistants(db, strip),
    };
    return {
      format: exportFormat,
      formatVersion: exportFormatVersion,
      productVersion: version,
      createdDate: toMoment(now()),
      ...lists,
      credentials: await readReferences(db, lists),
    };
  }

  return { read, text: async (versions) => toText(await read(versions)) };
}

/** The JSON text, written entry by entry, so that the event loop keeps turning. */
async function toText(file: ExportFile): Promise<string> {
  const pause = createPause();
  const parts: string[] = [];
  for (const [name, value] of Object.entries(file)) {
    if (!Array.isArray(value)) {
      parts.push(`  ${JSON.stringify(name)}: ${JSON.stringify(value)}`);
      continue;
    }
    const entries: string[] = [];
    for (const entry of value) {
      entries.push(`\n    ${JSON.stringify(entry)}`);
      await pause();
    }
    parts.push(`  ${JSON.stringify(name)}: [${entries.join(",")}${entries.length > 0 ? "\n  " : ""}]`);
  }
  return `{\n${parts.join(",\n")}\n}\n`;
}

/** Removes the values of all stored credentials and of the operator's environment, and what looks like a secret. */
export async function openSecretStripper(db: Kysely<Tables>, config: Config): Promise<SecretStripper> {
  const { dataDir, encryptionKey: given } = config;
  return createSecretStripper([...(await listSecretValues(db, { dataDir, given })), ...operatorSecrets(config)]);
}

/** Secrets in the operator's environment. */
function operatorSecrets(config: Config): string[] {
  const { databaseUrl, redis, encryptionKey, jwtKey, admin, accounts, runtimeVariables } = config;
  const keys = Object.values(accounts).map(({ apiKey }) => apiKey);
  return [databaseUrl, redis?.url, encryptionKey, jwtKey, admin?.password, ...keys, ...runtimeVariables.values()]
    .map((secret) => secret?.reveal() ?? "")
    .filter((value) => value !== "");
}

async function readVariables(db: Kysely<Tables>, strip: SecretStripper): Promise<JsonObject[]> {
  const rows = await db.selectFrom("variables").selectAll().orderBy("updatedDate").orderBy("id").execute();
  return rows.map(({ value, ...row }) => {
    const isKept = value !== null && row.type !== "runtime" && !isSecretName(row.name);
    const kept = isKept ? strip.text(value) : null;
    // An import would reject a number variable whose value was replaced by text.
    return { ...row, value: kept !== value && row.type === "number" ? null : kept };
  });
}

async function readTools(db: Kysely<Tables>, strip: SecretStripper): Promise<JsonObject[]> {
  const rows = await db.selectFrom("tools").selectAll().orderBy("updatedDate").orderBy("id").execute();
  return strippedInTurns(rows, strip);
}

async function readAssistants(db: Kysely<Tables>, strip: SecretStripper): Promise<JsonObject[]> {
  const rows = await db.selectFrom("assistants").selectAll().orderBy("updatedDate").orderBy("id").execute();
  return strippedInTurns(
    rows.map(({ versionId: _, details, ...row }) => ({ ...row, details: toJsonObject(JSON.parse(details)) })),
    strip,
  );
}

async function readAgents(db: Kysely<Tables>, strip: SecretStripper, which: ExportedVersions): Promise<JsonObject[]> {
  // An agent's current version exists when the agent is read, and newer ones are left out.
  const rows = await db.selectFrom("agents").selectAll().orderBy("updatedDate").orderBy("id").execute();
  const agents: JsonObject[] = [];
  for (const { flowData, versionId, apikeyid, deployed, isPublic, ...row } of rows) {
    const saved = await readVersions(db, { agentId: row.id, currentId: versionId, which });
    const versions = saved.length > 0 ? saved : [{ flowData, createdDate: row.updatedDate }];
    const needsApiKey = apikeyid !== "";
    const flags = { deployed: deployed === 1, isPublic: isPublic === 1 && !needsApiKey, needsApiKey };
    agents.push(...(await strippedInTurns([{ ...row, ...flags, versions }], strip)));
  }
  return agents;
}

type Wanted = { agentId: string; currentId: string; which: ExportedVersions };

/** Oldest first, up to the current one. */
async function readVersions(db: Kysely<Tables>, { agentId, currentId, which }: Wanted) {
  const saved = db
    .selectFrom("agentVersions")
    .select(["id", "flowData", "createdDate", "name", "note"])
    .where("agentId", "=", agentId)
    .where("number", ">", 0);
  const wanted = which === "all" ? saved : saved.where("id", "=", currentId);
  const versions = await wanted.orderBy("number").execute();
  const end = versions.findIndex(({ id }) => id === currentId) + 1;
  return versions.slice(0, end).map(({ id: _, name, note, ...version }) => ({
    ...version,
    ...(name && { name }),
    ...(note && { note }),
  }));
}

async function readStores(db: Kysely<Tables>, strip: SecretStripper): Promise<JsonObject[]> {
  const stores = await db.selectFrom("documentStores").selectAll().orderBy("updatedDate").orderBy("id").execute();
  const loaders = await db.selectFrom("documentLoaders").selectAll().orderBy("createdDate").orderBy("id").execute();
  const files = await db.selectFrom("documentFiles").select(["storeId", "name"]).orderBy("name").execute();
  const questions = await db.selectFrom("documentQuestions").selectAll().orderBy("createdDate").orderBy("id").execute();
  const checks = await db.selectFrom("documentChecks").select("storeId").where("isOn", "=", 1).execute();
  const checked = new Set(checks.map(({ storeId }) => storeId));
  const entries = stores.map((row) => ({
    ...row,
    questionSet: {
      questions: questions.filter(({ storeId }) => storeId === row.id).map(toQuestion),
      checkAfterIndexing: checked.has(row.id),
    },
    loaders: loaders.filter(({ storeId }) => storeId === row.id).flatMap(toLoader),
    files: files.filter(({ storeId }) => storeId === row.id).map(({ name }) => name),
  }));
  return strippedInTurns(entries, strip);
}

function toQuestion({ question, relevant, words }: Tables["documentQuestions"]): JsonObject {
  return { question, relevant: parseTextList(relevant), words: parseTextList(words) };
}

/** A loader as a store's body names it. One that reads uploaded files is omitted, since it is nothing without them. */
function toLoader(row: Tables["documentLoaders"]): JsonObject[] {
  const loaderConfig = toJsonObject(JSON.parse(row.loaderConfig));
  if (Array.isArray(loaderConfig.files) && loaderConfig.files.length > 0) return [];
  return [
    {
      id: row.id,
      loaderId: row.loader,
      loaderName: row.loaderName,
      loaderConfig,
      splitterId: row.splitter,
      splitterConfig: toJsonObject(JSON.parse(row.splitterConfig)),
      metadata: toJsonObject(JSON.parse(row.metadata)),
    },
  ];
}

async function strippedInTurns(entries: readonly JsonObject[], strip: SecretStripper): Promise<JsonObject[]> {
  const pause = createPause();
  const stripped: JsonObject[] = [];
  for (const entry of entries) {
    stripped.push(strip.value(entry));
    await pause();
  }
  return stripped;
}

/** The credentials that the lists name, and the webhook secrets of their agents: neither values nor hosts. */
async function readReferences(db: Kysely<Tables>, lists: Record<string, JsonObject[]>): Promise<JsonObject[]> {
  const text = Object.values(lists)
    .flat()
    .map((entry) => JSON.stringify(entry));
  const credentials = await db
    .selectFrom("credentials")
    .select(["id", "name", "credentialName"])
    .orderBy("name")
    .execute();
  return credentials.filter(
    ({ id, credentialName }) => credentialName === "webhookSecret" || text.some((one) => one.includes(id)),
  );
}
