import { prepareQuery, type Tables } from "@weft/database";
import type { Reach } from "@weft/http/identity";
import { defineRows } from "@weft/http/rows";
import {
  type Agent,
  type AgentCreate,
  type AgentUpdate,
  agentTypeSchema,
  type VersionTexts,
  WeftError,
} from "@weft/schema";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";

export type AgentRow = {
  id: string;
  name: string;
  flowData: string;
  deployed: number;
  isPublic: number;
  apikeyid: string;
  chatbotConfig: string;
  apiConfig: string;
  analytic: string;
  speechToText: string;
  category: string;
  type: string;
  createdDate: string;
  updatedDate: string;
  /** Id of the version that new runs use. */
  versionId: string;
};

/** A saved flow. Only its name and its note are ever changed: runs keep the version they began with. */
export type AgentVersionRow = {
  id: string;
  agentId: string;
  /** 1, 2, 3 … per agent. Flows of drafts that test runs began with are counted downwards from -1, and listed nowhere. */
  number: number;
  flowData: string;
  createdDate: string;
  /** Display name of who saved it. Null: it is older than authors, or nobody did. */
  createdBy: string | null;
  /** Null: people call it by its number. */
  name: string | null;
  /** Null: nothing was written about it. */
  note: string | null;
};

declare module "@weft/database" {
  interface Tables {
    agents: AgentRow;
    agentVersions: AgentVersionRow;
  }
}

type Handle = Kysely<Tables>;

/** An agent without its flow: what a run needs beside the flow of its version. */
export type AgentSettingsRow = Omit<AgentRow, "flowData">;
/** Distinguishes the states of an agent. */
export type AgentHead = Pick<AgentRow, "id" | "versionId" | "updatedDate">;
export type AgentVersionHead = Omit<AgentVersionRow, "flowData">;
export type AgentFilter = {
  type?: string | undefined;
  apikeyid?: string | undefined;
  reach: { agents: Reach["agents"] };
};
export type Window = { offset: number; limit: number };

export const {
  get: getAgent,
  lock: lockAgent,
  insert: insertAgent,
  update: updateAgent,
  remove: deleteAgent,
  found: existingAgent,
} = defineRows<AgentRow>("agents", "agent");

const settingsColumns = [
  "id",
  "name",
  "deployed",
  "isPublic",
  "apikeyid",
  "chatbotConfig",
  "apiConfig",
  "analytic",
  "speechToText",
  "category",
  "type",
  "createdDate",
  "updatedDate",
  "versionId",
] as const satisfies readonly (keyof AgentSettingsRow)[];

/** Most recently updated first. */
export function listAgents(db: Handle, filter: AgentFilter, window?: Window): Promise<AgentRow[]> {
  return newestFirst(db, filter, window).selectAll().execute();
}

/** As `listAgents`. */
export function listAgentHeads(db: Handle, filter: AgentFilter, window?: Window): Promise<AgentHead[]> {
  return newestFirst(db, filter, window).select(["id", "versionId", "updatedDate"]).execute();
}

/** Agents without their flows: deployed ones first, then oldest first. */
export function listAgentSettings(db: Handle): Promise<AgentSettingsRow[]> {
  return db
    .selectFrom("agents")
    .select(settingsColumns)
    .orderBy("deployed", "desc")
    .orderBy("createdDate")
    .orderBy("id")
    .execute();
}

export async function countAgents(db: Handle, filter: AgentFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  return Number(row.total);
}

/** In any order; those that do not exist are left out. */
export function findAgents(db: Handle, ids: readonly string[]): Promise<AgentRow[]> {
  return db.selectFrom("agents").selectAll().where("id", "in", ids).execute();
}

export async function findAgentHead(db: Handle, id: string): Promise<AgentHead | undefined> {
  const [head] = await headOf(db, { id });
  return head;
}

const headOf = prepareQuery<{ id: string }, AgentHead>(["id"], (db, { id }) =>
  db.selectFrom("agents").select(["id", "versionId", "updatedDate"]).where("id", "=", id),
);

export async function hasAgent(db: Handle, id: string): Promise<boolean> {
  return (await idOf(db, { id })).length > 0;
}

/** As `hasAgent`, as a condition of a statement. */
export function isAgentThere(id: string): RawBuilder<SqlBool> {
  return sql<SqlBool>`exists (select 1 from ${sql.table("agents")} where "id" = ${id})`;
}

/** As `hasAgent`, locking the agent until the transaction ends, on both databases. */
export async function holdAgent(tx: Handle, id: string): Promise<boolean> {
  const held = await tx
    .updateTable("agents")
    .set((eb) => ({ name: eb.ref("name") }))
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  return held !== undefined;
}

const idOf = prepareQuery<{ id: string }, { id: string }>(["id"], (db, { id }) =>
  db.selectFrom("agents").select("id").where("id", "=", id),
);

export async function findAgentSettings(db: Handle, id: string): Promise<AgentSettingsRow | undefined> {
  const [row] = await settingsOf(db, { id });
  return row;
}

