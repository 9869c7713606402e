// @process own: it changes the language of the page.
import "../../testing/browser.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseLanguage, type LanguageCode, startLanguage } from "../../languages/index.ts";

/** The formats of a page that was loaded in a language. */
async function loadIn(code: LanguageCode): Promise<typeof import("./format.ts")> {
  chooseLanguage(code);
  await startLanguage({ [`messages/${code}.json`]: async () => ({ default: {} }) });
  return import(new URL(`./format.ts?${code}`, import.meta.url).href);
}

// Intl puts a space that does not break between a number and its sign.
const plain = (text: string) => text.replaceAll(/\s/g, " ");

for (const [code, ago, costs] of [
  ["de", "vor 3 Sek.", ["0,0021 $", "1.234,57 $", "<0,0001 $"]],
  ["ja", "3 秒前", ["$0.0021", "$1,234.57", "<$0.0001"]],
  ["pt", "há 3 seg.", ["$ 0,0021", "$ 1.234,57", "<$ 0,0001"]],
] as const) {
  test(`${code}: seconds and dollars are written as the language writes them`, async () => {
    const { formatCost, toSecondsAgo } = await loadIn(code);
    assert.equal(plain(toSecondsAgo(3.4)), ago);
    assert.deepEqual([0.0021, 1_234.567, 0.00001].map(formatCost).map(plain), costs);
  });
}
