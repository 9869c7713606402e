import assert from "node:assert/strict";
import { after, beforeEach, describe, it } from "node:test";
import type { JsonObject } from "@weft/schema";
import { json, node, openHttpTarget } from "./testing/http-target.ts";
import { chain, createFlowProcess, runFlow } from "./testing/run-flow.ts";

const target = await openHttpTarget();
const { base, received, last, run, servicesOf } = target;

describe("http node", () => {
  after(target.close);
  beforeEach(target.reset);

  describe("failure", () => {
    it("fails on an error status, in the API's words", async () => {
      target.answer = json({ message: "No such event" }, 404);
      const { error } = await run({ url: `${base}/events/9` });
      assert.equal(error?.code, "flow-node-failed");
      assert.equal(error?.message, 'Call: GET answered 404 Not Found. {"message":"No such event"}');
      assert.deepEqual(error?.upstream, { status: 404 });
      assert.equal(error?.retryable, false);
    });

    it("takes an error status as a result where it is told to", async () => {
      target.answer = json({ message: "No such event" }, 404);
      const { text, outputOf } = await run({ url: base, failOnErrorStatus: false });
      assert.equal(text, '{"message":"No such event"}');
      assert.equal((outputOf("call") as JsonObject).status, 404);
    });

    it("goes on at its error port", async () => {
      target.answer = json({}, 500);
      const reply = { id: "r", type: "direct-reply", config: { message: "{{ call.output.error.code }}" } };
      const flow = JSON.parse(chain(node({ url: base }), reply));
      flow.edges[1].sourcePort = "error";
      assert.equal((await runFlow(JSON.stringify(flow), { services: servicesOf() })).text, "flow-node-failed");
    });

    it("tells which statuses may pass", async () => {
      for (const [status, retryable] of [
        [400, false],
        [401, false],
        [404, false],
        [409, false],
        [429, true],
        [500, true],
        [503, true],
      ] as const) {
        target.answer = json({}, status);
        assert.equal((await run({ url: base })).error?.retryable, retryable, String(status));
      }
    });

    it("asks again when an attempt failed, after the delay that the API names", async () => {
      target.answer = (_request, response) => {
        if (received.length > 2) response.end("at last");
        else
          response
            .writeHead(503, { "retry-after": received.length === 1 ? "7" : "Wed, 21 Oct 2026 07:28:00 GMT" })
            .end();
      };
      const { text, events } = await run({ url: base, onFailure: { retries: 2, retryDelayMs: 100 } });
      assert.equal(text, "at last");
      const delays = events.flatMap((event) =>
        event.type === "node-failed" && event.next.type === "retry" ? [event.next.at - event.at] : [],
      );
      assert.deepEqual(delays, [7_000, 200]);
    });

    it("never repeats a write", async () => {
      target.answer = json({}, 503);
      for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
        received.length = 0;
        const { error } = await run({ method, url: base, onFailure: { retries: 3, retryDelayMs: 0 } });
        assert.deepEqual(error?.upstream, { status: 503 });
        assert.equal(received.length, 1, method);
      }
    });

    it("repeats a POST that only reads", async () => {
      target.answer = (_request, response) => void response.writeHead(received.length > 1 ? 200 : 503).end();
      const config = { method: "POST", url: base, readOnly: true, onFailure: { retries: 3, retryDelayMs: 0 } };
      assert.equal((await run(config)).outcome, "completed");
      assert.equal(received.length, 2);
    });

    it("repeats what may be repeated, with one Idempotency-Key", async () => {
      target.answer = (_request, response) => response.writeHead(received.length < 3 ? 503 : 200).end();
      const config = { method: "POST", idempotent: true, url: base, onFailure: { retries: 3, retryDelayMs: 0 } };
      assert.equal((await run(config)).outcome, "completed");
      const keys = received.map(({ headers }) => headers["idempotency-key"]);
      assert.equal(keys.length, 3);
      assert.ok(keys[0]);
      assert.equal(new Set(keys).size, 1);
      received.length = 0;
      await run({ method: "POST", url: base });
      assert.equal(last().headers["idempotency-key"], undefined);
    });

    it("ends a call at its time limit", async () => {
      target.answer = () => undefined;
      const { error } = await run({ url: base, timeoutMs: 30 });
      assert.equal(error?.code, "egress-timeout");
      assert.equal(error?.retryable, true);
    });

    it("ends a call under way when the run is cancelled", async () => {
      const arrived = Promise.withResolvers<void>();
      const closed = Promise.withResolvers<void>();
      target.answer = (_request, response) => {
        response.on("close", closed.resolve);
        arrived.resolve();
      };
      const process = createFlowProcess(chain(node({ method: "POST", url: base })), { services: servicesOf() });
      const handle = process.start();
      await arrived.promise;
      handle.cancel();
      assert.equal(await handle.done, "cancelled");
      await closed.promise;
    });

    it("does not know whether a write took effect when its process went away", async () => {
      const arrived = Promise.withResolvers<void>();
      target.answer = () => arrived.resolve();
      const process = createFlowProcess(chain(node({ method: "POST", url: base })), { services: servicesOf() });
      const gone = process.start();
      await arrived.promise;
      assert.equal(await process.recover().done, "failed");
      const end = process.events().at(-1);
      assert.equal(end?.type === "run-failed" && end.error.code, "flow-outcome-unknown");
      assert.equal(received.length, 1);
      gone.cancel();
      assert.equal(await gone.done, "lost");
    });

    it("calls no address that the operator did not permit", async () => {
      const { error } = await run({ url: "http://127.0.0.1:9/" });
      assert.equal(error?.code, "egress-refused");
    });
  });
});
