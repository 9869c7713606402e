export type { Database, Signals } from "./database.ts";
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
export { createIdSource } from "./id-source.ts";
export { listSchemaChanges, unknownChanges } from "./migrate.ts";
export { migrations } from "./migrations/migrations.ts";
export { type DatabaseReader, openDatabase, openReader, unfinishedRestoreFile } from "./open-database.ts";
export { prepareDirectory } from "./prepare-directory.ts";
export { prepareQuery } from "./prepared-query.ts";
export { createReadiness } from "./readiness.ts";
export {
  createSecretKey,
  followFile,
  readSecretFile,
  replaceSecretFile,
  secretKeyBytes,
  syncDirectory,
  syncFile,
} from "./secret-file.ts";
export { compactSqliteDatabase, copySqliteDatabase, readSpace } from "./sqlite/compact-sqlite-database.ts";
export { lockDirectory } from "./sqlite/directory-lock.ts";
export { DatabaseUnavailableError, isUniqueViolation, StorageError } from "./storage-error.ts";
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
export type { VectorCollectionRow, VectorRecordRow } from "./vector-tables.ts";
