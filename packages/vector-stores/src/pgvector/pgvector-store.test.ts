import assert from "node:assert/strict";
import { type AddressInfo, createServer } from "node:net";
import { after, type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import type { CollectionName } from "@weft/engine/ports/vector-store";
import { createForeignPool } from "@weft/sql";
import { services } from "../testing/bench.ts";
import { describeVectorStore, type StoreInstance } from "../testing/vector-store-contract.ts";
import { createPgvectorStore, type PgvectorStoreOptions, pgvectorTraits } from "./pgvector-store.ts";
import { openPgvectorDatabase } from "./testing/open-pgvector-database.ts";

const permitsHost = () => true;
const reveal = (text: string) => text;
const openForeign: PgvectorStoreOptions["openForeign"] = (place, connections) => {
  const { connect } = createEgressClient({ allow: [`${place.host}:${place.port}`] });
  return createForeignPool(place, { connect, maxConnections: connections, connectMs: 5_000 });
};
const signal = new AbortController().signal;

const { url: databaseUrl, maxConnections, close } = await openPgvectorDatabase();
after(async () => {
  for (const { store } of resting) await store.close();
  await close();
});
/** Stores that tests left open, with their connections: the next test goes on with them. */
const resting: Opened[] = [];
describeVectorStore("pgvector", { start: (t) => start(t, {}) });
const own = new URL(databaseUrl);
const place = { host: own.hostname, port: own.port, database: own.pathname.slice(1), credential: "id" };
describeVectorStore("pgvector of others", { start: (t) => start(t, place) });

type Opened = { store: ReturnType<typeof createPgvectorStore>; isClosed: boolean };

async function start(t: TestContext, at: object): Promise<{ createInstance(): Promise<StoreInstance> }> {
  const readCredential = async () => ({ user: own.username, password: own.password });
  const names = new Map<string, CollectionName>();
  const used: Opened[] = [];
  const config = pgvectorTraits.config.parse(at);
  const take = () => {
    const store = () => createPgvectorStore({ databaseUrl, permitsHost, openForeign, reveal, maxConnections });
    const opened = resting.pop() ?? { store: store(), isClosed: false };
    used.push(opened);
    return opened;
  };
  t.after(async () => {
    const { store } = used.find(({ isClosed }) => !isClosed) ?? take();
    for (const collection of names.values()) {
      await (await store.definition.open(config, collection, { ...services, readCredential })).drop({ signal });
    }
    resting.push(...used.filter(({ isClosed }) => !isClosed));
  });
  return {
    async createInstance() {
      const opened = take();
      return {
        async close() {
          opened.isClosed = true;
          await opened.store.close();
        },
        open(collection) {
          names.set(collection.collection, collection);
          return opened.store.definition.open(config, collection, { ...services, readCredential });
        },
      };
    },
  };
}

const name: CollectionName = { collection: "c", embedderId: "e", dimension: 2 };

async function failure(config: object, deps: Partial<PgvectorStoreOptions> = {}, secret?: Record<string, string>) {
  const store = createPgvectorStore({ databaseUrl: "", permitsHost, openForeign, reveal, ...deps });
  const readCredential = async () => secret;
  try {
    const parsed = pgvectorTraits.config.parse(config);
    await (await store.definition.open(parsed, name, { ...services, readCredential })).count({ signal });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await store.close();
  }
}

test("a database that is none fails the request, and nothing else", async (t) => {
  for (const answer of ["54000000000102030405", "450000000578", "5200000008ffffffff"]) {
    const server = createServer((socket) =>
      socket.on("error", () => {}).once("data", () => socket.write(Buffer.from(answer, "hex"))),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const error = await failure(
      { host: "127.0.0.1", port, credential: "id" },
      {},
      { user: "weft", password: "pass-1234567" },
    );
    assert.ok(error instanceof Error && "code" in error && error.code === "vector-store-failed", String(error));
    assert.match(error.message, /connection was lost/);
  }
});

test("a database that cannot or must not be used is refused with what to do", async () => {
  const secret = { user: "weft", password: "pass-1234567" };
  const remote = { host: "127.0.0.1", port: 1, credential: "id" };
  const cases: [unknown, string, RegExp][] = [
    [await failure({}), "vector-store-not-configured", /no PostgreSQL\. Name a host/],
    [
      await failure(remote, { permitsHost: () => false }),
      "vector-store-not-configured",
      /127\.0\.0\.1:1 .* EGRESS_ALLOW/,
    ],
    [await failure({ host: "127.0.0.1" }), "vector-store-not-configured", /needs a credential/],
    [await failure(remote, {}, { user: "weft" }), "vector-store-not-configured", /no user and password/],
    [await failure(remote, {}, secret), "vector-store-failed", /connection refused/],
  ];
  for (const [error, code, words] of cases) {
    assert.ok(error instanceof Error && "code" in error);
    assert.equal(error.code, code);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /pass-1234567/);
  }
});
