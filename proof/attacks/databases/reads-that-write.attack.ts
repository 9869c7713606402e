import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { createConnection as connectMysql } from "mysql2/promise";
import { Client } from "pg";
import { type Attack, defineAttack } from "../house/define-attack.ts";
import { forwardPort } from "../house/forward-port.ts";
import type { House } from "../house/open-house.ts";
import { agentFlow, callsOnce } from "../house/sketches.ts";
import { openSqliteShop, sqliteEnv } from "../house/sqlite-shop.ts";

/** A database with two orders, where an agent finds it, and what a statement has left of it. */
type Shop = { settings: Record<string, unknown>; state(): Promise<string>; close(): Promise<void> };
type Target = {
  engine: "sqlite" | "postgres" | "mysql";
  env?: Readonly<Record<string, string>>;
  open(house: House): Promise<Shop>;
  statements: readonly string[];
};

const postgresUrl = new URL(process.env.TEST_POSTGRES_URL ?? "postgres://postgres@127.0.0.1:5432/test");
const mysqlUrl = new URL(process.env.TEST_MYSQL_URL ?? "mysql://root@127.0.0.1:3306");
const newName = () => `weft_${randomUUID().replaceAll("-", "").slice(0, 20)}`;
const orders = [
  "create table orders (id integer primary key, total integer)",
  "insert into orders values (1, 10), (2, 20)",
];

async function credentialOf(house: House, credentialName: string, user: string, password: string): Promise<string> {
  const body = { name: "Shop", credentialName, plainDataObj: { user, password } };
  return (await house.owner<{ id: string }>("POST", "/credentials", body)).id;
}

async function openPostgresShop(house: House): Promise<Shop> {
  const [name, password] = [newName(), randomUUID()];
  const admin = new Client({ connectionString: postgresUrl.href });
  await admin.connect();
  await admin.query(`create database ${name}`);
  await admin.query(`create role ${name} login password '${password}'`);
  const owner = new Client({ connectionString: new URL(`/${name}`, postgresUrl).href });
  await owner.connect();
  for (const statement of orders) await owner.query(statement);
  // The user may write: only the platform's own limits are in the way.
  await owner.query("create sequence numbers");
  await owner.query("create function wipe() returns int language sql as 'delete from orders; select 1'");
  await owner.query(`grant all on schema public to ${name}`);
  await owner.query(`grant all on all tables in schema public to ${name}`);
  await owner.query(`grant all on all sequences in schema public to ${name}`);
  const forward = await forwardPort(house.takePort(), postgresUrl, 5432);
  const credential = await credentialOf(house, "PostgresApi", name, password);
  return {
    settings: { engine: "postgres", host: "127.0.0.1", port: forward.port, database: name, credential, tls: false },
    async state() {
      const { rows } = await owner.query("select id, total from orders order by id");
      const { rows: names } = await owner.query(
        "select count(*) as n from pg_class where relnamespace = 'public'::regnamespace",
      );
      const { rows: numbers } = await owner.query("select is_called from numbers");
      return JSON.stringify([rows, names, numbers]);
    },
    async close() {
      forward.close();
      await owner.end();
      await admin.query(`drop database ${name} with (force)`);
      await admin.query(`drop role ${name}`);
      await admin.end();
    },
  };
}

async function openMysqlShop(house: House): Promise<Shop> {
  const [name, password] = [newName(), randomUUID()];
  const owner = await connectMysql({ uri: mysqlUrl.href, connectTimeout: 10_000, disableEval: true });
  await owner.query(`create database ${name}`);
  await owner.query(`use ${name}`);
  for (const statement of orders) await owner.query(statement);
  await owner.query(`create user ${name}@'%' identified by '${password}'`);
  await owner.query(`grant all on ${name}.* to ${name}@'%'`);
  const forward = await forwardPort(house.takePort(), mysqlUrl, 3306);
  const credential = await credentialOf(house, "MySQLApi", name, password);
  return {
    settings: { engine: "mysql", host: "127.0.0.1", port: forward.port, database: name, credential, tls: false },
    async state() {
      const [rows] = await owner.query("select id, total from orders order by id");
      const [names] = await owner.query("show tables");
      return JSON.stringify([rows, names]);
    },
    async close() {
      forward.close();
      await owner.query(`drop database ${name}`);
      await owner.query(`drop user ${name}@'%'`);
      await owner.end();
    },
  };
}

