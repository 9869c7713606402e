import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import {
  at,
  button,
  centreOf,
  dotOf,
  drag,
  flowOf,
  nodeOf,
  publish,
  shows,
  showsEdges,
  start,
  step,
} from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

describe("connections on the canvas", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const openNew = async (flowData: string) => world.open(`/agents/${await createAgent(world.platform, flowData)}`);
  const picker = (page: Page) => page.getByRole("dialog", { name: /Start/ });
  const focusedNode = (page: Page) =>
    page.evaluate(() => document.activeElement?.closest<HTMLElement>(".react-flow__node")?.dataset.id);

  it("offer steps where one is let go over nothing, and nothing stays when that is declined", async () => {
    const page = await openNew(flowOf([start, step("a", at(344, 0))]));
    await shows(page, ["start_0", "a"]);
    const { x, y } = await centreOf(dotOf(page, "start_0", "out"));
    await drag(page, dotOf(page, "start_0", "out"), { x: x + 60, y: y + 160 });
    await picker(page).waitFor();
    await screenshot(page, "canvas-connect");
    await assertAccessible(page, "where a connection leads");
    await page.keyboard.press("Escape");
    await picker(page).waitFor({ state: "detached" });
    await showsEdges(page, 0);

    await drag(page, dotOf(page, "start_0", "out"), { x: x + 60, y: y + 160 });
    await picker(page).getByRole("combobox").fill("direct");
    await page.keyboard.press("Enter");
    await shows(page, ["start_0", "a", "direct-reply_0"]);
    await showsEdges(page, 1);
    await page.keyboard.press("Control+z");
    await shows(page, ["start_0", "a"]);
    await page.close();
  });

  it("are pulled at any part of a dot, and end in the middle of both", async () => {
    const page = await openNew(flowOf([start, step("a", at(344, 0))]));
    await shows(page, ["start_0", "a"]);
    const box = await dotOf(page, "start_0", "out").boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width - 1, box.y + box.height / 2);
    await nodeOf(page, "start_0").locator(".react-flow__handle.connectionindicator").waitFor();
    await page.mouse.down();
    const { x, y } = await centreOf(dotOf(page, "a", "in"));
    await page.mouse.move(x, y, { steps: 8 });
    await page.mouse.up();
    await showsEdges(page, 1);
    const path = page.locator(".react-flow__edge-path");
    const line = await path.getAttribute("d");
    assert.match(line ?? "", /^M\S+,32 .* \S+,32$/);
    await nodeOf(page, "a").click();
    await page.getByLabel("Step name").waitFor();
    assert.equal(await path.getAttribute("d"), line, "selecting a step does not move its connections");
    await page.close();
  });

  it("are made with the keyboard alone, and refused with a reason", async () => {
    const nodes = [start, step("a", at(344, 0)), step("b", at(688, 0))];
    const page = await openNew(flowOf(nodes, [{ source: "start_0", target: "a" }]));
    await shows(page, ["start_0", "a", "b"]);
    await nodeOf(page, "start_0").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Step name").waitFor();
    await nodeOf(page, "start_0").focus();
    await page.keyboard.press("c");
    await picker(page).getByRole("option", { name: "b", exact: true }).waitFor();
    assert.equal(await picker(page).getByRole("option", { name: "a", exact: true }).count(), 0, "they are connected");
    await page.keyboard.type("b");
    await page.keyboard.press("Enter");
    await showsEdges(page, 2);
    await retry(async () => assert.equal(await focusedNode(page), "start_0"));
    await page.close();
  });

  it("are seen, and removed with the button on them", async () => {
    const nodes = [start, step("a", at(344, 0))];
    const id = await createAgent(world.platform, flowOf(nodes, [{ source: "start_0", target: "a" }]));
    const page = await world.open(`/agents/${id}`);
    await showsEdges(page, 1);
    const [from, to] = [await centreOf(dotOf(page, "start_0", "out")), await centreOf(dotOf(page, "a", "in"))];
    const middle = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 };
    const clip = { x: middle.x - 16, y: middle.y - 16, width: 32, height: 32 };
    const picture = async () => (await page.screenshot({ clip })).toString("base64");
    const withEdge = await picture();
    await page.mouse.move(middle.x, middle.y);
    await button(page, "Remove connection").click();
    await showsEdges(page, 0);
    assert.notEqual(await picture(), withEdge);
    await publish(page);
    await page.close();
  });
});

