import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { formSchemaOf } from "@weft/engine";
import { parseVectorStoreReference, vectorStoreTypes } from "./vector-stores.ts";

for (const { name, config, aliases, title, summary } of vectorStoreTypes) {
  describe(`vector store ${name}`, () => {
    test("is found by its name and those of existing clients, with a form", () => {
      for (const each of [name, ...aliases.names]) assert.equal(parseVectorStoreReference(each, {}).store, name);
      assert.equal(formSchemaOf({ config }).type, "object");
      assert.ok(title && summary);
    });

    test("runs the contract of vector stores", () => {
      const files = globSync(`${name}/*.test.ts`, { cwd: import.meta.dirname });
      const texts = files.map((file) => readFileSync(`${import.meta.dirname}/${file}`, "utf8"));
      assert.ok(
        texts.some((text) => text.includes("testing/vector-store-contract.ts")),
        `no test in ${name}/ runs testing/vector-store-contract.ts`,
      );
    });
  });
}
