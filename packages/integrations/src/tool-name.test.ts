import assert from "node:assert/strict";
import { test } from "node:test";
import type { Tool } from "@weft/engine/ports/tool";
import { toToolName, uniqueToolNames } from "./tool-name.ts";

test("names fit every vendor", () => {
  assert.equal(toToolName("get_events", "x"), "get_events");
  assert.equal(toToolName(" Get events/{id} ✓ ", "x"), "Get_events_id");
  assert.equal(toToolName("✓", "fallback"), "fallback");
  assert.equal(toToolName("n".repeat(100), "x").length, 64);
});

test("taken names get a number within the limit", () => {
  const named = (name: string) => ({ name }) as Tool;
  const long = "n".repeat(64);
  const names = uniqueToolNames([named("a"), named("a_2"), named("a"), named("a"), named(long), named(long)]);
  assert.deepEqual(
    names.map(({ name }) => name),
    ["a", "a_2", "a_3", "a_4", long, `${"n".repeat(62)}_2`],
  );
});
