import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Connection } from "mysql2/promise";
import { describeFlowise, type FlowiseContents, smallSizes } from "./flowise-contents.ts";
import type { Columns, ColumnType, FlowiseVersion } from "./flowise-schema.ts";
import type { ContentRow, FlowiseSizes, FlowiseValue } from "./row-basics.ts";

export { describeFlowise, type FlowiseContents } from "./flowise-contents.ts";
export type { FlowiseVersion } from "./flowise-schema.ts";
export { type ContentRow, idOf as flowiseId } from "./row-basics.ts";
export { sealFlowise } from "./seal-flowise.ts";

export type BuildOptions = {
  /** An empty folder for the files, and for the database where it is SQLite. */
  folder: string;
  /** Default 3.1.4. */
  version?: FlowiseVersion;
  sizes?: Partial<FlowiseSizes>;
  /** Fills this database in place of SQLite: tables go into its current schema. */
  postgres?: { query(text: string, values?: unknown[]): Promise<unknown> };
  mysql?: Connection;
};

export type BuiltFlowise = {
  contents: FlowiseContents;
  /** The SQLite file, which is not there where another database was given. */
  database: string;
  keyFile: string;
  storage: string;
};

/** Makes an installation of Flowise: a database, `encryption.key` and the storage folder. */
export async function buildFlowiseDatabase(options: BuildOptions): Promise<BuiltFlowise> {
  const { folder, version = "3.1.4", postgres, mysql } = options;
  const contents = describeFlowise(version, { ...smallSizes, ...options.sizes });
  const built = {
    contents,
    database: join(folder, "database.sqlite"),
    keyFile: join(folder, "encryption.key"),
    storage: join(folder, "storage"),
  };
  await writeFile(built.keyFile, contents.key);
  await writeStorage(contents, built.storage);
  if (postgres !== undefined) await fillPostgres(contents, postgres);
  else if (mysql !== undefined) await fillMysql(contents, mysql);
  else fillSqlite(contents, built.database);
  return built;
}

/** Writes the product's own backup of the first workspace. */
export async function writeFlowiseExport(contents: FlowiseContents, file: string): Promise<void> {
  const workspaceId = contents.workspaces[0]?.id;
  const isOwn = (row: ContentRow) => row.workspaceId === workspaceId;
  const owners = new Set(
    ["chat_flow", "document_store"].flatMap((table) => [...contents.rows(table)].filter(isOwn).map(({ id }) => id)),
  );
  const all = (table: string) =>
    [...contents.rows(table)].filter((row) =>
      "workspaceId" in row ? isOwn(row) : owners.has(row.chatflowid ?? row.storeId ?? null),
    );
  const ofType = (table: string, ...types: FlowiseValue[]) =>
    all(table).filter(({ type }) => types.includes(type ?? null));
  const content = {
    FileDefaultName: "ExportData.json",
    AgentFlow: ofType("chat_flow", "MULTIAGENT"),
    AgentFlowV2: ofType("chat_flow", "AGENTFLOW"),
    AssistantCustom: ofType("assistant", "CUSTOM"),
    AssistantFlow: ofType("chat_flow", "ASSISTANT"),
    AssistantOpenAI: ofType("assistant", "OPENAI"),
    AssistantAzure: ofType("assistant", "AZURE"),
    ChatFlow: ofType("chat_flow", "CHATFLOW", null),
    ChatMessage: all("chat_message"),
    ChatMessageFeedback: all("chat_message_feedback"),
    CustomTemplate: all("custom_template"),
    DocumentStore: all("document_store"),
    DocumentStoreFileChunk: all("document_store_file_chunk"),
    Execution: all("execution"),
    Tool: all("tool"),
    Variable: all("variable").map((row) => ({ ...row, value: "" })),
  };
  await writeFile(file, JSON.stringify(content));
}

async function writeStorage({ files }: FlowiseContents, storage: string): Promise<void> {
  await mkdir(storage, { recursive: true });
  for (const [path, text] of files) {
    await mkdir(dirname(join(storage, path)), { recursive: true });
    await writeFile(join(storage, path), text);
  }
}

