import { Client } from "pg";

/** A place of its own in a database, gone afterwards. */
export type Schema = { url: string; remove(): Promise<void> };

export async function openSchema(databaseUrl: string, applicationName: string): Promise<Schema> {
  const schema = `weft_chaos_${Date.now().toString(36)}`;
  await run(databaseUrl, `create schema ${schema}`);
  const url = new URL(databaseUrl);
  url.searchParams.set("options", `-c search_path=${schema} -c client_min_messages=warning`);
  url.searchParams.set("application_name", applicationName);
  return {
    url: url.href.replaceAll("+", "%20"),
    remove: () => run(databaseUrl, `set client_min_messages = warning; drop schema ${schema} cascade`),
  };
}

/** Another database of the same server, with the same settings of its address. */
export async function createDatabase(databaseUrl: string, index: number): Promise<Schema> {
  const name = `weft_restored_${Date.now().toString(36)}_${index}`;
  await run(databaseUrl, `create database ${name} encoding 'UTF8' template template0`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return { url: url.href, remove: () => run(databaseUrl, `drop database ${name} with (force)`) };
}

async function run(databaseUrl: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
