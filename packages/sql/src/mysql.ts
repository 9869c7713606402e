import { once } from "node:events";
import type { EgressSocket } from "@weft/egress";
import type { Json } from "@weft/schema";
import { type Connection, createConnection, type FieldPacket, type ResultSetHeader } from "mysql2";
import {
  codeOf,
  type Ended,
  type Place,
  type Sink,
  SqlFailure,
  type Statement,
  toJsonValue,
  toParameter,
  toTls,
} from "./driver.ts";
import { type Advice, toFailure } from "./failure.ts";
import type { ServerSession } from "./process/protocol.ts";
import { checkStatement, notReading, type ReadStatement } from "./statement.ts";

/** Runs a statement on a connection of its own, and ends it. */
export async function askMysql(place: Place, statement: Statement, sink: Sink): Promise<Ended> {
  const { socket, onSession } = place;
  const read = checkStatement("mysql", statement);
  const connection = open(place);
  connection.once("connect", () => {
    if (connection.threadId !== null) onSession?.({ id: connection.threadId });
  });
  try {
    return await Promise.race([inTransaction(connection, { ...statement, read }, sink), closed(socket)]);
  } catch (error) {
    throw toFailure(error, advice, statement);
  } finally {
    connection.destroy();
  }
}

/** The server continues, up to its own limit, for a client that has disconnected. */
export async function endMysqlStatement(place: Place, { id }: ServerSession): Promise<void> {
  const connection = open(place);
  try {
    await Promise.race([query(connection, `kill ${Number(id)}`), closed(place.socket)]);
  } finally {
    connection.destroy();
  }
}

function open({ database, socket }: Place): Connection {
  const tls = toTls(database);
  const connection = createConnection({
    host: database.host,
    port: database.port,
    user: database.user,
    password: database.password,
    ...(database.database === "" ? {} : { database: database.database }),
    ...(tls && { ssl: { ...tls, verifyIdentity: true } }),
    stream: socket,
    charset: "utf8mb4",
    multipleStatements: false,
    // Parsers would otherwise be generated as code; and no server may request a file of this machine.
    disableEval: true,
    flags: ["-LOCAL_FILES"],
    dateStrings: true,
    supportBigNumbers: true,
  });
  return connection.on("error", () => undefined);
}

/** A read ends with its connection: its other rows are not awaited. */
async function inTransaction(
  connection: Connection,
  statement: Statement & { read: ReadStatement },
  sink: Sink,
): Promise<Ended> {
  await begin(connection, statement);
  if (statement.access === "read" && !(await bringsRows(connection, statement))) throw notReading(statement);
  const end = await execute(connection, statement, sink);
  if (statement.access === "write") await query(connection, "commit");
  return end;
}

/** Rejects when the connection is closed: pending requests are not always notified. */
async function closed(socket: EgressSocket): Promise<never> {
  await new Promise((resolve) => socket.once("close", resolve));
  throw new Error("it was closed");
}

async function begin(connection: Connection, { access, timeoutMs }: Statement): Promise<void> {
  await query(connection, "set session sql_mode = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO'");
  await query(connection, "set session time_zone = '+00:00'");
  const [version] = await query(connection, "select version()");
  const isMariadb = /mariadb/i.test(String(version?.[0]));
  const limit = isMariadb ? `max_statement_time = ${timeoutMs / 1000}` : `max_execution_time = ${timeoutMs}`;
  await query(connection, `set session ${limit}`);
  await refusePower(connection);
  await query(connection, `start transaction read ${access === "read" ? "only" : "write"}`);
}

/**
 * With these global privileges a statement could read and write files on the server, even in a read-only transaction.
 */
async function refusePower(connection: Connection): Promise<void> {
  const grants = await query(connection, "show grants");
  if (!grants.some(([grant]) => power.test(String(grant)))) return;
  throw new SqlFailure(
    "This user has all rights on the server, or one such as FILE, SUPER or CREATE USER, so that any statement could leave the database. Use a user with rights on the tables alone, such as one with GRANT SELECT ON shop.*.",
  );
}

const power =
  /\b(ALL PRIVILEGES|FILE|SUPER|SHUTDOWN|CREATE USER|SET[ _]USER(_ID)?|SYSTEM_USER|[A-Z]+[ _]ADMIN)\b[^*]* ON \*\.\* TO /;

/**
 * Whether the server, which has parsed the statement, reports columns. SET, CALL, COMMIT and compound statements have
 * none, however their text looks here; the read-only transaction rejects changes that have some.
 */
