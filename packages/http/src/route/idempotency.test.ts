import assert from "node:assert/strict";
import { test } from "node:test";
import { WeftError } from "@weft/schema";
import { z } from "zod";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { createTestApp } from "../testing/test-app.ts";
import { defineRoute } from "./define-route.ts";
import { createIdempotencyStore } from "./idempotency.store.ts";
import type { IdempotencyStore } from "./idempotency.ts";

const bodySchema = z.object({ name: z.string() });
const madeSchema = z.object({ id: z.string(), name: z.string() });
type Made = z.infer<typeof madeSchema>;
type Behaviour = {
  before?(): Promise<void> | void;
  after?(): Promise<void> | void;
  /** By how much later the store says that it knows a key, one request after the other. */
  storeDelaysMs?: number[];
};

await forEachDatabase(({ openTestDatabase }) => {
  /** Two applications over one database, as two processes, with one place where things are made. */
  async function setUp(t: Parameters<typeof openTestDatabase>[0]) {
    const database = await openTestDatabase(t);
    const clock = { nowMs: Date.parse("2026-01-01T00:00:00Z"), now: () => clock.nowMs };
    const made = new Map<string, Made>();
    /** Ids that requests were to give to what they make. */
    const ids: string[] = [];
    const behaviour: Behaviour = {};
    const route = defineRoute({
      method: "POST",
      path: "/things",
      operationId: "createThing",
      summary: "Make a thing",
      tag: "Things",
      permission: "tools:write",
      body: bodySchema,
      returns: { schema: madeSchema },
      errors: [400, 409],
      recall: async (id) => made.get(id),
      async handle({ body, newId = `own-${made.size}` }) {
        ids.push(newId);
        await behaviour.before?.();
        if (made.has(newId)) throw new WeftError("conflict", { params: { reason: "It exists." } });
        made.set(newId, { id: newId, name: body.name });
        await behaviour.after?.();
        return { id: newId, name: body.name };
      },
    });
    const store = createIdempotencyStore(database, clock);
    const idempotency: IdempotencyStore = {
      ...store,
      async begin(entry) {
        const delayMs = behaviour.storeDelaysMs?.shift() ?? 0;
        const kept = await store.begin(entry);
        if (delayMs > 0) await new Promise((resolve) => setTimeout(resolve, delayMs));
        return kept;
      },
    };
    const open = () => createTestApp([route], { idempotency });
    const [app, other] = [open(), open()];
    const sender = (target: typeof app) => async (key: string | undefined, name: string) => {
      const headers = { ...(key !== undefined && { "idempotency-key": key }), "content-type": "application/json" };
      const response = await target.send("POST", "/things", { body: JSON.stringify({ name }), headers });
      const text = await response.text();
      return { status: response.status, text, replayed: response.headers.get("idempotent-replayed") };
    };
    return { clock, made, ids, behaviour, send: sender(app), sendToOther: sender(other) };
  }

  test("a repetition gets the same answer and makes nothing, also in another process", async (t) => {
    const { made, send, sendToOther } = await setUp(t);
    const first = await send("k", "a");
    assert.deepEqual([first.status, first.replayed], [200, null]);
    for (const again of [await send("k", "a"), await sendToOther("k", "a")]) {
      assert.deepEqual(again, { ...first, replayed: "true" });
    }
    assert.equal(made.size, 1);
    await send("other", "a");
    await send(undefined, "a");
    assert.equal(made.size, 3);
  });

  test("another body under the same key is refused", async (t) => {
    const { made, send } = await setUp(t);
    await send("k", "a");
    const other = await send("k", "b");
    assert.deepEqual([other.status, JSON.parse(other.text).code], [409, "idempotency-key-reused"]);
    assert.equal(made.size, 1);
  });

  test("a repetition while the request runs is refused, and later answered", async (t) => {
    const { behaviour, made, send } = await setUp(t);
    const gate = Promise.withResolvers<void>();
    const entered = Promise.withResolvers<void>();
    behaviour.before = () => {
      entered.resolve();
      return gate.promise;
    };
    const first = send("k", "a");
    await entered.promise;
    const meanwhile = await send("k", "a");
    assert.deepEqual([meanwhile.status, JSON.parse(meanwhile.text).code], [409, "idempotency-key-running"]);
    gate.resolve();
    assert.equal((await first).status, 200);
    assert.equal((await send("k", "a")).text, (await first).text);
    assert.equal(made.size, 1);
  });

  /** One request stands still while it is handled, another process handles it meanwhile, and the first is refused. */
  async function refuseLate(t: Parameters<typeof openTestDatabase>[0], isMadeBefore: boolean) {
    const world = await setUp(t);
    const { behaviour, send, sendToOther } = world;
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    let requests = 0;
    behaviour.before = async () => {
      const [gate, begun] = [gates[requests], entered[requests]];
      const isFirst = requests === 0;
      requests += 1;
      begun?.resolve();
      await gate?.promise;
      if (isFirst) throw new WeftError("conflict", { params: { reason: "It came at a bad time." } });
    };
    const first = send("k", "a");
    await entered[0].promise;
    const second = sendToOther("k", "a");
    await entered[1].promise;
    if (isMadeBefore) gates[1].resolve();
    if (isMadeBefore) await second;
    gates[0].resolve();
    const refused = await first;
    gates[1].resolve();
    return { ...world, refused, answer: await second };
  }

  test("one that is refused after another process has made what it asks for gets that, and the key stays known", async (t) => {
    const { made, send, refused, answer } = await refuseLate(t, true);
    assert.deepEqual([answer.status, refused.status, refused.text], [200, 200, answer.text]);
    assert.equal((await send("k", "a")).text, answer.text);
    assert.equal(made.size, 1);
  });

  test("one that is refused while another process handles it leaves the key to that one", async (t) => {
    const { made, send, refused, answer } = await refuseLate(t, false);
    assert.deepEqual([answer.status, refused.status], [200, 409]);
    assert.equal((await send("k", "a")).text, answer.text);
    assert.equal(made.size, 1);
  });

  test("of two at once the first is handled, however late the store answers it", async (t) => {
    const { behaviour, made, send } = await setUp(t);
    behaviour.storeDelaysMs = [50, 0];
    const gate = Promise.withResolvers<void>();
    behaviour.before = () => gate.promise;
    const [first, second] = [send("k", "a"), send("k", "a")];
    assert.equal((await second).status, 409);
    gate.resolve();
    assert.deepEqual([(await first).status, made.size], [200, 1]);
  });

  test("what failed after it was made is recalled, what failed before is made under the same id", async (t) => {
    const { behaviour, made, send } = await setUp(t);
    behaviour.after = () => {
      throw new Error("the process died here");
    };
    assert.equal((await send("k", "a")).status, 500);
    delete behaviour.after;
    const recalled = await send("k", "a");
    assert.deepEqual([recalled.status, recalled.text], [200, JSON.stringify([...made.values()][0])]);
    behaviour.before = () => {
      throw new Error("the process died here");
    };
    assert.equal((await send("k2", "b")).status, 500);
    delete behaviour.before;
    assert.equal((await send("k2", "b")).status, 200);
    assert.equal(made.size, 2);
  });

  test("what a failed request makes after all is the answer to its repetition", async (t) => {
    const { made, ids, behaviour, send } = await setUp(t);
    behaviour.before = () => {
      throw new Error("the database does not answer");
    };
    assert.equal((await send("k", "a")).status, 500);
    // Committed between the look for it and the second attempt.
    behaviour.before = () => {
      const [id = ""] = ids;
      made.set(id, { id, name: "a" });
    };
    const again = await send("k", "a");
    assert.equal(again.status, 200);
    assert.deepEqual(JSON.parse(again.text), { id: ids[0], name: "a" });
    assert.equal(made.size, 1);
  });

  test("a refused request frees its key", async (t) => {
    const { behaviour, send } = await setUp(t);
    behaviour.before = () => {
      throw new WeftError("conflict", { params: { reason: "Not now." } });
    };
    assert.equal((await send("k", "a")).status, 409);
    delete behaviour.before;
    assert.equal((await send("k", "b")).status, 200);
  });

  test("a key is remembered for 24 hours", async (t) => {
    const { clock, made, send } = await setUp(t);
    await send("k", "a");
    clock.nowMs += 24 * 60 * 60 * 1_000;
    await send("k", "a");
    assert.equal(made.size, 1);
    clock.nowMs += 1;
    await send("k", "a");
    assert.equal(made.size, 2);
  });

  test("a key that is empty, too long or not printable is 400", async (t) => {
    const { made, send } = await setUp(t);
    for (const key of ["", "x".repeat(256), "tab\there"]) assert.equal((await send(key, "a")).status, 400, key);
    assert.equal(made.size, 0);
  });
});
