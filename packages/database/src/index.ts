export type { Database, Signals } from "./database.ts";
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
export type * from "./tables.ts";
