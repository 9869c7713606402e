import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { toDecisionsPage } from "./decisions/decisions-page.ts";

const folder = new URL("../docs/decisions/", import.meta.url);

test("the committed index of decisions is the one that their pages make", () => {
  const committed = readFileSync(new URL("README.md", folder), "utf8");
  assert.equal(committed, toDecisionsPage(), "A decision changed: run `./weft decisions` and commit the index.");
});

test("every file of the folder is in the index", () => {
  const page = toDecisionsPage();
  for (const name of readdirSync(folder)) assert.ok(name === "README.md" || page.includes(`](${name})`), name);
});
