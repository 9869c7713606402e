import type { Asker } from "./asker.ts";
import { createDatabaseQuery, giveToCallback, limitMembers, type Query } from "./databases.ts";

type Options = Record<string, unknown>;
type Result = {
  command: string;
  rowCount: number;
  rows: unknown[];
  fields: { name: string }[];
};

/**
 * Runs inside QuickJS, beside the functions of `databases.ts`: the parts of node-postgres that query a database with
 * statements.
 * Source: node-postgres.com/apis.
 */
export function createPgModule(ask: Asker["ask"] | undefined) {
  const advice = "It has connect, query, end, release and on: ask with query(statement, values).";

  const toOptions = (config?: string | Options): Options => {
    if (typeof config === "string") return { url: config };
    const { connectionString, host, port, database, user, password, ssl } = config ?? {};
    return { url: connectionString, host, port, database, user, password, ssl };
  };

  const toResult = async (query: Query, given: string | Options, values: unknown): Promise<Result> => {
    const whole: Options = typeof given === "object" && given !== null ? given : { text: given };
    const parameters = typeof values === "function" ? undefined : values;
    const { columns, rows } = await query(whole.text, parameters ?? whole.values ?? []);
    const shown = whole.rowMode === "array" ? rows.map((row) => columns.map((name) => row[name])) : rows;
    return { command: "SELECT", rowCount: rows.length, rows: shown, fields: columns.map((name) => ({ name })) };
  };

  class Client {
    protected ask: Query;
    protected hasEnded = false;
    constructor(config?: string | Options) {
      this.ask = createDatabaseQuery(ask, { engine: "postgres", options: toOptions(config) });
    }
    connect(callback?: unknown): unknown {
      return giveToCallback(
        this.ask("select 1").then(() => undefined),
        callback,
        () => [],
      );
    }
    query(statement: string | Options, values?: unknown, callback: unknown = values) {
      const asked = this.hasEnded
        ? Promise.reject(new Error("The client was closed. Create another one."))
        : toResult(this.ask, statement, values);
      return giveToCallback(asked, callback, (result) => [result]);
    }
    end(callback?: unknown) {
      this.hasEnded = true;
      return giveToCallback(Promise.resolve(undefined), callback, () => []);
    }
    release() {}
    on() {
      return this;
    }
    once() {
      return this;
    }
  }

  class Pool extends Client {
    config: string | Options | undefined;
    constructor(config?: string | Options) {
      super(config);
      this.config = config;
    }
    override connect(callback?: unknown) {
      const client = new Client(this.config);
      const connected = this.ask("select 1").then(() => client);
      return giveToCallback(connected, callback, () => [client, client.release]);
    }
  }

  Object.setPrototypeOf(Client.prototype, limitMembers("pg", {}, advice));
  return limitMembers("pg", { Client, Pool }, "It has Client and Pool.");
}
