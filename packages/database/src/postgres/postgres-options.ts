import type { StorageLogger } from "../storage-logger.ts";

export type PostgresOptions = { databaseUrl: string; logger?: StorageLogger | undefined };
