import { createHash, randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { access, copyFile, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import type { Database } from "../database.ts";
import { openDatabase } from "../open-database.ts";
import { createPostgresPool } from "./postgres-pool.ts";

/** A test's `t`, or `{ after }` of `node:test` for a whole file. */
export type CleanUp = { after(fn: () => Promise<void>): void };

/** A place for one migrated database without rows, gone after the test. `open` may be called again, as a restart or a second process. */
export type TestStorage = { databaseUrl: string; dataDir: string; open(): Promise<Database> };

export type TestDatabases = {
  name: Database["dialect"];
  /** An empty, migrated database, closed and removed after the test. */
  openTestDatabase(t: CleanUp): Promise<Database>;
  createTestStorage(t: CleanUp): Promise<TestStorage>;
};

/**
 * Defines the same tests for SQLite and, where `TEST_POSTGRES_URL` answers, for PostgreSQL: for what speaks SQL or runs as
 * processes on a database.
 * `await forEachDatabase(({ name, openTestDatabase }) => { test("…", async (t) => { const database = await openTestDatabase(t); … }) })`.
 * `TEST_POSTGRES_REQUIRED=1` makes an unreachable PostgreSQL an error instead of a skipped test.
 */
export async function forEachDatabase(define: (databases: TestDatabases) => void): Promise<void> {
  defineOn("sqlite", define);
  await defineOnPostgres(define);
}

/**
 * Defines tests of behaviour that is the same on every database: for SQLite, and with `TEST_DATABASE=postgres`, which
 * `npm run test:long` sets, for PostgreSQL.
 */
export async function onTestDatabase(define: (databases: TestDatabases) => void): Promise<void> {
  if (process.env.TEST_DATABASE === "postgres") await defineOnPostgres(define);
  else defineOn("sqlite", define);
}

function defineOn(name: Database["dialect"], define: (databases: TestDatabases) => void): void {
  describe(name, () => define(testDatabases(name, (t) => openTestStorage(name, t))));
}

async function defineOnPostgres(define: (databases: TestDatabases) => void): Promise<void> {
  const problem = await findProblem(postgresUrl());
  if (problem === undefined) {
    defineOn("postgres", define);
  } else if (process.env.TEST_POSTGRES_REQUIRED === "1") {
    throw problem;
  } else {
    test("postgres", { skip: `PostgreSQL does not answer: ${problem.message}` }, () => {});
  }
}

/** A place for one migrated database of a kind, as the tests have them. */
export function openTestStorage(dialect: Database["dialect"], t: CleanUp): Promise<TestStorage> {
  return dialect === "sqlite" ? createSqliteStorage(t) : createPostgresStorage(t);
}

/** A new, empty database of its own on the server of `TEST_POSTGRES_URL`, gone after the test. Resolves with its address. */
export async function createPostgresDatabase(t: CleanUp): Promise<string> {
  const name = `weft_test_${process.pid}_${randomUUID().replaceAll("-", "")}`;
  await runOnPostgres(postgresUrl(), `create database ${name} encoding 'UTF8' template template0`);
  t.after(() => runOnPostgres(postgresUrl(), `drop database ${name} with (force)`));
  return addressOf(name);
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
  await copyFile(await migratedFile(), join(dataDir, "weft.db"));
  const opener = createOpener({ databaseUrl: "", dataDir });
  t.after(async () => {
    await opener.closeAll();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { databaseUrl: "", dataDir, open: opener.open };
}

const pool = createPostgresPool({
  addressOf,
  runOnServer: (statement) => runOnPostgres(postgresUrl(), statement),
  template: () => migratedTemplate(postgresUrl()),
});

async function createPostgresStorage(t: CleanUp): Promise<TestStorage> {
  const { name, giveBack } = await pool.take();
  const dataDir = join(tmpdir(), `${name}_${randomUUID().replaceAll("-", "")}`);
  const databaseUrl = addressOf(name);
  const opener = createOpener({ databaseUrl, dataDir });
  t.after(async () => {
    await opener.closeAll();
    await giveBack();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { databaseUrl, dataDir, open: opener.open };
}

let file: Promise<string> | undefined;

/**
 * A migrated database without rows that no test uses: a copy of it is there in a tenth of the time that the schema takes.
 * It is made once for a state of the migrations and stays in the folder of caches.
 */
function migratedFile(): Promise<string> {
  file ??= prepareFile();
  return file;
}

async function prepareFile(): Promise<string> {
  const folder = fileURLToPath(new URL("../../../../.cache/test-databases", import.meta.url));
  const path = join(folder, `${await hashOf([...migrationFiles, "sqlite/*.ts"])}.db`);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  // Several processes may come first: the last one's file stays, and all of them are alike.
  await mkdir(folder, { recursive: true });
  const dataDir = await mkdtemp(join(folder, "new-"));
  await (await openDatabase({ databaseUrl: "", dataDir })).close();
  await rename(join(dataDir, "weft.db"), path);
  await rm(dataDir, { recursive: true, force: true });
  return path;
}

let template: Promise<string> | undefined;

/** The same on a server of PostgreSQL, where it stays; made by whichever process comes first. */
function migratedTemplate(url: string): Promise<string> {
  template ??= prepareTemplate(url);
  return template;
}

async function prepareTemplate(url: string): Promise<string> {
  const name = `weft_template_${await hashOf(migrationFiles)}`;
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectTimeoutMs });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext('weft_template'))");
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (rowCount !== 0) return name;
    const unfinished = `${name}_unfinished`;
    await client.query(`drop database if exists ${unfinished} with (force)`);
    await client.query(`create database ${unfinished} encoding 'UTF8' template template0`);
    await (await openDatabase({ databaseUrl: addressOf(unfinished), dataDir: "" })).close();
    await client.query(`alter database ${unfinished} rename to ${name}`);
    return name;
  } finally {
    await client.end();
  }
}

const migrationFiles = ["migrations/*.ts", "column-types.ts", "migrate.ts"];

async function hashOf(patterns: readonly string[]): Promise<string> {
  const folder = fileURLToPath(new URL("..", import.meta.url));
  const hash = createHash("sha256");
  const files = globSync(patterns, { cwd: folder });
  for (const file of files.toSorted()) hash.update(await readFile(join(folder, file)));
  return hash.digest("hex").slice(0, 16);
}

function addressOf(database: string): string {
  const address = new URL(postgresUrl());
  address.pathname = `/${database}`;
  return address.href;
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
