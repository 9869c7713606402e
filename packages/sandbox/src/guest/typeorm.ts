import type { Asker } from "./asker.ts";
import { createDatabaseQuery, limitMembers, type Query } from "./databases.ts";

type Options = { extra?: Record<string, unknown>; [name: string]: unknown };

/**
 * Runs inside QuickJS, beside the functions of `databases.ts`: the parts of TypeORM that query a database with
 * statements.
 * Source: typeorm.io/docs/data-source.
 */
export function createTypeormModule(ask: Asker["ask"] | undefined) {
  const advice = "It has initialize, query, destroy and createQueryRunner: ask with query(statement, values).";
  const engines = new Map<unknown, "postgres" | "mysql" | "sqlite">([
    ["postgres", "postgres"],
    ["mysql", "mysql"],
    ["mariadb", "mysql"],
    ["sqlite", "sqlite"],
    ["better-sqlite3", "sqlite"],
  ]);

  class QueryRunner {
    isReleased = false;
    connection: DataSource;
    constructor(source: DataSource) {
      this.connection = source;
    }
    async connect() {}
    async query(statement: unknown, parameters?: unknown) {
      if (this.isReleased) throw new Error("The query runner was released. Create another one.");
      return this.connection.query(statement, parameters);
    }
    async release() {
      this.isReleased = true;
    }
  }

  class DataSource {
    isInitialized = false;
    options: Options;
    ask: Query;
    constructor(options: Options = {}) {
      const engine = engines.get(options.type);
      if (engine === undefined) {
        const names = [...engines.keys()].join(", ");
        throw new Error(`The sandbox has no databases of the type ${options.type}. It has ${names}.`);
      }
      const { url, host, port, database, username, password, extra } = options;
      const ssl = options.ssl ?? extra?.ssl;
      const place = { url, host, port, database, user: username, password, ssl };
      this.options = options;
      this.ask = createDatabaseQuery(ask, { engine, options: place });
    }
    async initialize() {
      if (this.isInitialized) throw new Error("The data source is initialized already.");
      await this.ask("select 1");
      this.isInitialized = true;
      return this;
    }
    async query(statement: unknown, parameters?: unknown) {
      if (!this.isInitialized) throw new Error("The data source is not initialized. Await initialize() first.");
      return (await this.ask(statement, parameters)).rows;
    }
    createQueryRunner() {
      return new QueryRunner(this);
    }
    async destroy() {
      if (!this.isInitialized) throw new Error("The data source is not initialized.");
      this.isInitialized = false;
    }
  }

  Object.setPrototypeOf(QueryRunner.prototype, limitMembers("QueryRunner", {}, "It has query and release."));
  Object.setPrototypeOf(DataSource.prototype, limitMembers("DataSource", {}, advice));
  return limitMembers("typeorm", { DataSource }, "It has DataSource alone.");
}
