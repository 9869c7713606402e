import assert from "node:assert/strict";
import { test } from "node:test";
import type { Identity } from "@weft/http/identity";
import { createIdentityCache } from "./authenticator.ts";

const key: Identity = {
  ...{ kind: "api-key", apiKeyId: "a", generation: "", keyName: "a", ownerId: null, clientId: "a" },
  ...{ grants: new Set(), agents: "all", sharesWith: [] },
};

test("an identity is remembered for a second", () => {
  const clock = { nowMs: 0, now: () => clock.nowMs };
  const cache = createIdentityCache(clock);
  cache.begin()("bearer", key);
  clock.nowMs = 999;
  assert.equal(cache.get("bearer"), key);
  clock.nowMs = 1_000;
  assert.equal(cache.get("bearer"), undefined);
});

test("a proof that began before a revocation is not remembered after it", () => {
  const cache = createIdentityCache({ now: () => 0 });
  const early = cache.begin();
  cache.clear();
  early("bearer", key);
  assert.equal(cache.get("bearer"), undefined);
  cache.begin()("bearer", key);
  assert.equal(cache.get("bearer"), key);
});

test("the least recently used identity goes first", () => {
  const cache = createIdentityCache({ now: () => 0 });
  for (let index = 0; index < 10_000; index++) cache.begin()(String(index), key);
  cache.get("0");
  cache.begin()("one more", key);
  assert.equal(cache.get("0"), key);
  assert.equal(cache.get("1"), undefined);
  assert.equal(cache.get("2"), key);
});
