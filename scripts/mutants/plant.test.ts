import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import type { Mutant } from "./mutant.ts";
import { mutants } from "./mutants.ts";
import { plantIn } from "./plant.ts";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

describe("mutants", () => {
  for (const mutant of mutants) {
    it(`fits: ${mutant.name}`, () => {
      assert.ok(plantIn(root, mutant).includes(mutant.replacement));
      for (const test of mutant.tests) assert.ok(existsSync(join(root, test)), `${test} does not exist`);
    });
  }

  it("have names of their own", () => {
    assert.equal(new Set(mutants.map(({ name }) => name)).size, mutants.length);
  });

  it("names a mutant whose original is gone, or is not the only one", () => {
    const gone: Mutant = { name: "old", file: "package.json", original: "no such text", replacement: "", tests: [] };
    assert.throws(() => plantIn(root, gone), /The mutant "old" does not fit package\.json: .* no longer there/);
    assert.throws(() => plantIn(root, { ...gone, original: "node" }), /stands there \d+ times/);
  });
});