const settingsOf = prepareQuery<{ id: string }, AgentSettingsRow>(["id"], (db, { id }) =>
  db.selectFrom("agents").select(settingsColumns).where("id", "=", id),
);

export async function insertVersion(tx: Handle, row: AgentVersionRow): Promise<void> {
  await tx.insertInto("agentVersions").values(row).execute();
}

/** 0 if the agent has no version. */
export async function lastVersionNumber(tx: Handle, agentId: string): Promise<number> {
  const row = await tx
    .selectFrom("agentVersions")
    .select("number")
    .where("agentId", "=", agentId)
    .where("number", ">", 0)
    .orderBy("number", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? 0;
}

/** Newest first. */
export function listVersions(db: Handle, agentId: string): Promise<AgentVersionHead[]> {
  return db
    .selectFrom("agentVersions")
    .select(["id", "agentId", "number", "createdDate", "createdBy", "name", "note"])
    .where("agentId", "=", agentId)
    .where("number", ">", 0)
    .orderBy("number", "desc")
    .execute();
}

export function findVersion(db: Handle, agentId: string, number: number): Promise<AgentVersionRow | undefined> {
  return db
    .selectFrom("agentVersions")
    .selectAll()
    .where("agentId", "=", agentId)
    .where("number", "=", number)
    .executeTakeFirst();
}

/** Changes only what `texts` names. */
export async function updateVersionTexts(tx: Handle, id: string, { name, note }: VersionTexts): Promise<void> {
  const changes = { ...(name !== undefined && { name }), ...(note !== undefined && { note }) };
  if (Object.keys(changes).length === 0) return;
  await tx.updateTable("agentVersions").set(changes).where("id", "=", id).execute();
}

export async function findVersionFlow(db: Handle, versionId: string): Promise<string | undefined> {
  const row = await db.selectFrom("agentVersions").select("flowData").where("id", "=", versionId).executeTakeFirst();
  return row?.flowData;
}

/** Deletes the versions of an agent that no run started with. */
export async function deleteUnusedVersions(tx: Handle, agentId: string): Promise<void> {
  await tx
    .deleteFrom("agentVersions")
    .where("agentId", "=", agentId)
    .where("id", "not in", (eb) => eb.selectFrom("runs").select("agentVersionId").where("agentId", "=", agentId))
    .execute();
}

function newestFirst(db: Handle, filter: AgentFilter, window: Window | undefined) {
  const rows = filtered(db, filter).orderBy("updatedDate", "desc").orderBy("id");
  return window === undefined ? rows : rows.limit(window.limit).offset(window.offset);
}

function filtered(db: Handle, filter: AgentFilter) {
  let query = db.selectFrom("agents");
  if (filter.type !== undefined) query = query.where("type", "=", filter.type);
  if (filter.apikeyid !== undefined) query = query.where("apikeyid", "=", filter.apikeyid);
  const { agents } = filter.reach;
  return agents === "all" ? query : query.where("id", "in", [...agents]);
}

/** Additions of a create to the body. `now` is the moment of both dates. */
export type NewIdentity = { id: string; versionId: string; now: string };

/** The row of a new agent: fields missing in the body are unset. */
export function toNewRow(body: AgentCreate, { id, versionId, now }: NewIdentity): AgentRow {
  return {
    id,
    name: body.name,
    flowData: body.flowData,
    deployed: toFlag(body.deployed),
    isPublic: toFlag(body.isPublic),
    apikeyid: body.apikeyid ?? "",
    chatbotConfig: body.chatbotConfig ?? "{}",
    apiConfig: body.apiConfig ?? "{}",
    analytic: body.analytic ?? "{}",
    speechToText: body.speechToText ?? "{}",
    category: body.category ?? "",
    type: body.type ?? "AGENTFLOW",
    createdDate: now,
    updatedDate: now,
    versionId,
  };
}

/** Only the columns that an update names. */
export function toColumns({ deployed, isPublic, ...rest }: Omit<AgentUpdate, "version">): Partial<AgentRow> {
  const flags = {
    ...(deployed !== undefined && { deployed: toFlag(deployed) }),
    ...(isPublic !== undefined && { isPublic: toFlag(isPublic) }),
  };
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  return { ...Object.fromEntries(given), ...flags };
}

export function toAgent({ versionId: _, ...row }: AgentRow): Agent {
  return {
    ...row,
    deployed: row.deployed === 1,
    isPublic: row.isPublic === 1,
    type: agentTypeSchema.parse(row.type),
  };
}

/** Rejects with `not-found` what was not found. */
export function existingVersion<T>(found: T | undefined, agentId: string, number: number): T {
  if (found === undefined) {
    throw new WeftError("not-found", { params: { resource: `version of agent ${agentId}`, id: number } });
  }
  return found;
}

function toFlag(value: boolean | undefined): number {
  return value === true ? 1 : 0;
}
