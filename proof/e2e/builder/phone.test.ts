import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { flowOf, start, step } from "./testing/canvas-page.ts";
import { settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

const phone = { width: 390, height: 844 } as const;

/** Whether a point in the middle of an element is covered by nothing else. */
const isOnTop = (element: Locator) =>
  element.evaluate((node) => {
    const { x, y, width, height } = node.getBoundingClientRect();
    return node.contains(document.elementFromPoint(x + width / 2, y + height / 2));
  });

/** Labels that are cut, or do not stand in the middle of their button. */
const badLabels = (page: Page) =>
  page.locator(".mantine-Button-root").evaluateAll((buttons) =>
    buttons.flatMap((button) => {
      const label = button.querySelector(".mantine-Button-label");
      if (label === null || !button.checkVisibility()) return [];
      const [outer, inner] = [button.getBoundingClientRect(), label.getBoundingClientRect()];
      const offset = Math.abs(outer.top + outer.bottom - inner.top - inner.bottom) / 2;
      const isCut = label.scrollHeight > label.clientHeight || inner.height > outer.height;
      return offset > 1 || isCut ? [`${button.textContent}: ${offset} px off${isCut ? ", cut" : ""}`] : [];
    }),
  );

describe("on a phone", () => {
  let world: BuilderWorld;
  let agentId: string;

  before(async () => {
    world = await startBuilder();
    const flow = flowOf([start, step("answer", { position: { x: 344, y: 0 } })], []);
    agentId = await createAgent(world.platform, flow);
  });
  after(() => world?.close());

  it("buttons and links that look like them have whole labels in their middle", async () => {
    for (const path of ["/agents", "/assistants", "/models", `/agents/${agentId}/api`]) {
      const page = await world.open(path, phone);
      await settled(page);
      await page.locator(".mantine-Button-label").first().waitFor();
      assert.deepEqual(await badLabels(page), [], path);
      await page.close();
    }
  });

  it("the editor shows all of its actions, and a panel covers what floats over the canvas", async () => {
    const page = await world.open(`/agents/${agentId}`, phone);
    await settled(page);
    const header = page.locator("header").filter({ has: page.getByRole("button", { name: "Publish" }) });
    const chat = header.getByRole("button", { name: "Chat" });
    for (const action of await header.getByRole("button").all()) {
      const box = await action.boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= phone.width, await `${await action.textContent()}`);
    }
    const add = page.getByRole("button", { name: "Add a step", exact: true });
    assert.ok(await isOnTop(add));
    await chat.click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    assert.ok(!(await isOnTop(add)));
    const hints = page.getByText("Enter to send", { exact: true }).locator("..");
    const cut = await hints.evaluate((line) => {
      const { bottom, right } = line.getBoundingClientRect();
      const seen = [...line.children].map((hint) => hint.getBoundingClientRect()).filter(({ top }) => top < bottom);
      return seen.filter((hint) => hint.right > right || hint.bottom > bottom + 1).length;
    });
    assert.equal(cut, 0, "a hint is whole or left out");
    await page.close();
  });

  it("the places stand at the bottom, and the last of them has all others", async () => {
    const page = await world.open("/agents", phone);
    const bar = page.getByRole("navigation", { name: "Main" });
    const { y = 0, height = 0, width = 0 } = (await bar.boundingBox()) ?? {};
    assert.deepEqual([Math.round(y + height), width], [phone.height, phone.width]);
    await bar.getByRole("link", { name: "Executions" }).click();
    await page.getByRole("heading", { name: "Executions" }).waitFor();
    await screenshot(page, "phone-bar");
    await bar.getByRole("button", { name: "More" }).click();
    const sheet = page.getByRole("dialog");
    await sheet.getByRole("link", { name: "Settings" }).waitFor();
    await assertAccessibleInBoth(page, "the sheet of places");
    await screenshot(page, "phone-places");
    await sheet.getByRole("link", { name: "Variables" }).click();
    await page.getByRole("heading", { name: "Variables", exact: true }).waitFor();
    await sheet.waitFor({ state: "detached" });
    await bar.getByRole("button", { name: "More" }).click();
    await sheet.getByRole("button", { name: "Search" }).click();
    await page.getByRole("dialog", { name: "Search and commands" }).locator("input:focus").waitFor();
    await page.close();
  });

  it("the import page begins with the choice of a file", async () => {
    const page = await world.open("/agents/import", phone);
    await page.getByRole("button", { name: "Choose files" }).waitFor();
    const { y = 999 } = (await page.getByText("Import an agent").boundingBox()) ?? {};
    assert.ok(y < 100, `${y}`);
    await page.close();
  });
});
