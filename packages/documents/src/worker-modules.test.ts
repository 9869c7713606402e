import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

/** Prints the address of every module that a thread loads which reads documents, all formats included. */
const program = `
import { registerHooks } from "node:module";
import { globSync } from "node:fs";
registerHooks({
  load(url, context, next) {
    console.log(url);
    return next(url, context);
  },
});
await import(${JSON.stringify(import.meta.resolve("./worker.ts"))});
for (const file of globSync("{formats,odf,ooxml,rtf}/*.ts", { cwd: ${JSON.stringify(import.meta.dirname)} }))
  await import(${JSON.stringify(import.meta.resolve("./"))} + file);
`;

test("a thread that reads documents does not load the schema, which would take more memory than all the rest", () => {
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", program], { encoding: "utf8" });
  const loaded = output.trim().split("\n");
  assert.ok(loaded.some((url) => url.endsWith("/documents/src/formats/read-pdf.ts")));
  assert.deepEqual(loaded.filter((url) => /\/packages\/schema\/|\/node_modules\/zod\//.test(url)).slice(0, 1), []);
});
