import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import { createEventStream } from "./answer/event-stream.ts";
import { defineRoute } from "./route/define-route.ts";
import type { ApiKeyIdentity, Grant, Identity } from "./route/identity.ts";
import type { Recheck } from "./route/standing.ts";
import { createTestApp } from "./testing/test-app.ts";

const names = { kind: "api-key", keyName: "k", ownerId: null, sharesWith: [] } as const;
const key: ApiKeyIdentity = {
  ...{ ...names, apiKeyId: "a", generation: "1", clientId: "a" },
  ...{ agents: new Set(["x", "y"]), grants: new Set<Grant>(["leads:read"]) },
};

function serve(recheck: Recheck) {
  const common = { summary: "", tag: "Test", errors: [] } as const;
  const routes = [
    defineRoute({
      ...common,
      method: "GET",
      path: "/stream",
      operationId: "stream",
      permission: "leads:read",
      returns: { schema: z.string(), contentType: "text/event-stream" },
      handle() {
        const { response, send } = createEventStream();
        send([{ id: "1", event: "begun", data: null }]);
        return response;
      },
    }),
  ];
  return createTestApp(routes, { authenticate: () => key, recheck });
}

/** Reads a stream to its end. False: it was broken off. */
async function readToEnd(response: Response): Promise<boolean> {
  return response.text().then(
    () => true,
    () => false,
  );
}

test("a stream is broken off once its caller has lost what it needs", async () => {
  const lost: (Identity | undefined)[] = [
    undefined,
    { ...key, grants: new Set<Grant>(["leads:write"]) },
    { ...key, agents: new Set(["x"]) },
  ];
  const outcomes = lost.map(async (now) => readToEnd(await serve(async () => now).send("GET", "/stream")));
  assert.deepEqual(await Promise.all(outcomes), [false, false, false]);
});

test("it goes on while its caller has that, and while nobody can tell", async () => {
  const kept: Recheck[] = [
    async () => key,
    async () => ({ ...key, agents: "all", grants: new Set<Grant>(["*"]) }),
    async () => Promise.reject(new Error("The database does not answer.")),
  ];
  for (const recheck of kept) {
    let lookups = 0;
    const { send } = serve(async (identity) => {
      lookups += 1;
      return recheck(identity);
    });
    const { body } = await send("GET", "/stream");
    while (lookups < 2) await new Promise((resolve) => setTimeout(resolve, 10));
    // A stream that was broken off rejects.
    await body?.cancel();
  }
});

test("a caller is looked up once a round, however many streams it has, and no longer once they are over", async () => {
  let lookups = 0;
  let now: Identity | undefined = key;
  const { send } = serve(async () => {
    lookups += 1;
    return now;
  });
  const streams = await Promise.all(Array.from({ length: 50 }, () => send("GET", "/stream")));
  while (lookups < 2) await new Promise((resolve) => setTimeout(resolve, 10));
  now = undefined;
  assert.deepEqual(new Set(await Promise.all(streams.map(readToEnd))), new Set([false]));
  const seen = lookups;
  assert.ok(seen < 10, `${seen} lookups`);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  assert.equal(lookups, seen);
});
