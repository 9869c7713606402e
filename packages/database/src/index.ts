export type { Commit, Database, ReadableDatabase, Signals, WritableDatabase } from "./database.ts";
export { type IdRange, idRanges, inIdRange } from "./id-ranges.ts";
export { createIdSource } from "./id-source.ts";
export { escapeLike, isLike } from "./like.ts";
export {
  type DatabaseReader,
  openDatabase,
  openReader,
  prepareDirectory,
  unfinishedRestoreFile,
} from "./open-database.ts";
export { prepareQuery } from "./prepared-query.ts";
export { createReadiness } from "./readiness.ts";
export { findSetting, saveSetting } from "./settings.ts";
export { DatabaseUnavailableError, isConstraintViolation, isUniqueViolation, StorageError } from "./storage-error.ts";
export { keepUntilChange } from "./table-changes.ts";
export type * from "./tables.ts";
