import type { SqlClient, SqlDatabase } from "@weft/engine/ports/sql-client";
import type { Json, Share } from "@weft/schema";
import { AskError } from "./broker.ts";
import type { QueryAnswer, QueryRequest } from "./protocol.ts";

export type QueryLimits = {
  /** Of each statement; one that returns more fails. */
  maxRows: number;
  /** Total bytes of the rows of all statements. */
  maxBytes: number;
  /** For each statement. The run's own deadline also ends the one in progress. */
  timeoutMs: number;
  share: Share | undefined;
};

/**
 * Queries databases for the code of one run, one statement after the other, each on a connection that ends with it. The
 * databases permit only reads. Resolves with JSON text of a `QueryAnswer`.
 */
export function answerQueries(sql: SqlClient, { maxRows, maxBytes, timeoutMs, share }: QueryLimits) {
  let leftBytes = maxBytes;
  let last: Promise<unknown> = Promise.resolve();

  async function ask(request: QueryRequest, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    if (leftBytes <= 0) throw tooMuch(maxBytes);
    const { statement, parameters } = request;
    const database = toDatabase(request);
    if (isChange.test(statement)) throw new AskError(readOnly);
    const outcome = await sql.run({
      ...{ database, statement, parameters, signal, timeoutMs, maxRows, maxBytes: leftBytes },
      placeholders: database.engine === "postgres" ? "numbers" : "question-marks",
      access: "read",
      ...(share && { share }),
    });
    if (!outcome.ok) throw new AskError(outcome.reason);
    const { columns, rows, truncated } = outcome.value;
    if (truncated) throw rows.length < maxRows ? tooMuch(maxBytes) : tooMany(maxRows);
    const answer = JSON.stringify({ columns, rows } satisfies QueryAnswer);
    leftBytes -= Buffer.byteLength(answer);
    return answer;
  }

  return (request: QueryRequest, signal: AbortSignal): Promise<string> => {
    const asked = last.then(() => ask(request, signal));
    last = asked.catch(() => undefined);
    return asked;
  };
}

/** Only for a better message: the database refuses every change. */
const isChange = /^\s*(insert|update|delete|merge|replace|create|alter|drop|truncate|grant|revoke)\b/i;
const readOnly =
  "Code can only read databases. Change data with an SQL query step, or with the tool Database, whose setting Allow changes is on.";

const tooMany = (maxRows: number) =>
  new AskError(`The statement returns more than ${maxRows} rows, the most that code may read at once. Add a LIMIT.`);
const tooMuch = (maxBytes: number) =>
  new AskError(`The rows that code reads in one run may have ${maxBytes} bytes at most. Select less.`);

const standardPorts = { postgres: 5432, mysql: 3306 } as const;

/** Parses the address of a database as given to the libraries. A URL takes precedence over single options. */
function toDatabase({ engine, options }: QueryRequest): SqlDatabase {
  if (engine === "sqlite") return { engine, file: toText(options.database) };
  if (engine !== "postgres" && engine !== "mysql") throw new AskError(`The sandbox cannot ask ${engine} databases.`);
  const given = { ...options, ...readAddress(options.url) };
  const { host = "localhost", port, database, user, password, ssl } = given;
  if (toText(user) === "") throw new AskError("The code names no user for the database. Give one, and its password.");
  const number = Number(port ?? standardPorts[engine]);
  if (!Number.isInteger(number) || number < 1 || number > 65_535) {
    throw new AskError("The port of the database must be a number from 1 to 65535.");
  }
  return {
    ...{ engine, host: toText(host), port: number, database: toText(database) },
    ...{ user: toText(user), password: toText(password), tls: ssl !== undefined && ssl !== null && ssl !== false },
  };
}

function readAddress(address: Json | undefined): QueryRequest["options"] {
  if (address === undefined || address === null || address === "") return {};
  const url = URL.parse(toText(address));
  if (url === null) throw new AskError("The address of the database cannot be read. Write postgres://user@host/name.");
  const { hostname, port, pathname, username, password, searchParams } = url;
  const ssl = searchParams.get("sslmode") ?? searchParams.get("ssl");
  const parts: [string, string | boolean][] = [
    ["host", hostname.replace(/^\[|\]$/g, "")],
    ["port", port],
    ["database", decode(pathname.slice(1))],
    ["user", decode(username)],
    ["password", decode(password)],
    ["ssl", ssl === null ? "" : !isWithoutTls.test(ssl)],
  ];
  return Object.fromEntries(parts.filter(([, value]) => value !== ""));
}

const isWithoutTls = /^(disable|allow|prefer|false|0)$/;

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function toText(value: Json | undefined): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
