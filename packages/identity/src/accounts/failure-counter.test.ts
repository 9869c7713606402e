import assert from "node:assert/strict";
import { test } from "node:test";
import { createFailureCounter } from "./password-gate.ts";

test("it remembers so many names and no more; the oldest failure is forgotten first", () => {
  const counter = createFailureCounter({ limit: 1, capacity: 3, clock: { now: () => 0 } });
  for (const name of ["a", "b", "c", "a", "d"]) counter.add(name);
  assert.deepEqual(
    ["a", "b", "c", "d"].map((name) => counter.waitMs(name)),
    [60_000, 0, 30_000, 30_000],
  );
});
