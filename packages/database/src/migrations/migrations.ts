import type { Kysely } from "kysely";
import type { ColumnTypes } from "../column-types.ts";
import { createInitialTables } from "./0001-initial-tables.ts";
import { createResourceTables } from "./0002-resource-tables.ts";
import { createTriggerTables } from "./0003-triggers.ts";
import { createExecutionLists } from "./0004-executions.ts";
import { createDocumentStoreTables } from "./0005-document-stores.ts";
import { createVectorTables } from "./0006-vector-tables.ts";
import { createDocumentFileParts } from "./0007-document-file-parts.ts";
import { addCredentialHosts } from "./0009-credential-hosts.ts";
import { createVisitorLimits } from "./0011-visitor-limits.ts";
import { addChatOwners } from "./0012-chat-owners.ts";
import { createWebhookDeliveries } from "./0013-webhook-deliveries.ts";
import { addAddedPassages } from "./0014-added-passages.ts";
import { createFileParts } from "./0016-file-parts.ts";
import { addRunTurns } from "./0017-run-turns.ts";

export type SchemaChange = (db: Kysely<unknown>, types: ColumnTypes) => Promise<void>;

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
};
