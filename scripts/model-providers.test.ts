import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toProviderTable } from "./providers/provider-table.ts";

test("the committed table of providers is the one that their definitions make", () => {
  const committed = readFileSync(new URL("../docs/model-providers.md", import.meta.url), "utf8");
  assert.equal(committed, toProviderTable(), "A provider changed: run `./weft providers` and commit the table.");
});
