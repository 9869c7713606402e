import type { EgressSocket } from "@weft/egress";
import type { Json } from "@weft/schema";
import { Client, type CustomTypesConfig, type QueryArrayConfig, types } from "pg";
import {
  codeOf,
  type Ended,
  type Place,
  type Sink,
  SqlFailure,
  type Statement,
  toJsonOrText,
  toJsonValue,
  toTls,
  toWholeNumber,
  wordsOf,
} from "./driver.ts";
import { type Advice, toFailure } from "./failure.ts";
import type { ServerSession } from "./process/protocol.ts";
import { readStatement } from "./statement.ts";

/** Rows fetched at first; doubled each time, up to the last. */
const fetchSizes = { first: 25, last: 800 };

/** Runs a statement on a connection of its own, and ends it. */
export async function askPostgres(place: Place, statement: Statement, sink: Sink): Promise<Ended> {
  const { text } = readStatement("postgres", statement.statement, statement.parameters.length);
  const client = create(place, { getTypeParser: () => (value: string) => value });
  try {
    await client.connect();
    const { processID: id, secretKey: secret } = client as unknown as { processID?: number; secretKey?: number };
    if (typeof id === "number" && typeof secret === "number") place.onSession?.({ id, secret });
    const end = await inTransaction(client, { ...statement, statement: text }, sink);
    await client.end();
    return end;
  } catch (error) {
    throw toFailure(error, advice, statement);
  } finally {
    place.socket.destroy();
  }
}

/** PostgreSQL's cancel request, which needs a connection of its own, without TLS too. There is no answer. */
export async function endPostgresStatement({ socket }: Place, { id, secret = 0 }: ServerSession): Promise<void> {
  const request = Buffer.alloc(16);
  for (const [index, number] of [16, 80_877_102, id, secret].entries()) request.writeInt32BE(number | 0, 4 * index);
  await new Promise<void>((resolve) => socket.end(request, resolve));
}

/** A persistent connection. Exact whole numbers arrive as numbers. */
export async function openPostgresSession(place: Place): Promise<Client> {
  const int8 = types.builtins.INT8;
  const client = create(place, {
    getTypeParser: (oid, format) => (oid === int8 ? toWholeNumber : types.getTypeParser(oid, format)),
  });
  await client.connect();
  return client;
}

function create({ database, socket }: Place, types: CustomTypesConfig): Client {
  const client = new Client({
    host: database.host,
    port: database.port,
    user: database.user,
    // A function: the environment's own password would replace an empty text.
    password: () => database.password,
    database: database.database || database.user,
    ssl: toTls(database) ?? false,
    stream: () => asUnopened(socket),
    application_name: "weft",
    types,
  });
  return client.on("error", () => undefined);
}

/** The driver opens its connection itself. */
function asUnopened(socket: EgressSocket): EgressSocket {
  return Object.assign(socket, {
    connect() {
      setImmediate(() => socket.emit("connect"));
      return socket;
    },
  });
}

async function inTransaction(client: Client, statement: Statement, sink: Sink): Promise<Ended> {
  const { access, timeoutMs } = statement;
  // Ends a statement whose client is gone. Older servers do not have it.
  await client.query("set client_connection_check_interval = 1000").catch(() => undefined);
  await client.query(
    `begin ${access === "read" ? "read only" : "read write"};
    set local statement_timeout = ${timeoutMs};
    set local idle_in_transaction_session_timeout = ${timeoutMs + 10_000};
    set local timezone = 'UTC'; set local datestyle = 'ISO'; set local bytea_output = 'hex'`,
  );
  await refusePower(client);
  const end = access === "read" ? await fetchRows(client, statement, sink) : await write(client, statement, sink);
  await client.query(access === "read" ? "rollback" : "commit");
  return end;
}

/**
 * Superusers, members of one, and users with access to the server's files could leave the database, even in a read-only
 * transaction.
 */
async function refusePower(client: Client): Promise<void> {
  const { rows } = await client.query(
    `select 1 from pg_catalog.pg_roles where pg_catalog.pg_has_role(session_user, oid, 'member') and (rolsuper
      or rolname in ('pg_read_server_files', 'pg_write_server_files', 'pg_execute_server_program'))`,
  );
  if (rows.length === 0) return;
  throw new SqlFailure(
    "This user is a superuser, a member of one, or may use files of the database server, so that any statement could leave the database. Use a user with rights on the tables alone, such as one with the role pg_read_all_data.",
  );
}

/**
 * A cursor accepts only a query, and returns its rows on demand. A row's functions may lift the time limits, so they
 * are set again before the next rows.
 */
async function fetchRows(client: Client, { statement, parameters, timeoutMs }: Statement, sink: Sink): Promise<Ended> {
  const endsAt = performance.now() + timeoutMs;
  await client.query(extended(`declare weft_rows no scroll cursor for ${statement}`, parameters));
  for (let size = fetchSizes.first; ; size = Math.min(size * 2, fetchSizes.last)) {
    const leftMs = Math.max(1, Math.ceil(endsAt - performance.now()));
    await client.query(`set local statement_timeout = ${leftMs}`);
    const { fields, rows } = await client.query<string[]>({ text: `fetch ${size} from weft_rows`, rowMode: "array" });
    if (size === fetchSizes.first) sink.columns(fields.map(({ name }) => name));
    const isTaken = rows.every((row) => sink.row(row.map((text, index) => toValue(text, fields[index]?.dataTypeID))));
    if (!isTaken || rows.length < size) return {};
  }
}

async function write(client: Client, { statement, parameters }: Statement, sink: Sink): Promise<Ended> {
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

/** By the numbers of types in `pg_type`. Other types stay text. */
const readers: Readonly<Record<number, (text: string) => Json>> = {
  16: (text) => text === "t",
  17: (text) => Buffer.from(text.slice(2), "hex").toString("base64"),
  20: toWholeNumber,
  21: Number,
  23: Number,
  26: Number,
  114: toJsonOrText,
  700: (text) => toJsonValue(Number(text)),
  701: (text) => toJsonValue(Number(text)),
  1114: (text) => text.replace(" ", "T"),
  1184: (text) => text.replace(" ", "T").replace(/\+00$/, "Z"),
  3802: toJsonOrText,
};

/** Lists of booleans, numbers, texts, JSON and UUIDs. */
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
