import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { createEgressClient } from "@weft/egress";
import { toTestVector } from "@weft/providers/testing";
import type { JsonObject } from "@weft/schema";
import { forEachDatabase } from "../../database/src/testing/test-databases.ts";
import { createScriptedQdrant } from "./qdrant/testing/scripted-qdrant.ts";
import { createVectorStores, parseVectorStoreReference, type VectorStoreReference } from "./vector-stores.ts";

const signal = new AbortController().signal;

test("settings of existing stores mean our stores, and what they do not know is left out", () => {
  const cases: [string | undefined, JsonObject, VectorStoreReference][] = [
    [undefined, { topK: 3 }, { store: "embedded", config: {} }],
    ["faiss", { basePath: "/x", topK: "4" }, { store: "embedded", config: {} }],
    ["memoryVectorStore", {}, { store: "embedded", config: {} }],
    [
      "postgres",
      { host: "db", port: "5433", database: "d", tableName: "t", credential: "c", ssl: true },
      { store: "pgvector", config: { host: "db", port: "5433", database: "d", credential: "c", ssl: true } },
    ],
    [
      "qdrant",
      { qdrantServerUrl: "http://q:6333", qdrantCollection: "docs", qdrantVectorDimension: 1536, credential: "" },
      { store: "qdrant", config: { url: "http://q:6333", collection: "docs" } },
    ],
  ];
  for (const [name, config, expected] of cases) assert.deepEqual(parseVectorStoreReference(name, config), expected);
  const error = { code: "vector-store-not-configured", message: /Known ones: embedded, pgvector, qdrant/ };
  assert.throws(() => parseVectorStoreReference("pinecone", {}), error);
});

await forEachDatabase(({ name, createTestStorage }) => {
  test("every kind of store is opened by its reference, and leaves the process by the operator's rules alone", async (t) => {
    const qdrant = await createScriptedQdrant();
    const egress = createEgressClient({ allow: [new URL(qdrant.url).host] });
    const storage = await createTestStorage(t);
    const database = await storage.open();
    const readCredential = async () => undefined;
    const openForeign = () => assert.fail("No database is connected to.");
    const deps = {
      ...storage,
      database,
      readCredential,
      permitsHost: () => false,
      openForeign,
      reveal: (text: string) => text,
    };
    const stores = createVectorStores({ ...deps, fetch: egress.fetch });
    const closed = createEgressClient({ allow: [] });
    const strict = createVectorStores({ ...deps, fetch: closed.fetch });
    t.after(async () => {
      await Promise.all([stores.close(), strict.close(), egress.close(), closed.close(), qdrant.close()]);
    });
    const collection = { collection: "c", embedderId: "test", dimension: 384 };
    const record = { id: randomUUID(), vector: toTestVector("hello"), text: "hello", metadata: {} };
    const references: VectorStoreReference[] = [
      { store: "embedded", config: {} },
      { store: "qdrant", config: { url: qdrant.url } },
    ];
    for (const reference of references) {
      const opened = await stores.open(reference, collection);
      await opened.upsert([record], { signal });
      const found = await opened.search({ vector: record.vector, text: "hello", topK: 1, mode: "hybrid", signal });
      assert.equal(found[0]?.text, "hello", reference.store);
    }
    const refused = await strict.open({ store: "qdrant", config: { url: qdrant.url } }, collection);
    await assert.rejects(refused.count({ signal }), { code: "egress-refused" });
    const other = { store: "pgvector" as const, config: { host: "db.internal", credential: "c" } };
    await assert.rejects(stores.open(other, collection), {
      code: "vector-store-not-configured",
      message: /EGRESS_ALLOW/,
    });
    const bad = { store: "pgvector" as const, config: { port: "many" } };
    await assert.rejects(stores.open(bad, collection), { code: "vector-store-not-configured", message: /field port/ });
    if (name === "sqlite") {
      const own = stores.open({ store: "pgvector", config: {} }, collection);
      await assert.rejects(own, { code: "vector-store-not-configured", message: /no PostgreSQL/ });
    }
  });
});
