import { Client } from "pg";

// Databases of this process that tests hand on: emptying one takes a twentieth of the time in which a server that syncs to
// disk creates and drops one.

export type PostgresPool = {
  /** A migrated database without rows. */
  take(): Promise<PooledDatabase>;
};

export type PooledDatabase = { name: string; giveBack(): Promise<void> };

export type PostgresPoolDeps = {
  addressOf(database: string): string;
  /** Runs a statement on the server, outside of the databases. */
  runOnServer(statement: string): Promise<void>;
  /** The name of a migrated database that nobody uses. */
  template(): Promise<string>;
};

/** The databases of a pool are named after its process, whose end removes them. */
const poolPrefix = `weft_pool_${process.pid}_`;

/** Migrations, tables, indexes, functions and settings as text: a database where a test changed them is not handed on. */
const readSchema = `
  select concat_ws(';',
    (select string_agg(name, ',' order by name) from kysely_migration),
    (select string_agg(concat_ws(' ', c.relname, c.relkind, a.attname, a.atttypid), ',' order by c.oid, a.attnum)
      from pg_class c join pg_attribute a on a.attrelid = c.oid where c.oid >= 16384 and c.relkind <> 't'),
    (select string_agg(proname, ',' order by oid) from pg_proc where oid >= 16384),
    (select string_agg(tgname, ',' order by oid) from pg_trigger where not tgisinternal),
    (select string_agg(setconfig::text, ',') from pg_db_role_setting
      where setdatabase = (select oid from pg_database where datname = current_database()))) as schema`;

const endOthers =
  "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()";

/** Rows of migrations stay. Without triggers, so in any order. */
const empty = `
  do $$ declare t regclass; filled boolean; begin
    set local session_replication_role = replica;
    for t in select oid::regclass from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace
      and relname not like 'kysely\\_%'
    loop
      execute format('select exists (select from %s)', t) into filled;
      if filled then execute format('delete from %s', t); end if;
    end loop;
    perform setval(oid::regclass, 1, false) from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace;
  end $$`;

/** Ends when nobody is connected: the server forgets a connection a moment after it was closed. */
const untilAlone = (name: string) => `
  do $$ begin
    for attempt in 1..1000 loop
      exit when not exists (select from pg_stat_activity where datname = '${name}');
      perform pg_sleep(0.002);
      perform pg_stat_clear_snapshot();
    end loop;
  end $$`;

export function createPostgresPool({ addressOf, runOnServer, template }: PostgresPoolDeps): PostgresPool {
  const idle: string[] = [];
  const all = new Set<string>();
  let schema: Promise<string> | undefined;
  const inDatabase = async <T>(name: string, work: (client: Client) => Promise<T>): Promise<T> => {
    const client = new Client({ connectionString: addressOf(name) });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const schemaOf = async (client: Client) => (await client.query<{ schema: string }>(readSchema)).rows[0]?.schema ?? "";
  const drop = async (name: string) => {
    all.delete(name);
    await runOnServer(`drop database if exists ${name} with (force)`);
  };
  const create = async () => {
    const name = `${poolPrefix}${all.size}_${Date.now().toString(36)}`;
    if (all.size === 0) process.once("beforeExit", () => void Promise.all([...all].map(drop)));
    all.add(name);
    await runOnServer(`create database ${name} template ${await template()}`);
    schema ??= inDatabase(name, schemaOf);
    await schema;
    return name;
  };
  const isEmptied = (name: string) =>
    inDatabase(name, async (client) => {
      await client.query(endOthers);
      if ((await schemaOf(client)) !== (await schema)) return false;
      await client.query(empty);
      return true;
    });
  return {
    async take() {
      const name = idle.pop() ?? (await create());
      return {
        name,
        async giveBack() {
          // One without the table of migrations is none to hand on either.
          if (!(await isEmptied(name).catch(() => false))) return await drop(name);
          await runOnServer(untilAlone(name));
          idle.push(name);
        },
      };
    },
  };
}
