import assert from "node:assert/strict";
import { test } from "node:test";
import { nextStatus, storeStatus } from "./loader.store.ts";

test("a change outdates what was processed, and nothing else", () => {
  assert.equal(nextStatus("UPSERTED", "changed"), "STALE");
  assert.equal(nextStatus("SYNC", "changed"), "STALE");
  assert.equal(nextStatus("NEW", "changed"), "NEW");
  assert.equal(nextStatus("UPSERTING", "changed"), "UPSERTING");
});

test("vectors that are deleted leave current chunks", () => {
  assert.equal(nextStatus("UPSERTED", "vectors-deleted"), "SYNC");
  assert.equal(nextStatus("STALE", "vectors-deleted"), "STALE");
});

test("work begins and ends from any state", () => {
  for (const status of ["NEW", "SYNCING", "SYNC", "STALE", "UPSERTING", "UPSERTED"] as const) {
    assert.equal(nextStatus(status, "processing"), "SYNCING");
    assert.equal(nextStatus(status, "processed"), "SYNC");
    assert.equal(nextStatus(status, "upserting"), "UPSERTING");
    assert.equal(nextStatus(status, "upserted"), "UPSERTED");
  }
});

test("a store shows the most that is left to do", () => {
  const of = (...statuses: string[]) => storeStatus(statuses.map((status) => ({ status })));
  assert.equal(of(), "EMPTY");
  assert.equal(of("UPSERTED", "UPSERTED"), "UPSERTED");
  assert.equal(of("UPSERTED", "SYNC"), "SYNC");
  assert.equal(of("NEW", "UPSERTED"), "NEW");
  assert.equal(of("NEW", "STALE"), "STALE");
  assert.equal(of("SYNCING", "STALE"), "SYNCING");
  assert.equal(of("UPSERTING", "SYNCING"), "UPSERTING");
});
