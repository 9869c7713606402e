import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { Client } from "pg";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";

/** A test's `t`, or `{ after }` of `node:test` for a whole file. */
export type CleanUp = { after(fn: () => Promise<void>): void };

/** An empty place for one database, gone after the test. `open` may be called again, as a restart or a second process. */
export type TestStorage = { databaseUrl: string; dataDir: string; open(): Promise<Database> };

export type TestDatabases = {
  name: Database["dialect"];
  /** An empty, migrated database, closed and removed after the test. */
  openTestDatabase(t: CleanUp): Promise<Database>;
  createTestStorage(t: CleanUp): Promise<TestStorage>;
};

/**
 * Defines the same tests for SQLite and, where `TEST_POSTGRES_URL` answers, for PostgreSQL:
 * `await forEachDatabase(({ name, openTestDatabase }) => { test("…", async (t) => { const database = await openTestDatabase(t); … }) })`.
 * `TEST_POSTGRES_REQUIRED=1` makes an unreachable PostgreSQL an error instead of a skipped test.
 */
export async function forEachDatabase(define: (databases: TestDatabases) => void): Promise<void> {
  describe("sqlite", () => define(testDatabases("sqlite", createSqliteStorage)));
  const url = postgresUrl();
  const problem = await findProblem(url);
  if (problem === undefined) {
    describe("postgres", () => define(testDatabases("postgres", (t) => createPostgresStorage(url, t))));
  } else if (process.env.TEST_POSTGRES_REQUIRED === "1") {
    throw problem;
  } else {
    test("postgres", { skip: `PostgreSQL does not answer: ${problem.message}` }, () => {});
  }
}

/** An empty place for one database of a kind, as the tests have them. */
export function openTestStorage(dialect: Database["dialect"], t: CleanUp): Promise<TestStorage> {
  return dialect === "sqlite" ? createSqliteStorage(t) : createPostgresStorage(postgresUrl(), t);
}

/** A new, empty database of its own on the server of `TEST_POSTGRES_URL`, gone after the test. Resolves with its address. */
export async function createPostgresDatabase(t: CleanUp): Promise<string> {
  const name = `weft_test_${randomUUID().replaceAll("-", "")}`;
  await runOnPostgres(postgresUrl(), `create database ${name} encoding 'UTF8' template template0`);
  t.after(() => runOnPostgres(postgresUrl(), `drop database ${name} with (force)`));
  const own = new URL(postgresUrl());
  own.pathname = `/${name}`;
  return own.href;
}

/** Why no test can use PostgreSQL; undefined where it answers. */
export async function findPostgresProblem(): Promise<string | undefined> {
  return (await findProblem(postgresUrl()))?.message;
}

function postgresUrl(): string {
  return process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/test";
}

function testDatabases(name: Database["dialect"], create: (t: CleanUp) => Promise<TestStorage>): TestDatabases {
  return {
    name,
    createTestStorage: create,
    openTestDatabase: async (t) => (await create(t)).open(),
  };
}

async function createSqliteStorage(t: CleanUp): Promise<TestStorage> {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-test-"));
  const opener = createOpener({ databaseUrl: "", dataDir });
  t.after(async () => {
    await opener.closeAll();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { databaseUrl: "", dataDir, open: opener.open };
}

async function createPostgresStorage(url: string, t: CleanUp): Promise<TestStorage> {
  const schema = `weft_test_${randomUUID().replaceAll("-", "")}`;
  await runOnPostgres(url, `create schema ${schema}`);
  const ownUrl = new URL(url);
  ownUrl.searchParams.set("options", `-c search_path=${schema} -c client_min_messages=warning`);
  const dataDir = join(tmpdir(), schema);
  const databaseUrl = ownUrl.href.replaceAll("+", "%20");
  const opener = createOpener({ databaseUrl, dataDir });
  t.after(async () => {
    await opener.closeAll();
    await runOnPostgres(url, `set client_min_messages = warning; drop schema ${schema} cascade`);
    await rm(dataDir, { recursive: true, force: true });
  });
  return { databaseUrl, dataDir, open: opener.open };
}

function createOpener(options: { databaseUrl: string; dataDir: string }) {
  const opened: Database[] = [];
  return {
    async open() {
      const database = await openDatabase(options);
      opened.push(database);
      return database;
    },
    async closeAll() {
      for (const database of opened) await database.close();
    },
  };
}

/** A server that is there may take seconds while other tests keep the machine busy; where none is, this is refused at once. */
const connectTimeoutMs = 15_000;

async function findProblem(url: string): Promise<Error | undefined> {
  try {
    await runOnPostgres(url, "select 1");
    return undefined;
  } catch (error) {
    return new Error(`TEST_POSTGRES_URL cannot be used: ${error instanceof Error ? error.message : error}`, {
      cause: error,
    });
  }
}

async function runOnPostgres(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
