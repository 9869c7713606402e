import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";

/** Where pictures go; unset: none are taken. */
const folder = process.env.WEFT_SCREENSHOTS;

/** Takes a picture of the whole page for people to look at, when `WEFT_SCREENSHOTS` names a folder. */
export async function screenshot(page: Page, name: string): Promise<void> {
  if (folder === undefined || folder === "") return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
