import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { BenchError } from "../report/bench-error.ts";

/** A database that exists for one run of the bench. */
export type BenchDatabase = { url: string; drop(): Promise<void> };

/** Creates it on the server of the address; the role needs `CREATEDB`. Rejects with `BenchError`. */
export async function createPostgresDatabase(serverUrl: string): Promise<BenchDatabase> {
  const name = `weft_bench_${randomUUID().replaceAll("-", "")}`;
  await run(serverUrl, `create database ${name} encoding 'UTF8' template template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(serverUrl, `drop database if exists ${name} with (force)`) };
}

async function run(serverUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: serverUrl });
  try {
    await client.connect();
    await client.query(statement);
  } catch (cause) {
    const { hostname, port } = new URL(serverUrl);
    const reason = cause instanceof Error ? cause.message || String(cause) : String(cause);
    throw new BenchError(`PostgreSQL at ${hostname}:${port || 5432} cannot be used: ${reason}`, { cause });
  } finally {
    await client.end().catch(() => undefined);
  }
}
