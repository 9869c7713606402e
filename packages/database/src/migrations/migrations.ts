import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createInitialTables } from "./0001-initial-tables.ts";
import { createResourceTables } from "./0002-resource-tables.ts";
import { createTriggerTables } from "./0003-triggers.ts";
import { createDocumentStoreTables } from "./0005-document-stores.ts";
import { createVectorTables } from "./0006-vector-tables.ts";
import { addChatOwners } from "./0012-chat-owners.ts";
import { createWebhookDeliveries } from "./0013-webhook-deliveries.ts";
import { addRunTurns } from "./0017-run-turns.ts";
import { addRunCosts } from "./0026-run-costs.ts";
import { createStoreQuestions } from "./0029-store-questions.ts";
import { createDocumentFingerprints } from "./0030-document-fingerprints.ts";
import { createStoreChecks } from "./0031-store-checks.ts";
import { createIdentityProviders } from "./0043-identity-providers.ts";
import { createAudit } from "./0044-audit.ts";
import { createNotices } from "./0045-notices.ts";
import { createTable } from "./create-table.ts";

type SchemaChange = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

/**
 * Every change of the schema, in order of name. A released entry is never edited, renamed or removed: installations
 * remember it by name. Each runs once, in a transaction.
 */
export const migrations: Readonly<Record<string, SchemaChange>> = {
  "0001-initial-tables": createInitialTables,
  "0002-resource-tables": createResourceTables,
  "0003-triggers": createTriggerTables,
  "0004-executions": createExecutionLists,
  "0005-document-stores": createDocumentStoreTables,
  "0006-vector-tables": createVectorTables,
  "0007-document-file-parts": createDocumentFileParts,
  "0009-credential-hosts": addCredentialHosts,
  "0011-visitor-limits": createVisitorLimits,
  "0012-chat-owners": addChatOwners,
  "0013-webhook-deliveries": createWebhookDeliveries,
  "0014-added-passages": addAddedPassages,
  "0016-file-parts": createFileParts,
  "0017-run-turns": addRunTurns,
  "0018-run-due-times": addRunDueTimes,
  "0019-change-signals": addChangeSignals,
  "0020-lists-by-end": turnListsAround,
  "0021-ready-runs": indexReadyRuns,
  "0022-message-indexes": separateMessageIndexes,
  "0023-limits": createLimits,
  "0024-processes": createProcesses,
  "0025-agent-drafts": createAgentDrafts,
  "0026-run-costs": addRunCosts,
  "0027-imported-runs": createImportedRuns,
  "0028-retrieval-settings": addRetrievalSettings,
  "0029-store-questions": createStoreQuestions,
  "0030-document-fingerprints": createDocumentFingerprints,
  "0031-store-checks": createStoreChecks,
  "0032-budgets": createBudgets,
  "0033-prompt-parts": createPromptParts,
  "0034-chats-of-loaders": addChatsOfLoaders,
  "0035-confirmed-destinations": addConfirmations,
  "0038-people": addPeople,
  "0039-authors": addAuthors,
  "0040-version-notes": addVersionNotes,
  "0041-conversations": addConversations,
  "0042-version-names": addVersionNames,
  "0043-identity-providers": createIdentityProviders,
  "0044-audit": createAudit,
  "0045-notices": createNotices,
  "0046-hand-overs": addHandOvers,
};

/**
 * People who answer in place of an agent: what they wrote has an author, and a conversation has a row once someone did
 * something with it. The newest messages of all agents are found by an expression that no other query sorts by.
 */
async function addConversations(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("chatMessages").addColumn("author", types.text).execute();
  await sql`create index "chatMessagesByDate" on "chatMessages" (('' || "createdDate"))`.execute(db);
  await createTable(db, types, {
    name: "conversations",
    columns: {
      agentId: "key",
      chatId: "key",
      owner: "key",
      takenBy: "nullable-text",
      takenOwner: "nullable-text",
      takenName: "text",
      takenDate: "nullable-text",
      labels: "text",
      note: "text",
      events: "text",
    },
  });
  if (types.dialect === "postgres") await signalChangesOf(db, "conversations");
}

