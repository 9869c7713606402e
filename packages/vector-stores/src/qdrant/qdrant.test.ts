import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import type { CollectionName } from "@weft/engine/ports/vector-store";
import { WeftError } from "@weft/schema";
import { startQdrant } from "../testing/bench.ts";
import { describeVectorStore } from "../testing/vector-store-contract.ts";
import { qdrantStore } from "./qdrant.ts";

const name: CollectionName = { collection: "docs", embedderId: "test:words", dimension: 2 };
const signal = new AbortController().signal;
const key = "qdrant-key-0123456789";

describeVectorStore("qdrant, scripted", {
  async start(t) {
    const { server, fetch } = await startQdrant(t);
    const services = { readCredential: async () => undefined, fetch };
    return {
      createInstance: async () => ({
        open: (collection) => qdrantStore.open({ url: server.url }, collection, services),
        close: async () => {},
      }),
    };
  },
});

test("goes out through the given fetch alone, with the key, to the path and collection that were configured", async (t) => {
  const { server, fetch, calls } = await startQdrant(t);
  const services = { readCredential: async () => ({ qdrantApiKey: key }), fetch };
  const config = { url: `${server.url}/proxy/`, collection: "own", credential: "id" };
  const collection = await qdrantStore.open(config, name, services);
  assert.equal(await collection.count({ signal }), 0);
  assert.equal(calls(), 1);
  assert.deepEqual(server.requests, [{ method: "POST", path: "/proxy/collections/own/points/count", apiKey: key }]);
});

test("what the way out refuses is never connected to, and says so", async (t) => {
  const { server } = await startQdrant(t);
  const fetch = async () => {
    throw new WeftError("egress-refused", { params: { url: server.url, reason: "it is private" } });
  };
  const services = { readCredential: async () => undefined, fetch };
  const collection = await qdrantStore.open({ url: server.url }, name, services);
  await assert.rejects(collection.count({ signal }), { code: "egress-refused" });
  assert.equal(server.requests.length, 0);
});

test("refusals, garbage and silence become failures of the store, without the key", async (t) => {
  const { server, fetch } = await startQdrant(t);
  const services = { readCredential: async () => ({ apiKey: key }), fetch };
  const collection = await qdrantStore.open({ url: server.url, credential: "id" }, name, services);
  const said = (words: string) => JSON.stringify({ status: { error: words } });
  const cases: [number, string, boolean, RegExp][] = [
    [401, said("Invalid API key"), false, /refuses the API key/],
    [429, said("slow down"), true, /status 429: slow down/],
    [500, said(`Service internal error: ${key}`), true, /status 500: Service internal error: \[secret\]/],
    [502, "<html>", true, /status 502/],
    [400, said("Wrong input"), false, /status 400: Wrong input/],
    [502, "null", true, /status 502: it gave no reason/],
    [200, "<html>", false, /not JSON/],
    [200, "{}", false, /not JSON from Qdrant/],
    [200, '{"result":{"points":3}}', false, /not JSON from Qdrant/],
  ];
  for (const [status, body, retryable, words] of cases) {
    server.answerWith({ status, body, headers: status === 429 ? { "retry-after": "30" } : {} });
    const error = await collection.count({ signal }).catch((reason: unknown) => reason);
    assert.ok(error instanceof WeftError, String(error));
    assert.equal(error.code, "vector-store-failed");
    assert.equal(error.retryable, retryable);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /qdrant-key|<html>/);
  }
  server.answerWith("hang");
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const pending = collection.count({ signal: controller.signal });
  setTimeout(() => controller.abort(reason), 20);
  await assert.rejects(pending, reason);
  await server.close();
  await assert.rejects(collection.count({ signal }), { code: "vector-store-failed", retryable: true });
});

test("a collection that two processes create at once is one", async (t) => {
  const { server, fetch } = await startQdrant(t);
  const services = { readCredential: async () => undefined, fetch };
  const record = () => ({ id: randomUUID(), vector: new Float32Array([1, 0]), text: "x", metadata: {} });
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      const collection = await qdrantStore.open({ url: server.url }, name, services);
      await collection.upsert([record()], { signal });
    }),
  );
  const collection = await qdrantStore.open({ url: server.url }, name, services);
  assert.equal(await collection.count({ signal }), 5);
});

test("settings that cannot work are refused with what to do", async () => {
  const services = { readCredential: async () => undefined, fetch: globalThis.fetch };
  const cases: [{ url: string; credential?: string }, RegExp][] = [
    [{ url: "" }, /needs the address/],
    [{ url: "ftp://x" }, /needs the address/],
    [{ url: "https://user:pass@x" }, /needs the address/],
    [{ url: "https://x", credential: "gone" }, /does not exist any more/],
  ];
  for (const [config, words] of cases) {
    const error = { code: "vector-store-not-configured", message: words };
    await assert.rejects(qdrantStore.open(config, name, services), error);
  }
});
