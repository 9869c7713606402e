import assert from "node:assert/strict";
import { test } from "node:test";
import type { EmbeddingModel, EmbeddingRequest } from "@weft/engine/ports/embedding-model";
import { WeftError } from "@weft/schema";
import { embedWithBackoff } from "./embedding-resolver.ts";

const signal = new AbortController().signal;
const request: EmbeddingRequest = { texts: ["a"], purpose: "document", signal };

/** Fails with each of the errors in turn, then answers. */
function createModel(errors: unknown[]) {
  const left = [...errors];
  let calls = 0;
  const model: EmbeddingModel = {
    id: "test",
    maxBatch: 1,
    async embed() {
      calls += 1;
      if (left.length > 0) throw left.shift();
      return [new Float32Array([1])];
    },
  };
  return { model, calls: () => calls };
}

function createSleep() {
  const pauses: number[] = [];
  const sleep = async (ms: number, of: AbortSignal) => {
    of.throwIfAborted();
    pauses.push(ms);
  };
  return { pauses, sleep };
}

function rateLimited(retryAfterSeconds?: number) {
  const upstream = { status: 429, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) };
  return new WeftError("embedding-rate-limited", { params: { status: 429 }, upstream });
}

test("waits as long as the vendor says, else longer each time", async () => {
  const { model } = createModel([rateLimited(3), rateLimited(0), rateLimited(), rateLimited()]);
  const { sleep, pauses } = createSleep();
  assert.equal((await embedWithBackoff(model, request, { sleep, random: () => 0 })).length, 1);
  assert.deepEqual(pauses, [3_000, 0, 4_000, 8_000]);
  const { model: jittered } = createModel([rateLimited(), rateLimited()]);
  const second = createSleep();
  await embedWithBackoff(jittered, request, { sleep: second.sleep, random: () => 1 });
  assert.deepEqual(second.pauses, [500, 1_000]);
});

test("gives up after so many attempts, at once on what waiting does not help, and on a vendor that asks for too long", async () => {
  const cases: [unknown, number][] = [
    [rateLimited(), 4],
    [new WeftError("embedding-unauthorized", { params: { status: 401, model: "m" } }), 1],
    [new Error("a bug"), 1],
    [rateLimited(3_600), 1],
  ];
  for (const [error, expected] of cases) {
    const { model, calls } = createModel([error, error, error, error, error]);
    const { sleep } = createSleep();
    await assert.rejects(embedWithBackoff(model, request, { sleep, maxAttempts: 4 }), error as Error);
    assert.equal(calls(), expected);
  }
});

test("an abort while it waits ends it with the signal's reason", async () => {
  const controller = new AbortController();
  const reason = new Error("cancelled");
  const { model, calls } = createModel([rateLimited(), rateLimited()]);
  const sleep = async (_ms: number, of: AbortSignal) => {
    controller.abort(reason);
    of.throwIfAborted();
  };
  await assert.rejects(embedWithBackoff(model, { ...request, signal: controller.signal }, { sleep }), reason);
  assert.equal(calls(), 1);
});
