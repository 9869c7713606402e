import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { formSchemaOf } from "@weft/engine";
import type { NodeType } from "@weft/engine/node";
import { toJsonObject } from "@weft/schema";
import { nodeRegistry } from "./registry.ts";

const tests = globSync("*.test.ts", { cwd: import.meta.dirname })
  .filter((file) => file !== "registry.test.ts")
  .map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"));

for (const [type, node] of Object.entries<NodeType>(nodeRegistry)) {
  describe(`node type ${type}`, () => {
    test("is registered under its own type, with a form and a sentence for the palette", () => {
      assert.equal(node.type, type);
      assert.equal(formSchemaOf(node).type, "object");
      assert.ok(node.title !== "" && node.icon !== "");
      assert.match(node.summary, /^[A-Z].*\.$/);
    });

    test("names only settings that it has in its outline", () => {
      const properties = toJsonObject(formSchemaOf(node).properties);
      for (const path of node.outline ?? []) assert.ok(Object.hasOwn(properties, path.split(".")[0] ?? ""), path);
    });

    // A note is for readers: no run comes to it.
    test("has a test of its own", { skip: type === "sticky-note" }, () => {
      const isRun = tests.some((text) => text.includes(`"${type}"`));
      assert.ok(isRun, `no *.test.ts beside the registry uses ${type}`);
    });
  });
}
