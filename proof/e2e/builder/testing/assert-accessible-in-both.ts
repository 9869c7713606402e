import type { Page } from "playwright-core";
import { assertAccessible } from "./assert-accessible.ts";
import { screenshot } from "./screenshot.ts";

/**
 * `assertAccessible` in light colours, and for its colours in dark ones, with a picture of each. Leaves the page in light
 * ones.
 */
export async function assertAccessibleInBoth(page: Page, name: string): Promise<void> {
  for (const colours of ["light", "dark"] as const) {
    await showColours(page, colours);
    await assertAccessible(page, `${name}, ${colours}`, colours === "light" ? "all" : "colours");
    await screenshot(page, `${name.replaceAll(" ", "-")}-${colours}`);
  }
  await showColours(page, "light");
}

/** Until the colours have changed and nothing moves. */
export async function showColours(page: Page, colours: "light" | "dark"): Promise<void> {
  await page.emulateMedia({ colorScheme: colours });
  await page.waitForFunction(
    (scheme) =>
      document.documentElement.dataset.mantineColorScheme === scheme &&
      document.getAnimations().every(({ playState }) => playState !== "running"),
    colours,
  );
}
