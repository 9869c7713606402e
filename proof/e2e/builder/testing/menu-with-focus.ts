import type { Locator, Page } from "playwright-core";

/** The menu that was opened last, once it has the focus and takes it no more: it does so twice, after drawing itself. */
export async function menuWithFocus(page: Page): Promise<Locator> {
  const menu = page.locator("[role=menu]:focus-within");
  await menu.waitFor();
  await page.evaluate(() => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    return frame()
      .then(frame)
      .then(() => new Promise<void>((resolve) => setTimeout(resolve)));
  });
  return menu;
}
