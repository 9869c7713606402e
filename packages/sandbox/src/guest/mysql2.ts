import type { Asker } from "./asker.ts";
import { createDatabaseQuery, giveToCallback, limitMembers, type Query } from "./databases.ts";

type Options = Record<string, unknown>;
type Answer = [rows: unknown[], fields: { name: string }[]];

/**
 * Runs inside QuickJS, beside the functions of `databases.ts`: the parts of mysql2 that query a database with
 * statements. Both of its modules share their connections, which take callbacks and return promises without them.
 * Source: sidorares.github.io/node-mysql2.
 */
export function createMysqlModule(ask: Asker["ask"] | undefined, form: "callbacks" | "promises") {
  const advice = "It has connect, query, execute, end, release, promise and on: ask with query(statement, values).";

  const toAnswer = async (
    query: Query,
    options: Options,
    given: string | Options,
    values: unknown,
  ): Promise<Answer> => {
    const whole: Options = typeof given === "object" && given !== null ? given : { sql: given };
    const own = typeof values === "function" || values === undefined ? whole.values : values;
    const { columns, rows } = await query(whole.sql, own === undefined || Array.isArray(own) ? own : toList(own));
    const isList = whole.rowsAsArray ?? options.rowsAsArray;
    const shown = isList ? rows.map((row) => columns.map((name) => row[name])) : rows;
    return [shown, columns.map((name) => ({ name }))];
  };

  /** A single value may be given without a list; names for values are not supported. */
  const toList = (value: unknown) => {
    if (typeof value !== "object" || value === null || value instanceof Date) return [value];
    throw new TypeError("The sandbox has no named placeholders of mysql2. Write ? for each value, and give a list.");
  };

  class Connection {
    protected options: Options;
    protected ask: Query;
    protected hasEnded = false;
    constructor(config?: string | Options) {
      this.options = typeof config === "string" ? { uri: config } : (config ?? {});
      const { uri, host, port, database, user, password, ssl } = this.options;
      const options = { url: uri, host, port, database, user, password, ssl };
      this.ask = createDatabaseQuery(ask, { engine: "mysql", options });
    }
    connect(callback?: unknown) {
      return giveToCallback(
        this.ask("select 1").then(() => undefined),
        callback,
        () => [],
      );
    }
    query(statement: string | Options, values?: unknown, callback: unknown = values) {
      const asked = this.hasEnded
        ? Promise.reject(new Error("The connection was closed. Create another one."))
        : toAnswer(this.ask, this.options, statement, values);
      return giveToCallback(asked, callback, (answer) => answer);
    }
    execute(statement: string | Options, values?: unknown, callback: unknown = values) {
      return this.query(statement, values, callback);
    }
    getConnection(callback?: unknown) {
      const connection = new Connection(this.options);
      const connected = this.ask("select 1").then(() => connection);
      return giveToCallback(connected, callback, () => [connection]);
    }
    end(callback?: unknown) {
      this.hasEnded = true;
      return giveToCallback(Promise.resolve(undefined), callback, () => []);
    }
    destroy() {
      this.hasEnded = true;
    }
    release() {}
    promise() {
      return this;
    }
    on() {
      return this;
    }
  }

  Object.setPrototypeOf(Connection.prototype, limitMembers("mysql2", {}, advice));
  const createConnection = (config?: string | Options) => {
    const connection = new Connection(config);
    if (form === "callbacks") return connection;
    return Promise.resolve(connection.connect()).then(() => connection);
  };
  const createPool = (config?: string | Options) => new Connection(config);
  const module = { createConnection, createPool };
  return limitMembers("mysql2", module, "It has createConnection and createPool.");
}
