// @process own: it changes the language of the page.
import "../testing/browser.ts";
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { chooseLanguage, startLanguage } from "./index.ts";
import { type Exceptions, findFaults } from "./testing/find-faults.ts";

const sources = new URL("../", import.meta.url);
const folder = fileURLToPath(sources);
const codes = globSync("languages/*/index.ts", { cwd: folder }).map((path) => basename(dirname(path)));

/** Every exported object of texts by its area. `variant` loads the modules once more. */
async function readAreas(variant: string): Promise<Record<string, unknown>> {
  const paths = globSync("**/strings.ts", { cwd: folder });
  const modules = await Promise.all(paths.map((path) => import(new URL(`${path}?${variant}`, sources).href)));
  const texts = modules.flatMap((module: Record<string, unknown>) => Object.entries(module));
  return Object.fromEntries(texts.map(([name, text]) => [name.replace(/Strings$/, ""), text]));
}

const readExceptions = (code: string): Exceptions =>
  JSON.parse(readFileSync(new URL(`languages/${code}/exceptions.json`, sources), "utf8"));

const english = await readAreas("english");

for (const code of codes) {
  test(`${code} says what English says`, async () => {
    const { translation } = await import(new URL(`languages/${code}/index.ts`, sources).href);
    const found = findFaults(code, english, translation, readExceptions(code));
    assert.deepEqual(found, [], `\n${found.join("\n")}\n`);
  });

  // Texts of other modules would be read before the language is there, and stay English.
  test(`${code} imports nothing but the room's door and its own files`, () => {
    for (const path of globSync(`languages/${code}/*.ts`, { cwd: folder })) {
      const values =
        readFileSync(new URL(path, sources), "utf8").match(/^(import|export) (?!type ).*from ".*"/gm) ?? [];
      for (const line of values) assert.match(line, /from "(\.\.\/index\.ts|\.\/[\w-]+\.ts)"$/, `${path}: ${line}`);
    }
  });
}

test("every object of texts comes from the language, under its own name", async () => {
  const marked = new Proxy({}, { get: (_, area) => ({ area }) });
  chooseLanguage("de");
  await startLanguage({ "languages/de/index.ts": async () => ({ translation: marked }) });
  const areas = await readAreas("marked");
  assert.ok(Object.keys(areas).length > 20);
  for (const [area, text] of Object.entries(areas)) assert.deepEqual(text, { area });
  assert.deepEqual(Object.keys(areas).sort(), Object.keys(english).sort());
});
