import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { retry } from "./retry.ts";

export const step = (id: string, more: object = {}) => ({ id, type: "direct-reply", label: id, config: {}, ...more });
export const at = (x: number, y: number) => ({ position: { x, y } });
export const start = { id: "start_0", type: "start", label: "Start", ...at(0, 0) };

export const flowOf = (nodes: object[], edges: { source: string; target: string; sourcePort?: string }[] = []) =>
  JSON.stringify({ weft: 1, nodes, edges: edges.map((edge, index) => ({ id: `e${index}`, ...edge })) });

export const nodeOf = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`);
export const dotOf = (page: Page, id: string, port: string) =>
  nodeOf(page, id).locator(
    port === "in" ? ".react-flow__handle.target" : `.react-flow__handle[data-handleid="${port}"]`,
  );
export const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
/** Turns to a part of the selected step's settings. */
export const openTab = (page: Page, name: "Setup" | "Output" | "Last run") =>
  page.getByRole("tab", { name: new RegExp(`^${name}`) }).click();
export const nodeIds = (page: Page) =>
  page
    .locator(".react-flow__node")
    .evaluateAll((nodes) => nodes.map((node) => node.getAttribute("data-id")).toSorted());
const edgeCount = (page: Page) => page.locator(".react-flow__edge").count();

export async function centreOf(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox();
  assert.ok(box);
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

export async function drag(page: Page, from: Locator, to: Locator | { x: number; y: number }): Promise<void> {
  await from.hover({ force: true });
  const begin = await centreOf(from);
  const end = "x" in to ? to : await centreOf(to);
  await page.mouse.move(begin.x, begin.y);
  await page.mouse.down();
  await page.mouse.move(begin.x + 10, begin.y + 10, { steps: 3 });
  await page.mouse.move(end.x, end.y, { steps: 8 });
  await page.mouse.up();
}

/** Opens the dialog that says what publishing changes. */
export async function openPublishDialog(page: Page): Promise<Locator> {
  await button(page, "Publish").click();
  const dialog = page.getByRole("dialog", { name: "Publish", exact: true });
  await dialog.waitFor();
  return dialog;
}

/** Publishes, unless that asks something more. */
export async function confirmPublishing(page: Page): Promise<void> {
  await (await openPublishDialog(page)).getByRole("button", { name: "Publish", exact: true }).click();
}

export async function publish(page: Page): Promise<void> {
  await confirmPublishing(page);
  await page
    .getByRole("status")
    .filter({ hasText: /^Published( ·|$)/ })
    .waitFor();
}

export const shows = (page: Page, ids: string[]) =>
  retry(async () => assert.deepEqual(await nodeIds(page), ids.toSorted()));
export const showsEdges = (page: Page, count: number) => retry(async () => assert.equal(await edgeCount(page), count));
