import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible } from "./assert-accessible.ts";
import { retry } from "./retry.ts";
import { screenshot } from "./screenshot.ts";

/** Resolves once nothing of the page is being loaded any more. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
}

/** Fails when a page stays wider than its window: then something is cut or has to be scrolled to sideways. */
async function assertFits(page: Page): Promise<void> {
  const excess = () =>
    page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.querySelector("main") ?? document.documentElement;
      return scrollWidth - clientWidth;
    });
  await retry(async () => assert.equal(await excess(), 0, `${page.url()} is too wide`));
}

/** In light, in dark, and on the narrowest screen: accessible, and as wide as its window. Takes pictures of each. */
export async function lookAt(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor();
    await screenshot(page, `${name}-${colorScheme}`);
    await assertAccessible(page, `${name} in ${colorScheme}`, colorScheme === "light" ? "all" : "colours");
  }
  await assertFits(page);
  await page.setViewportSize({ width: 768, height: 900 });
  await screenshot(page, `${name}-768`);
  await assertFits(page);
}
