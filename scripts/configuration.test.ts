import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { environmentVariables } from "../packages/server/src/config.ts";
import { settings } from "../packages/server/src/config-settings.ts";
import { toConfigurationPage } from "./configuration/configuration-page.ts";

const page = toConfigurationPage();

test("the committed page of settings is the one that their rows make", () => {
  const committed = readFileSync(new URL("../docs/configuration.md", import.meta.url), "utf8");
  assert.equal(committed, page, "A setting changed: run `./weft configuration` and commit the page.");
});

test("every variable that the server reads has one row", () => {
  const rows = Array.from(page.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name);
  assert.deepEqual(rows.toSorted(), environmentVariables.toSorted());
});

test("a default that is written by hand is the one that holds", () => {
  for (const [name, schema] of Object.entries(settings)) {
    const { shown } = schema.meta() ?? {};
    const written = schema.safeParse(shown);
    // Words such as "half of MAX_CONCURRENT_RUNS" are no value.
    if (typeof shown !== "string" || (!written.success && shown.includes(" "))) continue;
    if (shown.includes("`")) continue;
    assert.deepEqual(written.data, schema.parse(""), `${name}=${shown}`);
  }
});
