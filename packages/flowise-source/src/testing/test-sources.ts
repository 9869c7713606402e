import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { Client } from "pg";
import { type CleanUp, createPostgresDatabase } from "../../../database/src/testing/test-databases.ts";
import { type BuildOptions, type BuiltFlowise, buildFlowiseDatabase } from "./build-flowise-database.ts";

export type TestInstallation = BuiltFlowise & {
  /** The path or the address. */
  address: string;
  /** Runs a statement as Flowise does, in the same database. */
  write(statement: string): Promise<void>;
};

type Build = Omit<BuildOptions, "folder" | "postgres" | "mysql">;

/** A folder that is gone after the test. */
export async function makeFolder(t: CleanUp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "weft-flowise-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export async function installOnPostgres(t: CleanUp, build: Build = {}): Promise<TestInstallation> {
  const address = await createPostgresDatabase(t);
  const client = new Client({ connectionString: address });
  client.on("error", () => undefined);
  await client.connect();
  t.after(() => client.end());
  const built = await buildFlowiseDatabase({ ...build, folder: await makeFolder(t), postgres: client });
  const write = async (statement: string) => void (await client.query(statement));
  return { ...built, address, write };
}

const mysqlUrl = process.env.TEST_MYSQL_URL ?? "mysql://root@127.0.0.1:3306";

/** Why no test can use MySQL or MariaDB; undefined where one answers at `TEST_MYSQL_URL`. */
export async function findMysqlProblem(): Promise<string | undefined> {
  try {
    await (await connect(mysqlUrl)).end();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    if (process.env.TEST_MYSQL_REQUIRED === "1") throw error;
    return `TEST_MYSQL_URL cannot be used: ${reason}`;
  }
}

export async function installOnMysql(t: CleanUp, build: Build = {}): Promise<TestInstallation> {
  const name = `weft_test_${crypto.randomUUID().replaceAll("-", "")}`;
  const server = await connect(mysqlUrl);
  await server.query(`create database ${name} character set utf8mb4`);
  t.after(async () => {
    // A transaction that a test left open would lock its tables forever.
    const [left] = await server.query<RowDataPacket[]>(
      "select id from information_schema.processlist where db = ? and id <> connection_id()",
      [name],
    );
    for (const { id } of left) await server.query("kill ?", [Number(id)]).catch(() => undefined);
    await server.query(`drop database ${name}`);
    await server.end();
  });
  await server.query(`use ${name}`);
  const built = await buildFlowiseDatabase({ ...build, folder: await makeFolder(t), mysql: server });
  const address = new URL(mysqlUrl);
  address.pathname = `/${name}`;
  const write = async (statement: string) => void (await server.query(statement));
  return { ...built, address: address.href, write };
}

function connect(uri: string): Promise<Connection> {
  return createConnection({ uri, connectTimeout: 15_000, disableEval: true });
}
