import assert from "node:assert/strict";
import { test } from "node:test";
import { upsertPhase } from "./upsert-actions.ts";

const result = { docId: "1", numAdded: 2, numUpdated: 0, numSkipped: 0, numDeleted: 0 };
const job = { state: "RUNNING" as const, planned: 0, written: 0, results: [] };

test("an upsert loads, then embeds and writes, and is over", () => {
  assert.equal(upsertPhase(job), "loading");
  assert.equal(upsertPhase({ ...job, planned: 2 }), "upserting");
  assert.equal(upsertPhase({ ...job, planned: 2, written: 2 }), "loading", "the next source, or the end");
  assert.equal(upsertPhase({ ...job, state: "FINISHED", written: 2, results: [result] }), "upserted");
  assert.equal(upsertPhase({ ...job, state: "FAILED" }), "failed");
  assert.equal(upsertPhase({ ...job, state: "CANCELLED" }), "cancelled");
});

test("what was only split, and what was only found unchanged, are told apart", () => {
  assert.equal(upsertPhase({ ...job, state: "FINISHED", results: [result] }), "processed");
  const unchanged = { ...result, numAdded: 0, numSkipped: 2 };
  assert.equal(upsertPhase({ ...job, state: "FINISHED", results: [unchanged] }), "upserted");
});
