import assert from "node:assert/strict";
import { test } from "node:test";
import type { VariableRow } from "./variable.store.ts";
import { createVariableValues } from "./variable-values.ts";

function setUp(defaults: Record<string, string> = {}) {
  const at = { nowMs: 1_000_000, reads: 0, rows: [row("a", "1")], isBroken: false };
  const values = createVariableValues({
    async list() {
      at.reads += 1;
      const { rows } = at;
      await Promise.resolve();
      if (at.isBroken) throw new Error("The database is away.");
      return rows;
    },
    clock: { now: () => at.nowMs },
    environment: new Map(),
    defaults,
    know: () => undefined,
  });
  return { at, values };
}

function row(name: string, value: string): VariableRow {
  return { id: name, name, value, type: "number", createdDate: "", updatedDate: "" };
}

test("many runs share one read, for two seconds", async () => {
  const { at, values } = setUp();
  await Promise.all(Array.from({ length: 50 }, () => values.all()));
  at.rows = [row("a", "2")];
  at.nowMs += 2_000;
  assert.deepEqual(await values.all(), { a: 1 });
  assert.equal(at.reads, 1);
  at.nowMs += 1;
  assert.deepEqual(await values.all(), { a: 2 });
  at.rows = [];
  at.nowMs -= 3_600_000;
  assert.deepEqual(await values.all(), {}, "a clock that was set back keeps nothing alive");
});

test("a default holds for names that no variable has", async () => {
  const { values } = setUp({ a: "default", b: "default" });
  assert.deepEqual(await values.all(), { a: 1, b: "default" });
});

test("after a write nobody gets what was read before it", async () => {
  const { at, values } = setUp();
  const early = values.all();
  at.rows = [row("a", "2")];
  values.forget();
  assert.deepEqual(await values.all(), { a: 2 });
  assert.deepEqual(await early, { a: 1 });
  assert.deepEqual(await values.all(), { a: 2 });
  assert.equal(at.reads, 2);
});

test("a read that fails is tried again by the next run", async () => {
  const { at, values } = setUp();
  at.isBroken = true;
  await assert.rejects(values.all(), /database is away/);
  at.isBroken = false;
  assert.deepEqual(await values.all(), { a: 1 });
});
