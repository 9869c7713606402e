import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { formSchemaOf } from "@weft/engine";
import { WeftError } from "@weft/schema";
import { findLoader, loaders } from "./registry.ts";

const tests = globSync("*-loaders.test.ts", { cwd: import.meta.dirname }).map((file) =>
  readFileSync(`${import.meta.dirname}/${file}`, "utf8"),
);

for (const [name, loader] of Object.entries(loaders)) {
  describe(`loader ${name}`, () => {
    test("is found by its name and those of existing clients, with a form", () => {
      for (const each of [name, ...loader.aliases.names]) assert.equal(findLoader(each), loader);
      assert.equal(formSchemaOf(loader).type, "object");
      assert.ok(loader.title && loader.summary);
    });

    test("settings that say nothing are read or refused with a sentence", () => {
      try {
        loader.parseConfig({}, name);
      } catch (error) {
        assert.ok(error instanceof WeftError, String(error));
      }
    });

    test("has a test that loads", () => {
      const names = [name, ...loader.aliases.names];
      const isLoaded = tests.some((text) => names.some((each) => text.includes(`load("${each}"`)));
      assert.ok(isLoaded, `no *-loaders.test.ts loads ${name}`);
    });
  });
}
