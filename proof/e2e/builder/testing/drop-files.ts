import type { Locator, Page } from "playwright-core";

/** Drops files and folders of the disk on an element, as a person does with the mouse. */
export async function dropFiles(page: Page, target: Locator, paths: readonly string[]): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error("There is nothing to drop files on.");
  const debug = await page.context().newCDPSession(page);
  const place = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const data = { items: [], files: [...paths], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    await debug.send("Input.dispatchDragEvent", { type, ...place, data });
  }
  await debug.detach();
}
