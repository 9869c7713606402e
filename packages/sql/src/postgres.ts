import type { EgressSocket } from "@weft/egress";
import type { SqlDatabase } from "@weft/engine/ports/sql-client";
import { type Json, parseJsonOrText } from "@weft/schema";
import { Client, type CustomTypesConfig, type QueryArrayConfig, types } from "pg";
import {
  codeOf,
  type Ended,
  type Sink,
  SqlFailure,
  type Statement,
  toJsonValue,
  toWholeNumber,
  wordsOf,
} from "./driver.ts";
import { type Advice, toFailure } from "./failure.ts";
import { readStatement } from "./statement.ts";

/** Rows that are asked for at first; twice as many each time, up to the last. */
const fetchSizes = { first: 25, last: 800 };

/** Runs a statement on a connection of its own, and ends it. */
export async function askPostgres(
  { database, socket }: { database: Extract<SqlDatabase, { host: string }>; socket: EgressSocket },
  statement: Statement,
  sink: Sink,
): Promise<Ended> {
  const { text } = readStatement("postgres", statement.statement, statement.parameters.length);
  const client = new Client({
    host: database.host,
    port: database.port,
    user: database.user,
    // A function: the environment's own password would take the place of an empty text.
    password: () => database.password,
    database: database.database || database.user,
    ssl: database.tls ? { rejectUnauthorized: true } : false,
    stream: () => asUnopened(socket),
    application_name: "weft",
    types: textTypes,
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const end = await inTransaction(client, { ...statement, statement: text }, sink);
    await client.end();
    return end;
  } catch (error) {
    throw toFailure(error, advice, statement);
  } finally {
    socket.destroy();
  }
}

/** Every value arrives as its text. */
const textTypes: CustomTypesConfig = { getTypeParser: () => (text: string) => text };

/** The driver opens its connection itself. */
function asUnopened(socket: EgressSocket): EgressSocket {
  return Object.assign(socket, {
    connect() {
      setImmediate(() => socket.emit("connect"));
      return socket;
    },
  });
}

async function inTransaction(client: Client, { access, timeoutMs, ...given }: Statement, sink: Sink): Promise<Ended> {
  // Ends a statement whose client is gone. Older servers do not have it.
  await client.query("set client_connection_check_interval = 1000").catch(() => undefined);
  await client.query(
    `begin ${access === "read" ? "read only" : "read write"};
    set local statement_timeout = ${timeoutMs};
    set local idle_in_transaction_session_timeout = ${timeoutMs + 10_000};
    set local timezone = 'UTC'; set local datestyle = 'ISO'; set local bytea_output = 'hex'`,
  );
  await refusePower(client);
  const end = access === "read" ? await fetchRows(client, given, sink) : await write(client, given, sink);
  await client.query(access === "read" ? "rollback" : "commit");
  return end;
}

/** Superusers and users of the server's own files could leave the database, even while they only read. */
async function refusePower(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_catalog.pg_roles where rolname in (current_user, session_user) and rolsuper
    union all select 1 from pg_catalog.pg_roles where rolname in
      ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program')
      and pg_catalog.pg_has_role(session_user, oid, 'member')`,
  );
  if (rows.length === 0) return;
  throw new SqlFailure(
    "This user is a superuser or may use files of the database server, so that any statement could leave the database. Use a user with rights on the tables alone, such as one with the role pg_read_all_data.",
  );
}

type Given = Pick<Statement, "statement" | "parameters">;

/** A cursor takes nothing but a query, and gives its rows as they are asked for. */
async function fetchRows(client: Client, { statement, parameters }: Given, sink: Sink): Promise<Ended> {
  await client.query(extended(`declare weft_rows no scroll cursor for ${statement}`, parameters));
  for (let size = fetchSizes.first; ; size = Math.min(size * 2, fetchSizes.last)) {
    const { fields, rows } = await client.query<string[]>({ text: `fetch ${size} from weft_rows`, rowMode: "array" });
    if (size === fetchSizes.first) sink.columns(fields.map(({ name }) => name));
    const isTaken = rows.every((row) => sink.row(row.map((text, index) => toValue(text, fields[index]?.dataTypeID))));
    if (!isTaken || rows.length < size) return {};
  }
}

async function write(client: Client, { statement, parameters }: Given, sink: Sink): Promise<Ended> {
  const { fields, rows, command, rowCount } = await client.query<string[]>(extended(statement, parameters));
  sink.columns(fields.map(({ name }) => name));
  rows.every((row) => sink.row(row.map((text, index) => toValue(text, fields[index]?.dataTypeID))));
  return /^(INSERT|UPDATE|DELETE|MERGE)$/.test(command) ? { changedRows: rowCount ?? 0 } : {};
}

/** The protocol that takes one statement, with or without values. */
function extended(text: string, parameters: Statement["parameters"]): QueryArrayConfig {
  const query = { text, values: parameters.map(toText), rowMode: "array" as const, queryMode: "extended" };
  return query;
}

function toText(value: Json): string | null {
  if (value === null) return null;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** By the numbers of types in `pg_type`. Those that are not here stay text. */
const readers: Readonly<Record<number, (text: string) => Json>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex").toString("base64"),
  20: toWholeNumber,
  21: Number,
  23: Number,
  26: Number,
  114: parseJsonOrText,
  700: (text) => toJsonValue(Number(text)),
  701: (text) => toJsonValue(Number(text)),
  1114: (text) => text.replace(" ", "T"),
  1184: (text) => text.replace(" ", "T").replace(/\+00$/, "Z"),
  3802: parseJsonOrText,
};

/** Lists of truth values, numbers, texts, JSON and UUIDs. */
const lists = new Set([199, 1000, 1005, 1007, 1009, 1015, 1016, 1021, 1022, 1231, 2951, 3807]);

function toValue(text: string | null | undefined, type = 0): Json {
  if (text === null || text === undefined) return null;
  if (lists.has(type)) return toJsonValue(types.getTypeParser(type, "text")(text));
  return readers[type]?.(text) ?? text;
}

/** Source: PostgreSQL's documentation, appendix A. */
function advice(error: unknown): Advice {
  const code = codeOf(error);
  if (code === "28P01" || code === "28000") return "credential";
  if (code === "3D000") return "database";
  if (/^42(P01|703|883)$/.test(code)) return "schema";
  if (code === "42601" && /multiple commands/i.test(wordsOf(error))) return "one";
  if (code === "42601" || code === "42P11") return "syntax";
  if (code === "25006" || (code === "0A000" && /cursor/i.test(wordsOf(error)))) return "read-only";
  if (code === "57014") return "timeout";
  if (/^(08|40|53|57)/.test(code)) return "passing";
  return /^[0-9A-Z]{5}$/.test(code) ? "none" : "lost";
}