/** Conversations whose agents ask for a person. Null: none. */
async function addHandOvers(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const column of ["askedDate", "askedReason"]) {
    await db.schema.alterTable("conversations").addColumn(column, types.text).execute();
  }
  const asking = db.schema.createIndex("conversationsAsking").on("conversations").columns(["agentId", "askedDate"]);
  await asking.where(sql<boolean>`"askedDate" is not null`).execute();
}

/** What people call a version of a flow. Null: nothing but its number. */
async function addVersionNames(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("agentVersions").addColumn("name", types.text).execute();
}

/** What people write about a version of a flow. Null: nothing. */
async function addVersionNotes(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("agentVersions").addColumn("note", types.text).execute();
}

/** Who saved a version of a flow. Null: an earlier release, or an import. */
async function addAuthors(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("agentVersions").addColumn("createdBy", types.text).execute();
}

/**
 * Accounts have a role: until now each could do everything. API keys may belong to an account, and links invite people
 * or let them choose a new password.
 */
async function addPeople(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("accounts")
    .addColumn("role", types.text, (column) => column.notNull().defaultTo("owner"))
    .execute();
  await db.schema.alterTable("apiKeys").addColumn("ownerId", types.text).execute();
  const columns = {
    id: "key",
    kind: "text",
    email: "text",
    role: "text",
    tokenHash: "text",
    createdBy: "text",
  } as const;
  await createTable(db, types, {
    name: "accountLinks",
    columns: { ...columns, createdDate: "text", expiresDate: "text" },
  });
  await db.schema.createIndex("accountLinksByToken").unique().on("accountLinks").column("tokenHash").execute();
}

/** Who allowed a credential's destinations, and who created it. Null: it is older, or nobody did yet. */
async function addConfirmations(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const column of ["confirmations", "createdBy"])
    await db.schema.alterTable("credentials").addColumn(column, types.text).execute();
}

/** Loaders of a chat's content record the chat. */
async function addChatsOfLoaders(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const column of ["chatAgentId", "chatId"]) {
    await db.schema
      .alterTable("documentLoaders")
      .addColumn(column, types.text, (made) => made.notNull().defaultTo(""))
      .execute();
  }
  const isOfChat = sql<boolean>`"chatId" <> ''`;
  const loaders = db.schema
    .createIndex("documentLoadersByChat")
    .on("documentLoaders")
    .columns(["chatId", "chatAgentId"]);
  await loaders.where(isOfChat).execute();
}

/** Messages sent to models in chats, each stored once. Earlier prompts are in the events of their runs. */
async function createPromptParts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "promptParts",
    columns: { agentId: "key", chatId: "key", owner: "key", no: "integer-key", hash: "text", message: "text" },
  });
  const columns = ["agentId", "chatId", "owner", "hash"];
  await db.schema.createIndex("promptPartsByHash").unique().on("promptParts").columns(columns).execute();
}

/** Usage of runs: a row a day for an agent, a chat or an address, and one, without a day, for a run. */
async function createBudgets(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "budgets",
    columns: {
      name: "key",
      day: "key",
      changedDay: "text",
      runs: "integer",
      modelCalls: "integer",
      toolCalls: "integer",
      steps: "integer",
      tokens: "integer",
      costNanos: "integer",
      bytes: "integer",
      accounts: "text",
    },
  });
}

/** How stores are searched. Existing ones keep plain search. */
async function addRetrievalSettings(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("documentStores")
    .addColumn("retrievalConfig", types.text, (column) => column.notNull().defaultTo("{}"))
    .execute();
}

/** Steps of runs imported from another server, which have no journal here. Deleted with their run. */
async function createImportedRuns(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("importedRuns")
    .addColumn("runId", types.text, (column) => column.notNull())
    .addColumn("flowState", types.text, (column) => column.notNull())
    .addColumn("executionData", types.text, (column) => column.notNull())
    .addPrimaryKeyConstraint("importedRunsKey", ["runId"])
    .addForeignKeyConstraint("importedRunsRun", ["runId"], "runs", ["id"], (key) => key.onDelete("cascade"))
    .execute();
}