function bringsRows(connection: Connection, { read }: Prepared): Promise<boolean> {
  return new Promise((resolve, reject) => {
    // As `execute` does, which finds it prepared.
    const options = { sql: read.text, rowsAsArray: true } as unknown as string;
    connection.prepare(options, (error, prepared) =>
      error ? reject(error) : resolve((prepared as unknown as { columns: readonly unknown[] }).columns.length > 0),
    );
  });
}

function query(connection: Connection, sql: string): Promise<unknown[][]> {
  return new Promise((resolve, reject) => {
    connection.query<never>({ sql, rowsAsArray: true }, (error, rows: unknown) =>
      error ? reject(error) : resolve(Array.isArray(rows) ? rows : []),
    );
  });
}

type Prepared = Pick<Statement, "access" | "parameters"> & { read: ReadStatement };

/** A prepared statement is one statement, and its rows are read as they arrive. A write is awaited to its end. */
async function execute(connection: Connection, { read, access, parameters }: Prepared, sink: Sink): Promise<Ended> {
  const values = read.places.map((place) => toParameter(parameters[place] ?? null));
  const command = connection.execute({ sql: read.text, values, rowsAsArray: true });
  let fields: readonly FieldPacket[] | undefined;
  let results = 0;
  let isFull = false;
  let changedRows: number | undefined;
  const { promise: full, resolve } = Promise.withResolvers<"full">();
  command.on("fields", (given: FieldPacket[] | undefined) => {
    results += 1;
    if (results > 1 || given === undefined) return;
    fields = given;
    sink.columns(given.map(({ name }) => name));
  });
  command.on("result", (row: unknown[] | ResultSetHeader) => {
    if (!Array.isArray(row)) changedRows = row.affectedRows;
    else if (!isFull && results === 1) {
      isFull = !sink.row(row.map((value, index) => withoutHash(toValue(value, fields?.[index]), read.verb)));
      if (isFull && access === "read") resolve("full");
    }
  });
  await Promise.race([once(command, "end"), full]);
  return changedRows === undefined ? {} : { changedRows };
}

/** Of the protocol's types: a timestamp has a zone, which is UTC here; the other has none. */
const timestamp = 7;
const datetime = 12;

function toValue(value: unknown, { columnType }: Partial<FieldPacket> = {}): Json {
  if (typeof value !== "string" || (columnType !== timestamp && columnType !== datetime)) return toJsonValue(value);
  return value.replace(" ", "T") + (columnType === timestamp ? "Z" : "");
}

/** SHOW GRANTS of MariaDB, and SHOW CREATE USER, include hashes from which passwords can be guessed. */
function withoutHash(value: Json, verb: string): Json {
  if (verb !== "show" || typeof value !== "string" || !/^(GRANT|(CREATE|ALTER) USER) /.test(value)) return value;
  return value.replaceAll(/\b(PASSWORD|USING|AS) ('[^']*'|0x[0-9A-Fa-f]+)/g, "$1 '…'");
}

function advice(error: unknown): Advice {
  const code = codeOf(error);
  const number = error instanceof Error && "errno" in error ? Number(error.errno) : 0;
  return byCode[code] ?? byNumber[number] ?? (code.startsWith("ER_") ? "none" : "lost");
}

const byCode: Readonly<Record<string, Advice>> = {
  ER_ACCESS_DENIED_ERROR: "credential",
  ER_ACCESS_DENIED_NO_PASSWORD_ERROR: "credential",
  ER_BAD_DB_ERROR: "database",
  ER_DBACCESS_DENIED_ERROR: "database",
  ER_NO_SUCH_TABLE: "schema",
  ER_BAD_FIELD_ERROR: "schema",
  ER_PARSE_ERROR: "syntax",
  ER_EMPTY_QUERY: "syntax",
  ER_UNSUPPORTED_PS: "syntax",
  ER_CANT_EXECUTE_IN_READ_ONLY_TRANSACTION: "read-only",
  ER_LOCK_WAIT_TIMEOUT: "passing",
  ER_LOCK_DEADLOCK: "passing",
  ER_CON_COUNT_ERROR: "passing",
  ER_USER_LIMIT_REACHED: "passing",
};

/** Of MySQL, and of MariaDB, which the driver has no name for. */
const byNumber: Readonly<Record<number, Advice>> = { 1792: "read-only", 3024: "timeout", 1969: "timeout" };
