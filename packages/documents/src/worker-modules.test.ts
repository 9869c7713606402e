import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { test } from "node:test";
import { loadedModules, ofSchema } from "@weft/workers/testing";

test("threads that read documents do without the schema", () => {
  const files = ["worker.ts", ...globSync("{formats,odf,ooxml,rtf}/*.ts", { cwd: import.meta.dirname })];
  const modules = loadedModules(files.map((file) => import.meta.resolve(`./${file}`)));
  assert.ok(modules.includes(import.meta.resolve("./formats/read-pdf.ts")));
  assert.deepEqual(ofSchema(modules).slice(0, 1), []);
});