/** The edited flow of an agent, beside the published one. Test runs, which are few, are found by their flow. */
async function createAgentDrafts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "agentDrafts",
    columns: {
      agentId: "key",
      flowData: "text",
      pins: "text",
      savedBy: "text",
      versionId: "nullable-text",
      updatedDate: "text",
    },
  });
  const isTest = sql<boolean>`"chatType" = 'INTERNAL'`;
  await db.schema.createIndex("testRunsByVersion").on("runs").columns(["agentVersionId"]).where(isTest).execute();
}

/**
 * Recent requests of clients, counted across processes. PostgreSQL does not log the table, and empties it after a
 * crash. Pages have room for rows that are updated frequently. SQLite has one process.
 */
async function createLimits(db: Kysely<unknown>, { dialect, text }: ColumnTypes): Promise<void> {
  if (dialect === "sqlite") return;
  await sql`
    create unlogged table "limits" ("name" ${text} primary key, "count" bigint not null,
      "untilMs" float8 not null, "isCounted" boolean not null) with (fillfactor = 50)`.execute(db);
}

/**
 * Enters the newest run at the end of an index, where pages are filled, and not at its start, where every page stays
 * half empty. Lists read them backwards, in the same order as before.
 */
async function turnListsAround(db: Kysely<unknown>): Promise<void> {
  const isPaused = sql<boolean>`"status" <> 'running'`;
  for (const [name, of] of [
    ["runsByDate", []],
    ["runsByAgent", ["agentId"]],
    ["runsByOwner", ["owner"]],
  ] as const) {
    await db.schema.dropIndex(name).execute();
    const columns = [...of, "updatedDate", "id desc"];
    await db.schema.createIndex(name).on("runs").columns(columns).where(isPaused).execute();
  }
}

/**
 * Leaves exactly one index per query for messages: PostgreSQL, before it has statistics, picks any of those that look
 * equally narrow, and then read all messages of an owner for those of a session. The owner is an expression, which only
 * the list of an owner's messages uses; the agent narrows a chat, whose messages are sorted when they are read.
 */
async function separateMessageIndexes(db: Kysely<unknown>): Promise<void> {
  for (const name of ["chatMessagesByOwner", "chatMessagesByChat"]) await db.schema.dropIndex(name).execute();
  await sql`
    create index "chatMessagesByOwner" on "chatMessages" ("chatflowid", ("owner" || ''), "createdDate", "id")`.execute(
    db,
  );
  await db.schema.createIndex("chatMessagesByChat").on("chatMessages").columns(["chatId", "chatflowid"]).execute();
}

/** Processes that announce themselves, and the few runs that outlived theirs. */
async function createProcesses(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "processes",
    columns: {
      id: "key",
      role: "text",
      version: "text",
      host: "text",
      pid: "integer",
      startedAt: "integer",
      seenAt: "integer",
      runs: "integer",
      maxRuns: "nullable-integer",
      memoryBytes: "integer",
    },
  });
  const wasTakenOver = sql<boolean>`"takeOvers" > 0`;
  await db.schema.createIndex("runsTakenOver").on("runs").columns(["updatedDate", "id"]).where(wasTakenOver).execute();
}

/** Tables read more often than they change: processes cache what they read of them (`Database.changes`). */
const watchedTables = ["agents", "apiKeys", "assistants", "credentials", "settings", "variables", "tools"];

/** PostgreSQL tells every process which of these tables changed. SQLite has one process. */
async function addChangeSignals(db: Kysely<unknown>, { dialect }: ColumnTypes): Promise<void> {
  if (dialect === "sqlite") return;
  await sql`
    create function weft_table_changed() returns trigger language plpgsql as $$
    begin
      perform pg_notify('weft', 'table-changed ' || tg_table_name);
      return null;
    end $$`.execute(db);
  for (const table of watchedTables) await signalChangesOf(db, table);
}

async function signalChangesOf(db: Kysely<unknown>, table: string): Promise<void> {
  await sql`
    create trigger weft_changed after insert or update or delete or truncate on ${sql.table(table)}
    for each statement execute function weft_table_changed()`.execute(db);
}

