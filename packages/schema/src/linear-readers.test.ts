import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { partDocuments } from "./attached-document.ts";
import { withoutCitations } from "./citation.ts";

// What the readers must find, as the patterns that say it in a line, and that take quadratic time.
const attached = /<doc name='([^']*)'>([\s\S]*?)<\/doc>/g;
const code = /^ {0,3}(```|~~~)[\s\S]*?(?:^ {0,3}\1|(?![\s\S]))|(?<!`)(`{1,2})(?!`)[^\n]{1,2000}?(?<!`)\2(?!`)/gm;
const citation = / ?\[(\d{1,4}(?:\s?,\s?\d{1,4}){0,19})\](?!\()/g;

function textOf(...pieces: string[]) {
  return fc.array(fc.constantFrom(...pieces), { maxLength: 24 }).map((parts) => parts.join(""));
}

test("documents of a message are those that the pattern finds", () => {
  const texts = textOf("<doc name='", "'", ">", "'>", "</doc>", "a", "<", "\n", " ");
  fc.assert(
    fc.property(texts, (text) => {
      const documents = Array.from(text.matchAll(attached), ([, name = "", body = ""]) => ({ name, text: body }));
      assert.deepEqual(partDocuments(text), { text: text.replaceAll(attached, "").trim(), documents });
    }),
    { numRuns: 2_000 },
  );
});

test("citations are taken out of what the pattern of code leaves", () => {
  const texts = textOf("`", "``", "```", "~~~", "\n", " ", "a", " [1]", "[2]");
  fc.assert(
    fc.property(texts, (text) => {
      let from = 0;
      let expected = "";
      for (const { index, 0: span } of text.matchAll(code)) {
        expected += text.slice(from, index).replaceAll(citation, "") + span;
        from = index + span.length;
      }
      assert.equal(withoutCitations(text), expected + text.slice(from).replaceAll(citation, ""));
    }),
    { numRuns: 5_000, examples: [["```\n````` [1]``"]] },
  );
});
