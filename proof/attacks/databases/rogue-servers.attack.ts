import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { type HostileServer, hostileServers, playHostile } from "../../../packages/sql/src/testing/hostile-servers.ts";
import { type Attack, defineAttack } from "../house/define-attack.ts";
import { assertQuick, timed } from "../house/hold-answers.ts";
import type { House } from "../house/open-house.ts";
import { agentFlow, callsOnce, functionFlow, llmFlow } from "../house/sketches.ts";

/** Those of `packages/sql` that ended a process, held it, or filled its memory; that package tries all of them. As many as are asked at once. */
const names = {
  postgres: [
    "ten bytes that end the reader",
    "an error of length five",
    "SCRAM of two billion rounds",
    "rows without end",
    "an array of open brackets",
  ],
  mysql: [
    "ten bytes",
    "packets that go on for ever",
    "asks for a file",
    "rows without end",
    "a prepared statement of 65,535 values",
  ],
};
type Engine = keyof typeof names;
type Rogue = { port: number; credential: string; engine: Engine };
/** Lets the platform ask a server. Resolves with what a visitor, or the holder of a key, is told. */
type Door = { name: string; engines: readonly Engine[]; ask(house: House, rogue: Rogue): Promise<string> };

/** Time enough to be connected to on a busy machine. */
const timeoutMs = 2_000;
const place = ({ port, credential, engine }: Rogue) => {
  return { engine, host: "127.0.0.1", port, database: "shop", credential, tls: false, timeoutMs };
};

async function visit(house: House, agent: string): Promise<string> {
  return (await house.visitor().send("POST", `/api/v1/prediction/${agent}`, { question: "Orders?" })).text;
}

const doors: readonly Door[] = [
  {
    name: "a step",
    engines: ["postgres", "mysql"],
    async ask(house, rogue) {
      const config = { ...place(rogue), statement: "select 1" };
      return visit(house, await house.agent({ nodes: [{ id: "sql", type: "sql", config }] }));
    },
  },
  {
    name: "a tool",
    engines: ["postgres", "mysql"],
    async ask(house, rogue) {
      house.script(callsOnce("database_query", { statement: "select 1" }));
      return visit(house, await house.agent(agentFlow({ tools: [{ type: "sql", config: place(rogue) }] })));
    },
  },
  {
    name: "code",
    engines: ["postgres", "mysql"],
    async ask(house, { port, engine }) {
      const code = {
        postgres: `const client = new (require("pg").Client)({ host: "127.0.0.1", port: ${port}, user: "a", password: "b", database: "shop" });
          await client.connect(); return JSON.stringify((await client.query("select 1")).rows);`,
        mysql: `const client = await require("mysql2/promise").createConnection({ host: "127.0.0.1", port: ${port}, user: "a", password: "b", database: "shop" });
          return JSON.stringify((await client.query("select 1"))[0]);`,
      };
      return visit(house, await house.agent(functionFlow(code[engine], { timeoutMs: 5_000 })));
    },
  },
  {
    name: "a document store",
    engines: ["postgres"],
    async ask(house, { port, credential }) {
      const config = { host: "127.0.0.1", port, database: "shop", credential, ssl: false };
      const { id } = await house.owner<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
      const holder = await house.keyHolder({ permissions: ["*"] });
      const loader = { name: "plainText", config: { text: "Refunds take five days." } };
      const path = `/api/v1/document-store/upsert/${id}`;
      return (await holder.send("POST", path, { loader, vectorStore: { name: "postgres", config } })).text;
    },
  },
];

type Playing = { connections(): number; stop(): void };

async function play(hostile: HostileServer, port: number): Promise<Playing> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    playHostile(socket, hostile);
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  return {
    connections: () => connections,
    stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

type Asked = Pick<Door, "ask"> & { name: string; engine: Engine; credential: string };

/** Resolves with how long the question took. */
async function askRogue(house: House, { name, engine, credential, ask }: Asked): Promise<number> {
  const hostile = hostileServers.find((one) => one.engine === engine && one.name === name);
  assert.ok(hostile, `No server is named ${name}`);
  const port = house.takePort();
  // The owner was talked into it, so that what the server sends is the attack.
  await house.owner("POST", `/credentials/${credential}/destinations`, { destination: `127.0.0.1:${port}` });
  const { connections, stop } = await play(hostile, port);
  const { value: told, tookMs } = await timed(() => ask(house, { port, credential, engine })).finally(stop);
  assert.ok(connections() > 0, `${name}: nobody connected. ${told.slice(0, 300)}`);
  assert.ok(told.length < 10_000, `${name}: the answer has ${told.length} characters.`);
  // A document store waits ten seconds for a connection, and tries twice.
  assertQuick(tookMs, 30_000);
  return tookMs;
}

function toAttack({ name: door, ask }: Door, engine: Engine): Attack {
  return defineAttack({
    name: `${door} asks a ${engine} server that is none`,
    async run(house) {
      const password = house.plant();
      const credentialName = { postgres: "PostgresApi", mysql: "MySQLApi" }[engine];
      const body = { name: "Shop", credentialName, plainDataObj: { user: "weft", password } };
      const { id: credential } = await house.owner<{ id: string }>("POST", "/credentials", body);
      const pid = house.platform.pid;
      const asked = names[engine].map((name) => askRogue(house, { name, engine, credential, ask }));
      // All are over before one that failed is told: the next attack takes the same ports.
      await Promise.allSettled(asked);
      const times = await Promise.all(asked);
      const after = await visit(house, await house.agent(llmFlow()));
      assert.ok(after.includes("text") && !house.platform.hasEnded() && pid === house.platform.pid);
      return `${times.length} servers cost the one question each, the slowest ${Math.max(...times).toFixed(0)} ms.`;
    },
  });
}

export const attacks: readonly Attack[] = doors.flatMap((door) => door.engines.map((engine) => toAttack(door, engine)));
