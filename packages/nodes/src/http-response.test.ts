import assert from "node:assert/strict";
import { after, beforeEach, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { json, ok, openHttpTarget } from "./testing/http-target.ts";

const target = await openHttpTarget();
const { base, run } = target;

describe("http node", () => {
  after(target.close);
  beforeEach(target.reset);

  describe("answer", () => {
    it("reads JSON, and passes it on as data and as text", async () => {
      target.answer = json({ events: [{ id: 1 }] });
      const { text, outputOf } = await run({ url: base });
      assert.equal(text, '{"events":[{"id":1}]}');
      const output = outputOf("call") as JsonObject;
      assert.equal(output.status, 200);
      assert.equal(output.statusText, "OK");
      assert.deepEqual(output.data, { events: [{ id: 1 }] });
      assert.equal((output.headers as JsonObject)["content-type"], "application/json");
    });

    it("gives others a turn while it reads and writes a long one", async () => {
      const data = { list: Array.from({ length: 60_000 }, (_, id) => ({ id, name: `Customer ${id}` })) };
      target.answer = json(data);
      let turns = 0;
      const count = () => {
        turns += 1;
        again = setImmediate(count);
      };
      let again = setImmediate(count);
      const { text = "", outputOf } = await run({ url: base }).finally(() => clearImmediate(again));
      assert.equal(text === JSON.stringify(data), true);
      assert.equal((outputOf("call") as { data: typeof data }).data.list.length, 60_000);
      const pieces = text.length / 131_072;
      assert.ok(turns > pieces, `${turns} turns for ${text.length} characters`);
    });

    it("keeps as text what is no JSON, and reads nothing as null", async () => {
      target.answer = (_request, response) => response.end("<html>");
      assert.equal((await run({ url: base })).text, "<html>");
      target.answer = ok;
      const empty = await run({ url: base });
      assert.equal((empty.outputOf("call") as JsonObject).data, null);
      assert.equal(empty.text, "");
    });

    it("keeps as text what is nested so deeply that nothing could work on it", async () => {
      const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
      target.answer = (_request, response) => response.end(deep);
      const { outcome, text } = await run({ url: base });
      assert.equal(outcome, "completed");
      assert.equal(text, deep);
    });

    it("keeps as text what has more values than a request may bring", async () => {
      const many = `[${"0,".repeat(200_001)}0]`;
      target.answer = (_request, response) => response.end(many);
      assert.equal(((await run({ url: base })).outputOf("call") as JsonObject).data, many);
    });

    it("reads text, bytes and base64", async () => {
      const bytes = Uint8Array.from({ length: 20_000 }, (_, index) => index % 256);
      target.answer = (_request, response) => response.end(bytes);
      const read = async (responseType: string) =>
        ((await run({ url: base, responseType })).outputOf("call") as JsonObject).data;
      assert.equal(await read("base64"), Buffer.from(bytes).toString("base64"));
      assert.deepEqual(await read("array-buffer"), [...bytes]);
      target.answer = json({ a: 1 });
      assert.equal(await read("text"), '{"a":1}');
    });

    it("does not keep cookies", async () => {
      target.answer = (_request, response) => {
        response.setHeader("set-cookie", ["session=s3cret", "b=c"]);
        response.end();
      };
      assert.ok(!JSON.stringify((await run({ url: base })).events).includes("s3cret"));
    });

    it("refuses an answer that is too large", async () => {
      target.answer = (_request, response) => response.end("x".repeat(2_000));
      assert.equal((await run({ url: base, maxBytes: 1_000 })).error?.code, "egress-too-large");
    });
  });
});
