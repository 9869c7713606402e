import { Client } from "pg";
import { type Dialect, type Driver, quoteDouble } from "./driver.ts";
import { showAddress, toServerFailure } from "./server-address.ts";

const sql: Dialect = {
  columns: `select table_name as "table", column_name as "column" from information_schema.columns
    where table_schema = any (current_schemas(false))`,
  quote: quoteDouble,
  key: "ctid::text",
  hasKey: "ctid = any (?::tid[])",
  toText: (column) => `${column}::text`,
  byText: (column) => `${column}::text collate "C" nulls first`,
  byMoment: (column) => `${column} nulls first`,
  byNumber: (column) => `${column} nulls first`,
};

const connectTimeoutMs = 15_000;

/** Overrides the server's and the user's settings: no timeout of a long read, and one date format. */
const settings = ["statement_timeout = 0", "idle_in_transaction_session_timeout = 0", "datestyle = 'ISO'"];

const reasons = { password: ["28P01", "28000"], database: ["3D000"] };

/** Reads the current schema of a PostgreSQL database. */
export async function openPostgres(address: string): Promise<Driver> {
  const shown = showAddress(address);
  const client = new Client({
    connectionString: address,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: "weft",
    keepAlive: true,
    // Every value arrives as its text.
    types: { getTypeParser: () => (text: string) => text },
  });
  // A broken connection would otherwise end the process; its statement fails anyway.
  client.on("error", () => undefined);
  try {
    await client.connect();
    await client.query("begin isolation level repeatable read read only");
    for (const setting of settings) await client.query(`set local ${setting}`);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw toServerFailure(shown, reasons, error);
  }
  return createDriver(client, shown);
}

function createDriver(client: Client, shown: string): Driver {
  let last: Promise<unknown> = Promise.resolve();
  return {
    kind: "postgres",
    sql,
    /** In sequence: a connection runs one statement at a time. */
    select(statement, parameters = []) {
      let place = 0;
      const text = statement.replaceAll("?", () => `$${++place}`);
      const result = last.then(async () => (await client.query<Record<string, unknown>>(text, [...parameters])).rows);
      last = result.catch(() => undefined);
      return result.catch((error: unknown) => Promise.reject(toServerFailure(shown, reasons, error)));
    },
    async close() {
      await client.end();
    },
  };
}
