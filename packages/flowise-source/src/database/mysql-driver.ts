import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import type { Dialect, Driver } from "./driver.ts";
import { showAddress, toServerFailure } from "./server-address.ts";

const sql: Dialect = {
  columns: `select table_name as \`table\`, column_name as \`column\` from information_schema.columns
    where table_schema = database()`,
  quote: (name) => `\`${name.replaceAll("`", "``")}\``,
  key: "id",
  hasKey: "id in (?)",
  toText: (column) => column,
  byText: (column) => `cast(${column} as binary)`,
  byMoment: (column) => column,
  byNumber: (column) => column,
};

const connectTimeoutMs = 15_000;

const reasons = {
  password: ["ER_ACCESS_DENIED_ERROR", "ER_ACCESS_DENIED_NO_PASSWORD_ERROR"],
  database: ["ER_BAD_DB_ERROR", "ER_DBACCESS_DENIED_ERROR", "ER_NO_DB_ERROR"],
};

/** Reads a database of MySQL or MariaDB. */
export async function openMysql(address: string): Promise<Driver> {
  const shown = showAddress(address);
  let connection: Connection | undefined;
  try {
    connection = await createConnection({
      uri: address.replace(/^mariadb:/i, "mysql:"),
      charset: "utf8mb4",
      connectTimeout: connectTimeoutMs,
      enableKeepAlive: true,
      // The library would otherwise generate parser code at run time.
      disableEval: true,
      // Every value arrives as its text.
      typeCast: (field) => field.string("utf8"),
    });
    connection.on("error", () => undefined);
    // Parameters are escaped for this mode.
    await connection.query("set session sql_mode = ''");
    await connection.query("set session transaction isolation level repeatable read");
    await connection.query("set session time_zone = '+00:00'");
    await connection.query("start transaction with consistent snapshot, read only");
  } catch (error) {
    connection?.destroy();
    throw toServerFailure(shown, reasons, error);
  }
  return createDriver(connection, shown);
}

function createDriver(connection: Connection, shown: string): Driver {
  let closing: Promise<void> | undefined;
  return {
    kind: "mysql",
    sql,
    async select(statement, parameters = []) {
      try {
        const [rows] = await connection.query<RowDataPacket[]>(statement, [...parameters]);
        return rows;
      } catch (error) {
        throw toServerFailure(shown, reasons, error);
      }
    },
    close() {
      closing ??= connection.end();
      return closing;
    },
  };
}
