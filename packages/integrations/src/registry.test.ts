import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { formSchemaOf } from "@weft/engine";
import { isJsonObject, WeftError } from "@weft/schema";
import { integrations } from "./registry.ts";
import { startBench } from "./testing/bench.ts";

const tests = globSync("*.test.ts", { cwd: import.meta.dirname })
  .filter((file) => file !== "registry.test.ts")
  .map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"));

for (const [type, integration] of Object.entries(integrations)) {
  describe(`integration ${type}`, () => {
    test("is registered under its own type, with a form", () => {
      assert.equal(integration.type, type);
      assert.equal(formSchemaOf(integration).type, "object");
      assert.ok(integration.title && integration.summary);
    });

    test("settings that say nothing make tools or are refused with a sentence", async (t) => {
      const bench = await startBench(t);
      const outcome = await bench.build(type, {}).catch((error: unknown) => error);
      if (Array.isArray(outcome)) assert.ok(outcome.every(({ name }) => /^[\w-]{1,64}$/.test(name)));
      else assert.ok(outcome instanceof WeftError && outcome.code === "tool-invalid", String(outcome));
      assert.deepEqual(bench.received, []);
    });

    test("has a test of its own", () => {
      const isBuilt = tests.some((text) => text.includes(`"${type}"`));
      assert.ok(isBuilt, `no *.test.ts beside the registry builds ${type}`);
    });
  });
}

test("the page about tools lists every vendor", () => {
  const page = readFileSync(`${import.meta.dirname}/../../../docs/tools.md`, "utf8");
  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  const vendors = Object.values(integrations).filter((integration) => {
    const { properties } = formSchemaOf(integration);
    return isJsonObject(properties) && Object.hasOwn(properties, "actions");
  });
  assert.ok(vendors.length > 10);
  const listed = rows.flatMap(
    (row) =>
      row
        .split("|")[1]
        ?.split(",")
        .map((name) => name.trim()) ?? [],
  );
  assert.deepEqual(
    vendors.map(({ title }) => title).filter((title) => !listed.includes(title)),
    [],
  );
});
