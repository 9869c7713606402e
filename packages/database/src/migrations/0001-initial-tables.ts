import { type Kysely, sql } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createTable } from "./create-table.ts";

/** The first tables: identity, agents, messages, runs. */
export async function createInitialTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createIdentityTables(db, types);
  await createAgentTables(db, types);
  await createMessageTable(db, types);
  await createRunTables(db, types);
}

async function createIdentityTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, { name: "settings", columns: { name: "key", value: "text" } });
  await createTable(db, types, {
    name: "accounts",
    columns: {
      id: "key",
      email: "text",
      name: "text",
      passwordHash: "text",
      tokensValidFrom: "text",
      createdDate: "text",
      updatedDate: "text",
    },
  });
  await db.schema.createIndex("accountsByEmail").on("accounts").column("email").unique().execute();
  await createTable(db, types, { name: "revokedTokens", columns: { jti: "key", expiresAt: "text" } });
  await createTable(db, types, {
    name: "apiKeys",
    columns: {
      id: "key",
      keyName: "text",
      keyHash: "text",
      keyHint: "text",
      permissions: "text",
      createdDate: "text",
      updatedDate: "text",
      lastUsedDate: "nullable-text",
    },
  });
  await db.schema.createIndex("apiKeysByHash").on("apiKeys").column("keyHash").unique().execute();
  await createTable(db, types, {
    name: "credentials",
    columns: {
      id: "key",
      name: "text",
      credentialName: "text",
      encryptedData: "text",
      createdDate: "text",
      updatedDate: "text",
    },
  });
}

async function createAgentTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "agents",
    columns: {
      id: "key",
      name: "text",
      deployed: "integer",
      isPublic: "integer",
      apikeyid: "text",
      category: "text",
      type: "text",
      createdDate: "text",
      updatedDate: "text",
      versionId: "text",
      chatbotConfig: "text",
      apiConfig: "text",
      analytic: "text",
      speechToText: "text",
      // The longest text last: SQLite reaches the other columns without walking through it.
      flowData: "text",
    },
  });
  await db.schema.createIndex("agentsByUpdate").on("agents").columns(["updatedDate desc", "id"]).execute();
  await db.schema.createIndex("agentsByApiKey").on("agents").columns(["apikeyid", "updatedDate desc", "id"]).execute();
  // No reference to agents: a version outlives its agent while runs need it (G10).
  await createTable(db, types, {
    name: "agentVersions",
    columns: { id: "key", agentId: "text", number: "integer", createdDate: "text", flowData: "text" },
  });
  const versions = db.schema.createIndex("agentVersionsByNumber").on("agentVersions");
  await versions.columns(["agentId", "number"]).unique().execute();
}

async function createMessageTable(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  await createTable(db, types, {
    name: "chatMessages",
    isClustered: true,
    columns: {
      id: "key",
      role: "text",
      chatflowid: "text",
      chatType: "text",
      chatId: "text",
      memoryType: "text",
      sessionId: "text",
      createdDate: "text",
      leadEmail: "text",
      executionId: "nullable-text",
      content: "text",
      sourceDocuments: "text",
      usedTools: "text",
      fileAnnotations: "text",
      agentReasoning: "text",
      fileUploads: "text",
      action: "text",
    },
  });
  const messages = (name: string) => db.schema.createIndex(name).on("chatMessages");
  await messages("chatMessagesBySession").columns(["chatflowid", "sessionId", "createdDate", "id"]).execute();
  await messages("chatMessagesByAgent").columns(["chatflowid", "createdDate", "id"]).execute();
  await messages("chatMessagesByChat").columns(["chatId", "createdDate", "id"]).execute();
}

async function createRunTables(db: Kysely<unknown>, types: ColumnTypes): Promise<void> {
  // No references between these tables and agents: deleting an agent leaves its runs whole (G10).
  await createTable(db, types, {
    name: "runs",
    isClustered: true,
    columns: {
      id: "key",
      agentId: "text",
      agentVersionId: "text",
      chatId: "text",
      sessionId: "text",
      chatType: "text",
      status: "text",
      lastSeq: "integer",
      leaseEpoch: "integer",
      leaseOwner: "nullable-text",
      leaseUntil: "integer",
      cancelRequested: "integer",
      createdDate: "text",
      updatedDate: "text",
      stoppedDate: "nullable-text",
    },
  });
  const runs = (name: string) => db.schema.createIndex(name).on("runs");
  await runs("runsByChat").columns(["agentId", "chatId", "createdDate", "id"]).execute();
  // Recovery reads these few rows every few seconds. No index contains `leaseUntil`: renewing a lease moves no entry.
  await runs("runsRunning").columns(["createdDate", "id"]).where(sql<boolean>`"status" = 'running'`).execute();
  await runs("runsLeased").column("leaseOwner").where(sql<boolean>`"leaseOwner" is not null`).execute();
  await createTable(db, types, {
    name: "runEvents",
    isClustered: true,
    columns: { runId: "key", seq: "integer-key", at: "integer", type: "text", event: "text" },
  });
}