/** Runs that wait for a process, by agent. One that its accepting process works on is never entered. */
async function indexReadyRuns(db: Kysely<unknown>): Promise<void> {
  const isReady = sql<boolean>`"status" = 'running' and "leaseOwner" is null and "dueAt" is null`;
  const index = db.schema.createIndex("runsReady").on("runs").columns(["agentId", "createdDate", "id"]);
  await index.where(isReady).execute();
}

/** When a waiting run resumes by itself. Earlier runs wait only for people. */
async function addRunDueTimes(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("runs").addColumn("dueAt", types.integer).execute();
  await db.schema
    .createIndex("runsDue")
    .on("runs")
    .columns(["dueAt", "id"])
    .where(sql<boolean>`"dueAt" is not null`)
    .execute();
}

/** Long files of chats are stored in parts, which are deleted with their file. Earlier ones stay in their rows. */
async function createFileParts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("fileParts")
    .addColumn("fileId", types.text, (column) => column.notNull())
    .addColumn("partNo", types.integer, (column) => column.notNull())
    .addColumn("bytes", types.bytes, (column) => column.notNull())
    .addPrimaryKeyConstraint("filePartsKey", ["fileId", "partNo"])
    .addForeignKeyConstraint("filePartsFile", ["fileId"], "files", ["id"], (key) => key.onDelete("cascade"))
    .execute();
}

/**
 * Chunks record whether they stay beside what their loader reads now; existing ones were read by it. Leads are found by
 * their chat.
 */
async function addAddedPassages(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema
    .alterTable("documentChunks")
    .addColumn("isAdded", types.integer, (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.createIndex("leadsByChat").on("leads").columns(["chatflowid", "chatId"]).execute();
}

/** Where accounts have logged in from, and the owner of chat files: unknown for existing rows. */
async function createVisitorLimits(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "accountNetworks",
    columns: { accountId: "key", networkHash: "key", usedDate: "text" },
  });
  await db.schema.alterTable("files").addColumn("owner", types.text).execute();
  const files = (name: string, columns: string[]) => db.schema.createIndex(name).on("files").columns(columns);
  await files("filesByDate", ["createdDate", "agentId", "chatId"]).execute();
  // Visitors' storage is counted without reading the files themselves.
  const isVisitors = sql<boolean>`"owner" = 'anonymous'`;
  await files("filesOfVisitors", ["agentId", "chatId", "sizeBytes"]).where(isVisitors).execute();
}

/** Hosts that a credential is bound to. Null marks credentials whose hosts are still to be read from flows. */
async function addCredentialHosts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await db.schema.alterTable("credentials").addColumn("hosts", types.text).execute();
}

/** Files of document stores are stored in parts. An existing one becomes a single part. */
async function createDocumentFileParts(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "documentFileParts",
    columns: { fileId: "key", partNo: "integer-key", bytes: "bytes" },
  });
  const columns = [sql.ref("fileId"), sql.ref("partNo"), sql.ref("bytes")];
  await sql`
    insert into ${sql.table("documentFileParts")} (${sql.join(columns)})
    select ${sql.ref("id")}, 0, ${sql.ref("bytes")} from ${sql.table("documentFiles")}
  `.execute(db);
  await db.schema.alterTable("documentFiles").dropColumn("bytes").execute();
}

/** Data shown in lists of runs, stored beside the runs, and the orders of these lists. */
async function createExecutionLists(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  for (const column of ["errorCode", "summary"]) {
    await db.schema.alterTable("runs").addColumn(column, types.text).execute();
  }
  const runs = (name: string, columns: string[]) => db.schema.createIndex(name).on("runs").columns(columns);
  // A run updates its date with every step; only one that pauses or ends is entered here, once.
  const isPaused = sql<boolean>`"status" <> 'running'`;
  await runs("runsByDate", ["updatedDate desc", "id"]).where(isPaused).execute();
  await runs("runsByAgent", ["agentId", "updatedDate desc", "id"]).where(isPaused).execute();
  // Most runs are completed, and in no such list.
  const isSpecial = sql<boolean>`"status" <> 'running' and "status" <> 'completed'`;
  await runs("runsByStatus", ["status", "updatedDate desc", "id"]).where(isSpecial).execute();
}
