import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import type { SqlCall, SqlClient, SqlDatabase } from "@weft/engine/ports/sql-client";
import type { Json } from "@weft/schema";
import { type Connection, createConnection } from "mysql2/promise";
import { Client } from "pg";
import {
  type CleanUp,
  createPostgresDatabase,
  findPostgresProblem,
} from "../../../database/src/testing/test-databases.ts";
import { createSqlClient } from "../index.ts";

/** A database with the given tables, and a user who may do nothing on the server but use them. */
export type TestSource = {
  client: SqlClient & { close(): Promise<void> };
  database: SqlDatabase;
  /** Asks as a flow does. */
  run(statement: string, more?: Partial<SqlCall>): ReturnType<SqlClient["run"]>;
  /** The rows, or the reason of the failure. */
  rows(statement: string, parameters?: Json[]): Promise<Json[] | string>;
  /** Runs statements as the owner. */
  prepare(...statements: string[]): Promise<void>;
};

/** What all tests of a file ask with: a process that one of them started answers the next. */
type Shared = { client: TestSource["client"]; filesDir: string };

export type TestEngine = { name: SqlDatabase["engine"]; open(t: CleanUp): Promise<TestSource> };

const postgresUrl = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/test";
const mysqlUrl = new URL(process.env.TEST_MYSQL_URL ?? "mysql://root@127.0.0.1:3306");

/** Defines the same tests for SQLite, and for the servers that answer. */
export async function forEachEngine(define: (engine: TestEngine) => void): Promise<void> {
  const shared = await openShared();
  define({ name: "sqlite", open: (t) => openSqlite(t, shared) });
  await defineOrSkip({ name: "postgres", open: (t) => openPostgres(t, shared) }, await findPostgresProblem(), define);
  await defineOrSkip({ name: "mysql", open: (t) => openMysql(t, shared) }, await findMysqlProblem(), define);
}

async function openShared(): Promise<Shared> {
  const filesDir = await mkdtemp(join(tmpdir(), "weft-sql-"));
  const servers = [new URL(postgresUrl), mysqlUrl];
  const client = createClient({ filesDir, allow: servers.map(toAuthority) });
  after(async () => {
    await client.close();
    await rm(filesDir, { recursive: true, force: true });
  });
  return { client, filesDir };
}

function defineOrSkip(engine: TestEngine, problem: string | undefined, define: (engine: TestEngine) => void): void {
  if (problem === undefined) define(engine);
  else if (process.env[`TEST_${engine.name.toUpperCase()}_REQUIRED`] === "1") throw new Error(problem);
  else test(engine.name, { skip: `${engine.name} does not answer: ${problem}` }, () => {});
}

async function findMysqlProblem(): Promise<string | undefined> {
  try {
    await (await connectMysql()).end();
    return undefined;
  } catch (error) {
    return String(error);
  }
}

const connectMysql = (): Promise<Connection> =>
  createConnection({ uri: mysqlUrl.href, connectTimeout: 15_000, disableEval: true });

export const standardCall = {
  parameters: [],
  access: "read",
  maxRows: 100,
  maxBytes: 100_000,
  timeoutMs: 20_000,
} as const;

/** Runs flows' statements through the real egress client. */
function createClient({ filesDir = "", allow = [] as string[] }): TestSource["client"] {
  const { connect, reveal } = createEgressClient({ allow });
  return createSqlClient({ connect, reveal, filesDir });
}

/** Asks with a client of its own. */
export function toSource(
  t: CleanUp,
  database: SqlDatabase,
  options: { filesDir?: string; allow?: string[] },
): TestSource {
  const client = createClient(options);
  t.after(client.close);
  return toSourceOf(client, database);
}

function toSourceOf(
  client: TestSource["client"],
  database: SqlDatabase,
  prepare: TestSource["prepare"] = async () => {},
): TestSource {
  const run: TestSource["run"] = (statement, more = {}) =>
    client.run({ database, statement, signal: new AbortController().signal, ...standardCall, ...more });
  return {
    client,
    database,
    run,
    prepare,
    async rows(statement, parameters = []) {
      const outcome = await run(statement, { parameters });
      return outcome.ok ? outcome.value.rows : outcome.reason;
    },
  };
}

async function openSqlite(t: CleanUp, { client, filesDir }: Shared): Promise<TestSource> {
  const file = `${newName()}.db`;
  const path = join(filesDir, file);
  t.after(() => rm(path));
  const prepare = async (...statements: string[]) => {
    const owner = new DatabaseSync(path);
    for (const statement of statements) owner.exec(statement);
    owner.close();
  };
  await prepare();
  return toSourceOf(client, { engine: "sqlite", file }, prepare);
}

const newName = () => `weft_${randomUUID().replaceAll("-", "").slice(0, 20)}`;

/** As egress names who may be connected to. */
const toAuthority = (url: URL) => `${url.hostname}:${url.port || (url.protocol === "mysql:" ? 3306 : 5432)}`;

async function openPostgres(t: CleanUp, { client }: Shared): Promise<TestSource> {
  const url = new URL(await createPostgresDatabase(t));
  const user = newName();
  const prepare = (...statements: string[]) => runOnPostgres(url.href, statements);
  await prepare(`create role ${user} login password 'not a secret'`, `grant all on schema public to ${user}`);
  await prepare(`alter default privileges in schema public grant all on tables to ${user}`);
  // The database is gone by then.
  t.after(() => runOnPostgres(postgresUrl, [`drop role ${user}`]));
  const { hostname: host } = url;
  const port = Number(url.port || 5432);
  const place = { host, port, database: url.pathname.slice(1), user, password: "not a secret", tls: false };
  return toSourceOf(client, { engine: "postgres", ...place }, prepare);
}

async function runOnPostgres(connectionString: string, statements: readonly string[]): Promise<void> {
  const owner = new Client({ connectionString });
  await owner.connect();
  for (const statement of statements) await owner.query(statement);
  await owner.end();
}

async function openMysql(t: CleanUp, { client }: Shared): Promise<TestSource> {
  const database = newName();
  const owner = await connectMysql();
  const prepare = async (...statements: string[]) => {
    for (const statement of statements) await owner.query(statement);
  };
  await prepare(`create database ${database} character set utf8mb4`, `use ${database}`);
  await prepare(
    `create user ${database}@'%' identified by 'not a secret'`,
    `grant all on ${database}.* to ${database}@'%'`,
  );
  t.after(async () => {
    await prepare(`drop database ${database}`, `drop user ${database}@'%'`);
    await owner.end();
  });
  const { hostname: host } = mysqlUrl;
  const port = Number(mysqlUrl.port || 3306);
  const place = { host, port, database, user: database, password: "not a secret", tls: false };
  return toSourceOf(client, { engine: "mysql", ...place }, prepare);
}
