export type { Commit, Database, Signals } from "./database.ts";
export { createIdSource } from "./id-source.ts";
export { type DatabaseReader, openDatabase, openReader, unfinishedRestoreFile } from "./open-database.ts";
export { prepareDirectory } from "./prepare-directory.ts";
export { prepareQuery } from "./prepared-query.ts";
export { createReadiness } from "./readiness.ts";
export { DatabaseUnavailableError, isConstraintViolation, isUniqueViolation, StorageError } from "./storage-error.ts";
export { keepUntilChange } from "./table-changes.ts";
export type * from "./tables.ts";
