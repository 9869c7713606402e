import type { FlowiseRow, FlowiseTable } from "./flowise-tables.ts";

export type OpenFlowiseOptions = {
  /** A SQLite file, or an address that starts with `postgres://`, `postgresql://`, `mysql://` or `mariadb://`. */
  database?: string | undefined;
  /** An `ExportData.json`, instead of a database. */
  exportFile?: string | undefined;
  /** The text of `encryption.key`, or of `FLOWISE_SECRETKEY_OVERWRITE`. */
  key?: string | undefined;
  /** The folder with uploaded files. */
  storage?: string | undefined;
};

/**
 * A Flowise installation, as it was when it was opened: one read transaction lasts until `close`. SQLite without WAL lets
 * Flowise write nothing meanwhile. Times without a zone are taken for UTC, which Flowise writes unless its host or its
 * database server has another time zone.
 */
export type FlowiseSource = {
  readonly kind: "sqlite" | "postgres" | "mysql" | "export";
  /** Empty before 3.x and in an export, which holds one workspace. */
  readonly workspaces: readonly { id: string; name: string }[];
  /**
   * Yields pages of at most 1,000 rows, oldest first: by `createdDate` (`date` of `upsert_history`), questions before
   * answers of the same moment, then by id. Chunks come by store, document and number. Tables that the version lacks have
   * no rows. Several iterations may be under way at once.
   *
   * `workspace` keeps the rows of that workspace: where a table names none, those whose flow or store belongs to it.
   * Iterating rejects with `FlowiseSourceError` if the installation has no such workspace, or cannot be read any more.
   */
  rows<T extends FlowiseTable>(table: T, options?: { workspace?: string | undefined }): AsyncIterable<FlowiseRow<T>[]>;
  /**
   * Counts the rows of any table of Flowise: 0 where the table is missing. With `workspace` as `rows`; tables that belong
   * to no workspace are counted whole.
   */
  count(table: string, options?: { workspace?: string | undefined }): Promise<number>;
  /** Opens `credential.encryptedData`, `chat_flow.webhookSecret` and `custom_mcp_server.authConfig`. */
  unseal(sealed: string): Unsealed;
  /**
   * Yields the files of a document store, of a flow's loaders, or of a chat, by name: none without a storage folder.
   * Symbolic links below the storage folder are not followed.
   */
  files(of: { store: string } | { flow: string; chat?: string | undefined }): AsyncIterable<FlowiseFile>;
  close(): Promise<void>;
};

/**
 * `wrong-key`: sealed with another key, or damaged afterwards, which cannot be told apart. `secrets-manager`: the name of
 * a secret in AWS Secrets Manager. `damaged`: not a sealed text.
 */
export type Unsealed =
  | { fields: Record<string, unknown> }
  | { reason: "no-key" | "wrong-key" | "secrets-manager" | "damaged" };

export type FlowiseFile = {
  readonly name: string;
  readonly sizeBytes: number;
  /** Rejects with `FlowiseSourceError` if the file has gone or cannot be read. */
  read(): Promise<Uint8Array>;
};
