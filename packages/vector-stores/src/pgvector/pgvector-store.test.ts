import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import type { CollectionName } from "@weft/engine/ports/vector-store";
import { services } from "../testing/bench.ts";
import { describeVectorStore, type StoreInstance } from "../testing/vector-store-contract.ts";
import { createPgvectorStore, type PgvectorStoreDeps, pgvectorTraits } from "./pgvector-store.ts";
import { openPgvectorDatabase } from "./testing/open-pgvector-database.ts";

const permitsHost = () => true;
const reveal = (text: string) => text;
const signal = new AbortController().signal;

const { url: databaseUrl, maxConnections, close } = await openPgvectorDatabase();
after(close);
describeVectorStore("pgvector", { start });

async function start(t: TestContext): Promise<{ createInstance(): Promise<StoreInstance> }> {
  const opened = new Map<string, CollectionName>();
  const closers: (() => Promise<void>)[] = [];
  const config = pgvectorTraits.config.parse({});
  t.after(async () => {
    const store = createPgvectorStore({ databaseUrl, permitsHost, reveal, maxConnections });
    for (const collection of opened.values()) {
      await (await store.definition.open(config, collection, services)).drop({ signal });
    }
    await store.close();
    for (const closeStore of closers) await closeStore();
  });
  return {
    async createInstance() {
      const store = createPgvectorStore({ databaseUrl, permitsHost, reveal, maxConnections });
      closers.push(store.close);
      return {
        close: store.close,
        open(collection) {
          opened.set(collection.collection, collection);
          return store.definition.open(config, collection, services);
        },
      };
    },
  };
}

const name: CollectionName = { collection: "c", embedderId: "e", dimension: 2 };

async function failure(config: object, deps: Partial<PgvectorStoreDeps> = {}, secret?: Record<string, string>) {
  const store = createPgvectorStore({ databaseUrl: "", permitsHost, reveal, ...deps });
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
    [await failure(remote, {}, secret), "vector-store-failed", /ECONNREFUSED/],
  ];
  for (const [error, code, words] of cases) {
    assert.ok(error instanceof Error && "code" in error);
    assert.equal(error.code, code);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /pass-1234567/);
  }
});