type ColumnTypes = Readonly<Record<ColumnType, string>>;

const sqliteTypes: ColumnTypes = {
  id: "varchar",
  string: "varchar",
  text: "text",
  boolean: "boolean",
  integer: "integer",
  date: "datetime",
  moment: "datetime",
};

function fillSqlite(contents: FlowiseContents, file: string): void {
  using database = new DatabaseSync(file);
  database.exec("begin");
  for (const [table, columns] of contents.tables) {
    database.exec(toCreate(table, columns, { types: sqliteTypes, quote: '"' }));
    const names = Object.keys(columns);
    const insert = database.prepare(`insert into "${table}" values (${names.map(() => "?").join(", ")})`);
    for (const row of contents.rows(table)) {
      insert.run(...names.map((name) => toSqlite(row[name] ?? null, columns[name])));
    }
  }
  database.exec("commit");
}

function toSqlite(value: FlowiseValue, type: ColumnType | undefined): string | number | null {
  const kept = withoutZone(value, type);
  return typeof kept === "boolean" ? Number(kept) : kept;
}

const postgresTypes: ColumnTypes = {
  id: "uuid",
  string: "varchar",
  text: "text",
  boolean: "boolean",
  integer: "integer",
  date: "timestamp",
  moment: "timestamp",
};

async function fillPostgres(contents: FlowiseContents, postgres: NonNullable<BuildOptions["postgres"]>): Promise<void> {
  for (const [table, columns] of contents.tables) {
    await postgres.query(toCreate(table, columns, { types: postgresTypes, quote: '"' }));
    const names = Object.keys(columns);
    for (const rows of batches(contents.rows(table))) {
      const values = rows.flatMap((row) => names.map((name) => withoutZone(row[name] ?? null, columns[name])));
      const places = rows.map(
        (_, at) => `(${names.map((_, column) => `$${at * names.length + column + 1}`).join(", ")})`,
      );
      await postgres.query(`insert into "${table}" values ${places.join(", ")}`, values);
    }
  }
}

const mysqlTypes: ColumnTypes = {
  id: "varchar(36)",
  string: "varchar(255)",
  text: "longtext",
  boolean: "tinyint",
  integer: "int",
  date: "datetime(6)",
  moment: "datetime(6)",
};

async function fillMysql(contents: FlowiseContents, mysql: Connection): Promise<void> {
  for (const [table, columns] of contents.tables) {
    await mysql.query(`${toCreate(table, columns, { types: mysqlTypes, quote: "`" })} default character set utf8mb4`);
    const names = Object.keys(columns);
    for (const rows of batches(contents.rows(table))) {
      const values = rows.map((row) => names.map((name) => withoutZone(row[name] ?? null, columns[name])));
      await mysql.query(`insert into \`${table}\` values ?`, [values]);
    }
  }
}

function toCreate(table: string, columns: Columns, { types, quote }: { types: ColumnTypes; quote: string }): string {
  const quoted = (name: string) => `${quote}${name}${quote}`;
  const parts = Object.entries(columns).map(
    ([name, type]) => `${quoted(name)} ${types[type]}${name === "id" ? " primary key not null" : ""}`,
  );
  return `create table ${quoted(table)} (${parts.join(", ")})`;
}

/** Flowise keeps UTC without a zone, and milliseconds only of messages. */
function withoutZone(value: FlowiseValue, type: ColumnType | undefined): FlowiseValue {
  if (typeof value !== "string" || (type !== "date" && type !== "moment")) return value;
  return value.replace("T", " ").slice(0, type === "moment" ? 23 : 19);
}

const rowsOfBatch = 500;

function* batches(rows: Iterable<ContentRow>): Iterable<ContentRow[]> {
  let batch: ContentRow[] = [];
  for (const row of rows) {
    batch.push(row);
    if (batch.length < rowsOfBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
