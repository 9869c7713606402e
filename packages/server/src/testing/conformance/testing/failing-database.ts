import type { Database } from "@weft/database";
import type { KyselyPlugin } from "kysely";

/** A database that can be made to fail. */
export type FailingDatabase = {
  wrap(database: Database): Database;
  /** What was wrapped: it never fails. */
  readonly database: Database;
  /** Every query and every write fails until `fn` is over. */
  failDuring<T>(fn: () => Promise<T>): Promise<T>;
};

export function createFailingDatabase(): FailingDatabase {
  let isFailing = false;
  let wrapped: Database | undefined;
  const assertWorks = () => {
    if (isFailing) throw new Error("The store fails.");
  };
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      assertWorks();
      return node;
    },
    async transformResult({ result }) {
      assertWorks();
      return result;
    },
  };
  return {
    get database() {
      if (wrapped === undefined) throw new Error("No database was wrapped.");
      return wrapped;
    },
    wrap(database) {
      wrapped = database;
      return {
        ...database,
        // Nothing is kept instead of being read: every read meets the failure.
        changes: () => undefined,
        read: database.read.withPlugin(plugin),
        async write(fn, options) {
          assertWorks();
          return database.write(fn, options);
        },
      };
    },
    async failDuring(fn) {
      isFailing = true;
      try {
        return await fn();
      } finally {
        isFailing = false;
      }
    },
  };
}
