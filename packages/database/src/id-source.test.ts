import assert from "node:assert/strict";
import { test } from "node:test";
import { createIdSource } from "./id-source.ts";

test("ids are UUIDs of version 7, all different, in the order of time", () => {
  let nowMs = 1_700_000_000_000;
  const { uuid } = createIdSource(() => nowMs);
  const ids = Array.from({ length: 2_000 }, () => {
    nowMs += 1;
    return uuid();
  });
  for (const id of ids) assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(new Set(ids).size, ids.length);
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(Array.from({ length: 2_000 }, uuid)).size, 2_000);
  assert.equal(Number.parseInt(ids[0]?.replace("-", "").slice(0, 12) ?? "", 16), 1_700_000_000_001);
});

test("ids keep their order within a millisecond, beyond its counter, and while the clock is set back", () => {
  let nowMs = 1_700_000_000_000;
  const { uuid } = createIdSource(() => nowMs);
  const ids = Array.from({ length: 10_000 }, uuid);
  nowMs -= 3_600_000;
  ids.push(uuid(), uuid());
  nowMs += 7_200_000;
  ids.push(uuid());
  assert.deepEqual(ids.toSorted(), ids);
  assert.equal(new Set(ids).size, ids.length);
  assert.equal(Number.parseInt(ids.at(-1)?.replace("-", "").slice(0, 12) ?? "", 16), nowMs);
});
