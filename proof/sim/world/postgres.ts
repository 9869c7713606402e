import { PGlite } from "@electric-sql/pglite";
import {
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { migrate } from "../../../packages/database/src/migrate.ts";

/**
 * PostgreSQL in this process (PGlite), asked synchronously: a statement takes no time and nothing happens during it, so
 * that a seed decides in which order statements of several processes come. Its clock is this process's `Date`.
 */
export type Postgres = {
  /** Rejects nothing: throws an `Error` with the SQLSTATE as its `code`. */
  execute<R>(text: string, parameters?: readonly unknown[]): QueryResult<R>;
  /** Forgets all rows. */
  empty(): void;
};

type Statement = { name: string; columns: Column[] };
type Column = { name: string; type: number };
type Answer = { columns: Column[] | undefined; rows: (string | null)[][]; affected: number };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What the simulation notes beside the platform's own tables, as part of the commits that it is about. */
const notes = `
  create sequence "simOrder";
  alter table "runEvents" add column "simOrder" bigint default nextval('"simOrder"'),
    add column "simWriter" text default current_setting('sim.writer', true),
    add column "simAt" double precision default current_setting('sim.now', true)::double precision,
    add column "simEpoch" integer;
  create function "noteEpoch"() returns trigger language plpgsql as $$ begin
    new."simEpoch" := (select "leaseEpoch" from "runs" where "id" = new."runId");
    return new;
  end $$;
  create trigger "noteEpoch" before insert on "runEvents" for each row execute function "noteEpoch"();
  create index "simOrderIndex" on "runEvents" ("simOrder");
  create table "simEnds" ("runId" text primary key, "seq" integer not null);
  create table "simPresent" ("name" text not null);`;

let opened: Promise<Postgres> | undefined;

/** One for the whole process: it takes seconds to start. */
export function openPostgres(): Promise<Postgres> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Postgres> {
  const pglite = await PGlite.create();
  const postgres = createPostgres(pglite);
  await migrate(
    kyselyOver(async (text, parameters) => postgres.execute(text, parameters)),
    "postgres",
  );
  await pglite.exec(notes);
  return postgres;
}

function createPostgres(pglite: PGlite): Postgres {
  const statements = new Map<string, Statement>();
  let count = 0;

  function send(messages: Uint8Array[]): Answer {
    const bytes = Buffer.concat(messages);
    return readAnswer(pglite.execProtocolRawSync(bytes));
  }

  function prepare(text: string): Statement {
    const known = statements.get(text);
    if (known) return known;
    count += 1;
    const name = `s${count}`;
    const { columns = [] } = send([
      message("P", name, text, int16(0)),
      message("D", Buffer.from("S"), name),
      message("S"),
    ]);
    const statement = { name, columns };
    statements.set(text, statement);
    return statement;
  }

  return {
    execute<R>(text: string, parameters: readonly unknown[] = []) {
      const { name, columns } = prepare(text);
      const { rows, affected } = send([
        message("B", "", name, int16(0), int16(parameters.length), ...parameters.map(toValue), int16(0)),
        message("E", "", int32(0)),
        message("S"),
      ]);
      return { rows: rows.map((row) => toRow(columns, row) as R), numAffectedRows: BigInt(affected) };
    },
    empty() {
      const { rows } = this.execute<{ name: string }>(
        "select tablename::text as name from pg_tables where schemaname = 'public' and tablename not like 'kysely%'",
      );
      // What was planned with the rows of before would be another plan.
      statements.clear();
      this.execute("deallocate all");
      statements.clear();
      this.execute("discard plans");
      this.execute("set plan_cache_mode = force_generic_plan");
      this.execute(`truncate ${rows.map(({ name }) => `"${name}"`).join()} cascade`);
      this.execute(`alter sequence "simOrder" restart`);
    },
  };
}

/** Kysely's handle over something that executes statements. */
export function kyselyOver<Schema>(
  execute: (text: string, parameters: readonly unknown[]) => Promise<QueryResult<unknown>>,
): Kysely<Schema> {
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: { sql: string; parameters: readonly unknown[] }) =>
      (await execute(sql, parameters)) as QueryResult<R>,
    streamQuery: () => {
      throw new Error("Rows come all at once here.");
    },
  };
  const run = async (text: string) => void (await execute(text, []));
  return new Kysely<Schema>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createDriver: () => ({
        init: async () => undefined,
        acquireConnection: async () => connection,
        releaseConnection: async () => undefined,
        beginTransaction: () => run("begin"),
        commitTransaction: () => run("commit"),
        rollbackTransaction: () => run("rollback"),
        destroy: async () => undefined,
      }),
    },
  });
}

