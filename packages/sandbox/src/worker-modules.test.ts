import assert from "node:assert/strict";
import { test } from "node:test";
import { loadedModules, ofSchema } from "@weft/workers/testing";

test("threads of the sandbox do without the schema", () => {
  const modules = loadedModules([import.meta.resolve("./worker.ts")]);
  assert.ok(modules.includes(import.meta.resolve("./start-guest.ts")));
  assert.deepEqual(ofSchema(modules).slice(0, 1), []);
});