describe("the editor of an agent", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const createEmpty = () => createAgent(world.platform, flowOf([start]));

  it("leaves the window to the canvas until a step is asked for, and a wide one shares it as it was left", async () => {
    const page = await world.open(`/agents/${await createEmpty()}`, { width: 768 });
    await shows(page, ["start_0"]);
    assert.equal(await page.getByLabel("Search steps").count(), 0);
    await page.keyboard.press("/");
    await page.getByLabel("Search steps").fill("http");
    await page.keyboard.press("Enter");
    await shows(page, ["start_0", "http_0"]);
    await page.getByLabel("Search steps").waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1_280, height: 800 });
    assert.equal(await page.getByLabel("Search steps").count(), 0);
    await button(page, "Add a step").click();
    await page.getByLabel("Search steps").waitFor();
    await page.reload();
    await page.getByLabel("Search steps").waitFor();
    await page.setViewportSize({ width: 768, height: 800 });
    await page.getByLabel("Search steps").waitFor({ state: "detached" });
    await page.close();
  });

  it("says that somebody else saved the agent as soon as one comes back to it", async () => {
    const id = await createEmpty();
    const page = await world.open(`/agents/${id}`);
    await shows(page, ["start_0"]);
    await world.platform.call("PUT", `/chatflows/${id}`, { name: "Theirs" });
    await retry(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
      await button(page, "Load theirs").click({ timeout: 1_000 });
    });
    await retry(async () => assert.equal(await page.getByLabel("Agent name").inputValue(), "Theirs"));
    await page.close();
  });

  it("has a panel beside the canvas that is as wide as it was pulled", async () => {
    const page = await world.open(`/agents/${await createEmpty()}`, { width: 1_440 });
    await shows(page, ["start_0"]);
    await page.locator(".react-flow__node").click();
    const edge = page.getByRole("separator", { name: "Width of the side panel" });
    const width = async () => (await page.getByRole("complementary", { name: "Step" }).boundingBox())?.width ?? 0;
    await edge.waitFor();
    const canvas = await page.locator(".react-flow").boundingBox();
    assert.ok((canvas?.width ?? 0) >= 0.65 * 1_440, `the canvas has ${canvas?.width} of 1,440`);
    await retry(async () => assert.ok(Math.abs((await width()) - 420) <= 2));
    await drag(page, edge, { x: 840, y: 400 });
    await retry(async () => assert.ok(Math.abs((await width()) - 600) <= 2));
    await edge.press("ArrowLeft");
    await retry(async () => assert.ok(Math.abs((await width()) - 616) <= 2));
    await drag(page, edge, { x: 300, y: 400 });
    await retry(async () => assert.ok(Math.abs((await width()) - 720) <= 2));
    await page.reload();
    await page.locator(".react-flow__node").click();
    await edge.waitFor();
    await retry(async () => assert.ok(Math.abs((await width()) - 720) <= 2));
    await edge.dblclick();
    await retry(async () => assert.ok(Math.abs((await width()) - 420) <= 2));
    await page.close();
  });

  it("gives the focus back to the menu that a dialog was opened from", async () => {
    await createEmpty();
    const page = await world.open("/agents");
    const menu = button(page, /^Actions of Agent/).first();
    for (const item of ["Name and tags", "Delete"]) {
      await menu.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("menuitem", { name: item }).click();
      await page.locator("[role=dialog]:focus-within").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await retry(async () => assert.ok(await menu.evaluate((element) => element === document.activeElement), item));
    }
    await page.close();
  });
});
