import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(`${root}docs/guarantees.md`, "utf8");

/** Every line of the page that names tests: their files, and the titles in them. */
const named = page
  .split("\n")
  .filter((line) => /^- `[^`]+\.ts`/.test(line))
  .map((line) => ({
    files: Array.from(line.matchAll(/`([^`]+\.ts)`/g), ([, file]) => file ?? ""),
    titles: Array.from(line.matchAll(/“([^”]+)”/g), ([, title]) => title ?? ""),
  }));

/** Whether a test of that title stands in the text. A title that ends in “…” is the beginning of a template. */
function hasTitle(text: string, title: string): boolean {
  const starts = title.endsWith("…") ? [`\`${title.slice(0, -1)}$`] : [`"${title}"`, `\`${title}\``];
  const calls = text.replaceAll(/\b(it|test)\(\s*/g, "it(");
  return starts.some((start) => calls.includes(`it(${start}`));
}

describe("the page of guarantees", () => {
  it("has every guarantee, each with tests", () => {
    const sections = page.split(/^## /m).slice(1);
    assert.deepEqual(
      sections.map((section) => section.split(" ", 1)[0]),
      Array.from({ length: 17 }, (_, index) => `G${index + 1}`),
    );
    for (const section of sections) assert.match(section, /^- `[^`]+\.test\.ts`: “/m);
  });

  for (const { files, titles } of named) {
    it(`names tests that exist: ${files.join(", ")}`, () => {
      assert.ok(files.length > 0);
      for (const file of files) assert.ok(existsSync(root + file), `${file} does not exist`);
      const text = readFileSync(root + files[0], "utf8");
      assert.ok(titles.length > 0 || files.every((file) => file.endsWith(".attack.ts")), "names no title");
      for (const title of titles) assert.ok(hasTitle(text, title), `${files[0]} has no test “${title}”`);
    });
  }
});