async function openSqlite(): Promise<Shop> {
  const shop = openSqliteShop();
  return {
    settings: { engine: "sqlite", file: shop.file },
    state: async () => JSON.stringify([shop.count(), shop.tables(), shop.files()]),
    close: async () => undefined,
  };
}

const everywhere = [
  "delete from orders",
  "update orders set total = 0",
  "insert into orders values (3, 30)",
  "drop table orders",
  "create table copies as select * from orders",
  "select 1; delete from orders",
  "/* select */ delete from orders",
  "-- select\ndelete from orders",
  "--\u0001\ndelete from orders",
  "commit; delete from orders",
];

const targets: readonly Target[] = [
  {
    engine: "sqlite",
    env: sqliteEnv,
    open: openSqlite,
    statements: [
      ...everywhere,
      "with old as (select 1) delete from orders",
      "replace into orders values (1, 0)",
      "vacuum into 'stolen.db'",
      "attach 'other.db' as other",
      "pragma user_version = 7",
      "pragma writable_schema = on",
      "pragma query_only = off",
      "explain delete from orders",
      "select load_extension('x')",
      "select writefile('x', 'y')",
      "reindex",
    ],
  },
  {
    engine: "postgres",
    open: openPostgresShop,
    statements: [
      ...everywhere,
      "with gone as (delete from orders returning id) select * from gone",
      "select wipe()",
      "select nextval('numbers')",
      "select id into copies from orders",
      "explain analyze delete from orders",
      "copy orders from program 'echo 9,9'",
      "copy orders to program 'cat > /tmp/stolen'",
      "do $$ begin delete from orders; end $$",
      "set transaction read write",
      "select set_config('transaction_read_only', 'off', false)",
      "set session characteristics as transaction read write",
      "select lo_create(4711)",
      "call wipe()",
      "prepare a as delete from orders",
    ],
  },
  {
    engine: "mysql",
    open: openMysqlShop,
    statements: [
      ...everywhere,
      "select 1 into outfile '/tmp/weft-stolen'",
      "select * from orders into dumpfile '/tmp/weft-stolen'",
      "/*! delete from orders */",
      "/*!50000 delete from orders */",
      "select 1 /*! into outfile '/tmp/weft-stolen' */",
      "set session transaction read write",
      "prepare a from 'delete from orders'",
      "do sleep(0)",
      "load data infile '/etc/passwd' into table orders",
      "start transaction read write",
      "truncate orders",
      "# select\ndelete from orders",
    ],
  },
];

function toAttack({ engine, env, open, statements }: Target): Attack {
  return defineAttack({
    name: `a model writes with a tool of ${engine} that only reads`,
    ...(env && { env }),
    async run(house) {
      const shop = await open(house);
      try {
        const before = await shop.state();
        const agent = await house.agent(agentFlow({ tools: [{ type: "sql", config: shop.settings }] }));
        const visitor = house.visitor();
        const ask = async (statement: string) => {
          house.script(callsOnce("database_query", { statement }));
          return (await visitor.send("POST", `/api/v1/prediction/${agent}`, { question: "Orders?" })).text;
        };
        const read = await ask("select total from orders where id = 2");
        assert.match(read, /20/, `The tool reads nothing, so the attack proves nothing: ${read.slice(0, 500)}`);
        for (const statement of statements) {
          await ask(statement);
          assert.equal(await shop.state(), before, `It was changed by: ${statement}`);
        }
        assert.match(await ask("select total from orders where id = 2"), /20/, "Afterwards it reads no more.");
        return `${statements.length} statements changed nothing, and a SELECT before and after them was answered.`;
      } finally {
        await shop.close();
      }
    },
  });
}

const answers = {
  sqlite: async () => true,
  async postgres() {
    const client = new Client({ connectionString: postgresUrl.href });
    return client.connect().then(
      () => client.end().then(() => true),
      () => false,
    );
  },
  async mysql() {
    const options = { uri: mysqlUrl.href, connectTimeout: 5_000, disableEval: true };
    return connectMysql(options).then(
      (connection) => connection.end().then(() => true),
      () => false,
    );
  },
};

const there = await Promise.all(targets.map(({ engine }) => answers[engine]()));
/** Of the databases that answer here. */
export const attacks: readonly Attack[] = targets.filter((_, index) => there[index]).map(toAttack);
