/** Where storage reports what happens between requests, such as a lost connection. */
export type StorageLogger = { error(message: string, fields: Record<string, unknown>): void };
