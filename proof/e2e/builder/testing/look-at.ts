import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { assertAccessible } from "./assert-accessible.ts";
import { showColours } from "./assert-accessible-in-both.ts";
import { retry } from "./retry.ts";
import { screenshot } from "./screenshot.ts";

/** Resolves once the page has loaded. `networkidle` happens once a page; what loads later shows as busy or as a skeleton. */
export async function settled(page: Page): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[aria-busy=true], .mantine-Skeleton-root")].every((it) => !it.checkVisibility()),
  );
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

/** Elements that may scroll sideways on a phone: code, JSON, and the picture of a flow, whose steps must stay large enough to press. */
const wide = "pre, code, textarea, .cm-editor, [role=listbox]:has(> svg)";

/** Fails when something of the page has to be scrolled sideways on a phone. Leaves the page as wide as one. */
export async function assertFitsPhone(page: Page): Promise<void> {
  await page.setViewportSize({ width: 390, height: 844 });
  const scrolling = () =>
    page.evaluate(
      (except) =>
        [...document.querySelectorAll<HTMLElement>("body, body *")]
          .filter(
            (element) =>
              element.scrollWidth > element.clientWidth + 1 &&
              ["auto", "scroll"].includes(getComputedStyle(element).overflowX) &&
              element.closest(except) === null,
          )
          .map(({ outerHTML }) => outerHTML.slice(0, 200)),
      wide,
    );
  await retry(async () => assert.deepEqual(await scrolling(), [], `${page.url()} scrolls sideways`));
  await assertFits(page);
}

/**
 * In light, in dark, and in narrow windows: accessible, and as wide as its window. On a phone, nothing of it scrolls
 * sideways. Takes pictures of each, and leaves the page 768 pixels wide.
 */
export async function lookAt(page: Page, name: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await showColours(page, colorScheme);
    await screenshot(page, `${name}-${colorScheme}`);
    await assertAccessible(page, `${name} in ${colorScheme}`, colorScheme === "light" ? "all" : "colours");
  }
  await assertFits(page);
  await assertFitsPhone(page);
  await screenshot(page, `${name}-390`);
  await page.setViewportSize({ width: 768, height: 900 });
  await screenshot(page, `${name}-768`);
  await assertFits(page);
}
