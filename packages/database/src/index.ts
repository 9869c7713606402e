export type { Database } from "./database.ts";
export type {
  DocumentChunkRow,
  DocumentCollectionRow,
  DocumentFilePartRow,
  DocumentFileRow,
  DocumentLoaderRow,
  DocumentRecordRow,
  DocumentStoreRow,
  UpsertJobRow,
} from "./document-tables.ts";
export { followFile } from "./followed-file.ts";
export { createIdSource } from "./id-source.ts";
export { migrations } from "./migrations/migrations.ts";
export { openDatabase } from "./open-database.ts";
export { type DatabaseReader, openReader } from "./open-reader.ts";
export { prepareDirectory } from "./prepare-directory.ts";
export { prepareQuery } from "./prepared-query.ts";
export { createReadiness } from "./readiness.ts";
export { listSchemaChanges, unknownChanges } from "./schema-changes.ts";
export { createSecretKey, readSecretFile, replaceSecretFile, secretKeyBytes } from "./secret-file.ts";
export type { Signals } from "./signals.ts";
export { compactSqliteDatabase, readSpace } from "./sqlite/compact-sqlite-database.ts";
export { copySqliteDatabase } from "./sqlite/copy-sqlite-database.ts";
export { lockDirectory } from "./sqlite/directory-lock.ts";
export { StorageError } from "./storage-error.ts";
export { syncDirectory, syncFile } from "./sync-files.ts";
export type {
  AccountRow,
  AgentRow,
  AgentVersionRow,
  ApiKeyRow,
  AssistantRow,
  CallbackDeliveryRow,
  CallbackRow,
  ChatMessageRow,
  CredentialRow,
  FeedbackRow,
  FilePartRow,
  FileRow,
  LeadRow,
  RunEventRow,
  RunRow,
  ScheduleFiringRow,
  ScheduleRow,
  Tables,
  ToolRow,
  UpsertHistoryRow,
  VariableRow,
} from "./tables.ts";
export { DatabaseUnavailableError } from "./unavailability.ts";
export { unfinishedRestoreFile } from "./unfinished-restore.ts";
export { isUniqueViolation } from "./unique-violation.ts";
export type { VectorCollectionRow, VectorRecordRow } from "./vector-tables.ts";