/** A message of PostgreSQL's protocol: https://www.postgresql.org/docs/current/protocol-message-formats.html */
function message(type: string, ...parts: (string | Uint8Array)[]): Uint8Array {
  const body = Buffer.concat(parts.map((part) => (typeof part === "string" ? encoder.encode(`${part}\0`) : part)));
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

function int16(value: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

function int32(value: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
}

function toValue(value: unknown): Uint8Array {
  if (value === null || value === undefined) return int32(-1);
  const bytes = encoder.encode(Array.isArray(value) ? toArrayText(value) : String(value));
  return Buffer.concat([int32(bytes.length), bytes]);
}

/** A list as PostgreSQL reads it: every item quoted. */
function toArrayText(items: readonly unknown[]): string {
  return `{${items.map((item) => JSON.stringify(String(item))).join(",")}}`;
}

function readAnswer(answer: Uint8Array): Answer {
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  const read: Answer = { columns: undefined, rows: [], affected: 0 };
  let failure: Error | undefined;
  for (let at = 0; at < bytes.length; ) {
    const type = String.fromCharCode(bytes[at] as number);
    const end = at + 1 + bytes.readInt32BE(at + 1);
    const body = bytes.subarray(at + 5, end);
    if (type === "T") read.columns = readColumns(body);
    if (type === "D") read.rows.push(readValues(body));
    if (type === "C") read.affected = Number(/(\d+)\0$/.exec(decoder.decode(body))?.[1] ?? 0);
    if (type === "E") failure ??= readError(decoder.decode(body));
    at = end;
  }
  if (failure) throw failure;
  return read;
}

function readColumns(body: Buffer): Column[] {
  const columns: Column[] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const end = body.indexOf(0, at);
    columns.push({ name: body.toString("utf8", at, end), type: body.readInt32BE(end + 7) });
    at = end + 19;
  }
  return columns;
}

function readValues(body: Buffer): (string | null)[] {
  const values: (string | null)[] = [];
  let at = 2;
  for (let left = body.readInt16BE(0); left > 0; left -= 1) {
    const length = body.readInt32BE(at);
    at += 4;
    values.push(length < 0 ? null : body.toString("utf8", at, at + length));
    at += Math.max(0, length);
  }
  return values;
}

function readError(body: string): Error {
  const fields = new Map(body.split("\0").map((field) => [field.charAt(0), field.slice(1)]));
  return Object.assign(new Error(fields.get("M") ?? "PostgreSQL refused a statement."), { code: fields.get("C") });
}

/** Numbers of PostgreSQL's types. */
const types = { bool: 16, int8: 20, int2: 21, int4: 23, float8: 701, textArray: 1009 };
const numbers = [types.int8, types.int2, types.int4, types.float8];

function toRow(columns: readonly Column[], values: readonly (string | null)[]): object {
  return Object.fromEntries(columns.map(({ name, type }, index) => [name, fromText(type, values[index] ?? null)]));
}

/** Arrays here are of ids, which need no quotation marks. */
function fromText(type: number, text: string | null): unknown {
  if (text === null) return null;
  if (type === types.bool) return text === "t";
  if (numbers.includes(type)) return Number(text);
  if (type === types.textArray) return text.slice(1, -1).split(",").filter(Boolean);
  return text;
}
