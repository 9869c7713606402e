import { Client } from "pg";

/** The server of PostgreSQL that tests use, as the runner sees it. */
export type TestPostgres = {
  /** The names of databases that the tests of a process have left; they are dropped. */
  takeDatabases(pid: number): Promise<string[]>;
  /** Drops those that a process that is gone has handed from test to test. */
  dropPool(pid: number): Promise<void>;
  close(): Promise<void>;
};

const connectTimeoutMs = 2_000;

/** Undefined where none answers at `TEST_POSTGRES_URL`. */
export async function openTestPostgres(): Promise<TestPostgres | undefined> {
  const connectionString = process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/test";
  const client = new Client({ connectionString, connectionTimeoutMillis: connectTimeoutMs });
  client.on("error", () => undefined);
  try {
    await client.connect();
  } catch {
    return undefined;
  }
  const dropAll = async (prefix: string): Promise<string[]> => {
    const { rows } = await client.query<{ datname: string }>(
      "select datname from pg_database where starts_with(datname, $1) order by datname",
      [prefix],
    );
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`);
    return rows.map(({ datname }) => datname);
  };
  return {
    close: () => client.end(),
    takeDatabases: (pid) => dropAll(`weft_test_${pid}_`),
    async dropPool(pid) {
      await dropAll(`weft_pool_${pid}_`);
    },
  };
}
