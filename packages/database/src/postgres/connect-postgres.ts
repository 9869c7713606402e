import { type DatabaseIntrospector, Kysely, PostgresDialect, sql, type TableMetadata } from "kysely";
import { Client, type CustomTypesConfig, Pool, type PoolClient, type PoolConfig, type QueryResult, types } from "pg";
import type { StorageLogger } from "../database.ts";
import type { LineTimes } from "../line-times.ts";
import { type TableChanges, tablesWrittenBy } from "../table-changes.ts";

/** How long to wait for a connection: the server's answer, or another request's release. */
const connectTimeoutMs = 10_000;

/**
 * Connections that preserve any text and whole numbers exactly. Nothing is connected before the first query.
 * Throws if the address is invalid. The caller destroys it.
 */
export function connectPostgres<Schema>(config: PoolConfig, watch: Watch = {}): Kysely<Schema> {
  return overPool<Schema>(openPool(config, watch));
}

/** Queries over the connections of a pool, and ends it when destroyed. */
export function overPool<Schema>(pool: Pool): Kysely<Schema> {
  return new Kysely<Schema>({ dialect: new CurrentSchemaDialect({ pool }) });
}

export type Watch = {
  logger?: StorageLogger | undefined;
  /** Called after a commit with the tables that it may have changed. */
  onChange?: TableChanges["note"];
  /** Prepare statements: not behind a pooler that gives each transaction another connection. Default false. */
  prepares?: boolean;
};

/** Like `connectPostgres`, for ready-made statements. The caller ends it. */
export function openPool(
  config: PoolConfig,
  { logger, onChange = () => undefined, prepares = false }: Watch = {},
): Pool {
  const pool = new Pool({
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "weft",
    keepAlive: true,
    types: resultTypes,
    Client: class extends PreparingClient {
      override readonly onChange = onChange;
      override readonly prepares = prepares;
    },
    ...config,
  });
  // Without listeners a connection that breaks would end the process: the pool listens only to idle ones. It replaces a
  // broken one by itself, and the query in it fails.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => reportLoss(client, logger));
  return pool;
}

/** Once per connection, which may report several errors as it ends. */
function reportLoss(client: PoolClient, logger: StorageLogger | undefined): void {
  client.once("error", (cause) => logger?.error("database-connection-lost", { cause }));
  client.on("error", () => undefined);
}

class CurrentSchemaDialect extends PostgresDialect {
  override createIntrospector(db: Kysely<unknown>) {
    return createCurrentSchemaIntrospector(db);
  }
}

/** Accepts any text, prepares repeated statements, and reports which tables its commits change. */
abstract class PreparingClient extends Client {
  abstract readonly onChange: TableChanges["note"];
  abstract readonly prepares: boolean;
  readonly #touched = new Set<string>();

  // biome-ignore lint/suspicious/noExplicitAny: the driver's own signature, whose overloads a subclass cannot repeat.
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text !== "string" || !Array.isArray(values)) return super.query(text, values, callback);
    const { name, writes } = factsOf(text);
    for (const table of writes) this.#touched.add(table);
    const query = {
      text,
      values: values.map(toPostgresParameter),
      ...(name !== undefined && this.prepares && { name }),
    };
    if (callback !== undefined) return super.query(query, callback);
    const result = super.query(query);
    return isEnd(text) ? result.then((ended) => this.#tell(ended)) : result;
  }

  #tell(ended: QueryResult): QueryResult {
    if (ended.command === "COMMIT" && this.#touched.size > 0) this.onChange(this.#touched);
    this.#touched.clear();
    return ended;
  }
}

function isEnd(text: string): boolean {
  return text === "commit" || text === "rollback";
}

/** Limits the statements that a connection keeps, and the texts that are remembered. */
const maxNames = 500;
const maxTexts = 2_000;
/** `name`: under which a statement is prepared, from its second use on, if there is room. */
type StatementFacts = { name: string | undefined; writes: readonly string[]; isNameable: boolean };
const known = new Map<string, StatementFacts>();
let named = 0;

/**
 * A statement for all columns would fail after another process has added one (`cached plan must not change result
 * type`).
 */
const allColumns = /(?:select|returning) (?:\S+\.)?\*/;

function factsOf(text: string): StatementFacts {
  const facts = known.get(text);
  if (facts === undefined) return remember(text);
  if (facts.name === undefined && facts.isNameable && named < maxNames) {
    named += 1;
    facts.name = `weft_${named}`;
  }
  return facts;
}

function remember(text: string): StatementFacts {
  if (known.size >= maxTexts) {
    for (const [other, { name }] of known) if (name === undefined) known.delete(other);
  }
  const facts = {
    name: undefined,
    writes: tablesWrittenBy(text),
    isNameable: text.includes("$1") && !allColumns.test(text),
  };
  known.set(text, facts);
  return facts;
}

function toPostgresParameter(value: unknown): unknown {
  if (typeof value === "string") return toPostgresText(value);
  return Array.isArray(value) ? value.map(toPostgresParameter) : value;
}

/**
 * Lists the tables of the connection's own schema, which is all that migrations need. Kysely's introspector reads every
 * schema of the database, which is slow on shared servers and fails when a table disappears meanwhile.
 */
function createCurrentSchemaIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
  async function getTables(): Promise<TableMetadata[]> {
    const { rows } = await sql<{ name: string }>`
      select tablename::text as name from pg_catalog.pg_tables where schemaname = current_schema()`.execute(db);
    return rows.map(({ name }) => ({ name, isView: false, isForeign: false, columns: [] }));
  }
  return { getTables, getSchemas: async () => [] };
}

const textTypes: readonly number[] = [types.builtins.TEXT, types.builtins.VARCHAR];

/** How values arrive: whole numbers as exact numbers, text as it was given (`nul-safe-text.ts`). */
const resultTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) => {
    if (format === "binary") return types.getTypeParser(oid, format);
    if (oid === types.builtins.INT8) return parseExactInteger;
    return textTypes.includes(oid) ? fromPostgresText : types.getTypeParser(oid, format);
  },
};

function parseExactInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The database holds a number too large to be exact: ${text}.`);
  return value;
}

export type PostgresOptions = {
  databaseUrl: string;
  /** Connections, at least four. Default 11. */
  poolSize?: number | undefined;
  logger?: StorageLogger | undefined;
  /** Overrides for `defaultLineTimes`. */
  times?: Partial<LineTimes> | undefined;
};

/**
 * PostgreSQL's text cannot hold U+0000. U+0001 becomes the escape character: U+0000 is stored as U+0001 U+0001 and
 * U+0001 as U+0001 U+0002. Every text goes through it, in both directions, so equal texts stay equal; and it keeps
 * the order of bytes: 1·1 < 1·2 < 2.
 */
const nul = "\u0000";
const escapeMark = "\u0001";

/** Escapes any text so that PostgreSQL can store it. */
export function toPostgresText(text: string): string {
  if (!text.includes(nul) && !text.includes(escapeMark)) return text;
  return text.replaceAll(escapeMark, `${escapeMark}\u0002`).replaceAll(nul, escapeMark + escapeMark);
}

/** Reverses `toPostgresText`. */
export function fromPostgresText(stored: string): string {
  if (!stored.includes(escapeMark)) return stored;
  return stored.replaceAll(escapeMark + escapeMark, nul).replaceAll(`${escapeMark}\u0002`, escapeMark);
}
