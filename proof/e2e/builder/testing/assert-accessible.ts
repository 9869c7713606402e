import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const source = await readFile(new URL(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const rules = {
  all: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
  colours: ["color-contrast", "link-in-text-block"],
};

/**
 * Runs every rule of WCAG 2.2 A and AA that a machine can check, or those about colours alone; fails with the elements that
 * break one.
 */
export async function assertAccessible(page: Page, name: string, about: "all" | "colours" = "all"): Promise<void> {
  // Through the debugger, which the page's content security policy does not bind.
  await page.evaluate(source);
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { runOnly: ${JSON.stringify(rules[about])}, resultTypes: ["violations"] })`,
  );
  const found = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id} (${help})\n  ${html}\n  ${failureSummary}`),
  );
  assert.deepEqual(found, [], `${name}: ${found.length} violations`);
}
