import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { describe, type TestContext, test } from "node:test";
import { createClient, type PredictionFrame, WeftApiError } from "@weft/client";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { startServed } from "../served-agents/testing/start-served.ts";
import { llmFlow } from "../testing/test-platform.ts";

/** A server on a socket with a model that speaks in pieces, and a client with the operator's token. */
async function start(t: TestContext, databases: TestDatabases) {
  const text = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
  const { platform, url, stop } = await startServed(t, databases, () => ({ text, pieces: 40 }));
  const client = createClient({ baseUrl: url, token: async () => platform.token });
  return { client, platform, url, text, stop };
}

/** Passes connections on; each of the first is cut after so many bytes of its answer. */
async function startCuttingProxy(port: number, cuts: number[]) {
  const proxy = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    let left = cuts.shift() ?? Number.POSITIVE_INFINITY;
    near.pipe(far);
    far.on("data", (chunk: Buffer) => {
      near.write(chunk.subarray(0, Math.max(0, left)));
      left -= chunk.length;
      if (left <= 0) near.end(() => near.destroy());
    });
    far.on("close", () => near.destroy());
    near.on("close", () => far.destroy());
    for (const socket of [near, far]) socket.on("error", () => undefined);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, close: () => proxy.close() };
}

/** The text and all other events. Ids and dates of the run are not part of it. */
async function readAll(frames: AsyncIterable<PredictionFrame>) {
  let text = "";
  const events: string[] = [];
  for await (const frame of frames) {
    if (frame.event === "token") text += frame.data;
    else if (frame.event === "restart") text = text.slice(0, frame.data.keep);
    else events.push(`${frame.event} ${typeof frame.data === "string" ? frame.data : ""}`);
  }
  return { text, events };
}

await onTestDatabase((databases) => {
  describe("the typed client", () => {
    test("creates, reads, lists, changes and deletes", async (t) => {
      const { client } = await start(t, databases);
      const agent = await client.createAgent({ name: "First", flowData: llmFlow() });
      await client.createAgent({ name: "Second & last", flowData: "{}" });
      assert.deepEqual(await client.getAgent({ id: agent.id }), agent);
      assert.equal((await client.listAgents()).length, 2);
      const page = await client.listAgents({ page: 1, limit: 1 });
      assert.deepEqual([page.total, page.data.map(({ name }) => name)], [2, ["Second & last"]]);
      assert.equal((await client.updateAgent({ id: agent.id }, { name: "Renamed" })).name, "Renamed");
      assert.equal(await client.deleteAgent({ id: agent.id }), undefined);
      assert.equal(await client.ping(), "pong");
    });

    test("sends keys and conditions, and shows headers", async (t) => {
      const { client } = await start(t, databases);
      const body = { name: "Once", flowData: "{}" };
      const options = { idempotencyKey: "the same" };
      const { id } = await client.createAgent(body, options);
      assert.equal((await client.createAgent(body, options)).id, id);
      let etag = "";
      await client.getAgent({ id }, { onResponse: ({ headers }) => (etag = headers.get("etag") ?? "") });
      await client.updateAgent({ id }, { name: "Twice" }, { ifMatch: etag });
      const late = client.updateAgent({ id }, { name: "Thrice" }, { ifMatch: etag });
      await assert.rejects(late, { name: "WeftApiError", status: 412, code: "precondition-failed" });
    });

    test("sends forms and reads files", async (t) => {
      const { client } = await start(t, databases);
      const { id: chatflowId } = await client.createAgent({ name: "Reader", flowData: llmFlow() });
      const files = [new File(["Hello"], "hello.txt", { type: "text/plain" }), new File(["a,b"], "table.csv")];
      const read = await client.createAttachments({ chatflowId, chatId: "a/b" }, { files });
      assert.equal(read[0]?.content, "Hello");
      assert.equal(read.length, 2);
      const fileName = read[0]?.name ?? "";
      const file = await client.getUploadFile({ chatflowId, chatId: "a/b", fileName, download: "true" });
      assert.equal(await file.text(), "Hello");
    });

    test("says what went wrong", async (t) => {
      const { client, url } = await start(t, databases);
      await assert.rejects(client.createAgent({ name: "", flowData: "{}" }), (error) => {
        assert.ok(error instanceof WeftApiError);
        assert.deepEqual([error.status, error.code, error.retryable], [422, "validation-failed", false]);
        assert.deepEqual(error.errors, [{ path: "name", message: "must not be empty" }]);
        assert.match(error.message, /name: must not be empty/);
        assert.match(error.requestId, /^[\da-f-]{36}$/);
        return true;
      });
      const stranger = createClient({ baseUrl: url });
      await assert.rejects(stranger.listAgents(), { status: 401, code: "unauthenticated" });
      const nowhere = createClient({ baseUrl: "http://127.0.0.1:1" });
      await assert.rejects(nowhere.ping(), TypeError);
    });

    test("a stream that is cut again and again has the same text and events as one that was not", async (t) => {
      const { client, url, platform, text, stop } = await start(t, databases);
      const { id } = await client.createAgent({ name: "Speaker", flowData: llmFlow() });
      const question = { question: "Speak" };
      const stayed = await readAll(client.streamPrediction(id, question));
      assert.equal(stayed.text, text);
      const cuts = [900, 1_500, 700, 2_500];
      const proxy = await startCuttingProxy(Number(new URL(url).port), cuts);
      stop(proxy.close);
      const cut = createClient({ baseUrl: proxy.url, token: platform.token });
      assert.deepEqual(await readAll(cut.streamPrediction(id, question)), stayed);
      assert.deepEqual(cuts, []);
    });
  });
});
