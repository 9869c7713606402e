import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, button, flowOf, showsEdges, start, step } from "./testing/canvas-page.ts";
import { answerIn, ask } from "./testing/chat-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

const conditions = [{ type: "string", left: "1", operation: "equal", right: "1" }];
const angry = "The customer is angry";
const branches = [
  { id: "urgent", title: "It cannot wait until tomorrow", match: "all", conditions },
  { id: "angry", title: angry, match: "all", conditions },
];
const flow = flowOf(
  [
    start,
    { id: "sort", type: "condition", label: "Sort", ...at(344, 0), config: { branches } },
    step("now", { ...at(840, -160), config: { message: "At once." } }),
    step("soon", at(840, 48)),
    step("later", at(840, 220)),
    { id: "again", type: "loop", label: "Again", ...at(1_184, 220), config: { target: "later", times: 2 } },
  ],
  [
    { source: "start_0", target: "sort" },
    { source: "sort", sourcePort: "urgent", target: "now" },
    { source: "sort", sourcePort: "angry", target: "soon" },
    { source: "sort", sourcePort: "else", target: "later" },
    { source: "later", target: "again" },
  ],
);

const labelOf = (page: Page, text: string) => page.locator(".react-flow__edges text").filter({ hasText: text });

/** In pixels on the screen, of letters. */
const letterSize = (page: Page, text: string) =>
  labelOf(page, text).evaluate((label) => {
    const zoom = new DOMMatrix(getComputedStyle(label.closest(".react-flow__viewport") as Element).transform).a;
    return { zoom, px: Number.parseFloat(getComputedStyle(label).fontSize) * zoom };
  });

describe("the branches of a flow", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  it("are named on their connections, readable from half the size on, and show the way of a run", async () => {
    const page = await world.open(`/agents/${await createAgent(world.platform, flow)}`);
    await showsEdges(page, 6);
    const names = page.locator(".react-flow__edge");
    await names.and(page.getByLabel("Connection from Sort to soon: The customer is angry")).waitFor();
    await labelOf(page, "Back to later").waitFor();
    await assertAccessibleInBoth(page, "branches");
    const zoomOut = button(page, "Zoom out");
    for (let { zoom, px } = await letterSize(page, angry); zoom / 1.2 >= 0.5; ) {
      const before = zoom;
      await zoomOut.click();
      await retry(async () => {
        ({ zoom, px } = await letterSize(page, angry));
        assert.ok(zoom < before * 0.84, `${zoom}`);
      });
      assert.ok(px >= 8, JSON.stringify({ zoom, px }));
    }
    await page.mouse.move(640, 120);
    await page.getByRole("tooltip").waitFor({ state: "detached" });
    await assertAccessibleInBoth(page, "branches from afar");
    await button(page, "Fit to view (F)").click();

    await button(page, "Chat").click();
    await ask(page, "Help");
    await answerIn(page, "finished");
    await labelOf(page, "It cannot wait").and(page.locator("[data-way=taken]")).waitFor();
    assert.equal(await page.locator("text[data-way]").count(), 1);
    await page.mouse.move(640, 120);
    await assertAccessibleInBoth(page, "branches of a run");
    await page.close();
  });
});
