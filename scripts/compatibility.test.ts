import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toCompatibilityPage } from "./compatibility/compatibility-page.ts";

test("the committed page of what becomes of each node of Flowise is the one that the dialects make", () => {
  const committed = readFileSync(new URL("../docs/compatibility.md", import.meta.url), "utf8");
  assert.equal(committed, toCompatibilityPage(), "A dialect changed: run `./weft compatibility` and commit the page.");
});
