import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { at, button, centreOf, dotOf, flowOf, nodeOf, shows, showsEdges, start, step } from "./testing/canvas-page.ts";
import { menuWithFocus } from "./testing/menu-with-focus.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

describe("steps that are put where they belong", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const openPair = async (distance = 344) => {
    const nodes = [start, step("a", at(distance, 0))];
    const id = await createAgent(world.platform, flowOf(nodes, [{ source: "start_0", target: "a" }]));
    const page = await world.open(`/agents/${id}`);
    await showsEdges(page, 1);
    return page;
  };
  const choose = async (page: Page, dialog: string | RegExp, query: string) => {
    const picker = page.getByRole("dialog", { name: dialog });
    await picker.getByRole("combobox").fill(query);
    await page.keyboard.press("Enter");
    await picker.waitFor({ state: "detached" });
  };
  const leftOf = async (page: Page, id: string) => (await centreOf(nodeOf(page, id))).x;

  it("go into the middle of a connection with the button on it, and what comes after makes room", async () => {
    const page = await openPair();
    const [from, to] = [await centreOf(dotOf(page, "start_0", "out")), await centreOf(dotOf(page, "a", "in"))];
    await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await button(page, "Insert a step here").click();
    await page.getByRole("dialog", { name: "Insert a step" }).waitFor();
    await assertAccessible(page, "a step for a connection");
    await choose(page, "Insert a step", "http");
    await shows(page, ["start_0", "http_0", "a"]);
    await showsEdges(page, 2);
    // They glide.
    await retry(async () => {
      const [first, second, third] = [
        await leftOf(page, "start_0"),
        await leftOf(page, "http_0"),
        await leftOf(page, "a"),
      ];
      assert.ok(first < second && second < third, `${first}, ${second}, ${third}`);
    });
    await page.locator(".react-flow__pane").click({ position: { x: 20, y: 200 } });
    await page.keyboard.press("Control+z");
    await shows(page, ["start_0", "a"]);
    await showsEdges(page, 1);
    await page.close();
  });

  it("push no step out of sight, and neither does a panel that opens", async () => {
    const page = await openPair();
    const isInSight = (ids: string[]) =>
      retry(async () => {
        const canvas = await page.locator(".react-flow").boundingBox();
        assert.ok(canvas);
        for (const id of ids) {
          const box = await nodeOf(page, id).boundingBox();
          assert.ok(box && box.x >= canvas.x && box.x + box.width <= canvas.x + canvas.width, id);
        }
      });
    await nodeOf(page, "a").click();
    await page.getByRole("complementary", { name: "Step", exact: true }).waitFor();
    await dotOf(page, "a", "out").hover();
    await dotOf(page, "a", "out").click();
    await choose(page, /Connect a to/, "http");
    await nodeOf(page, "http_0").waitFor();
    await isInSight(["start_0", "a", "http_0"]);
    await page.close();
    const other = await openPair(700);
    await button(other, "Chat").click();
    await other.getByRole("complementary", { name: "Chat" }).waitFor();
    await retry(async () => {
      const canvas = await other.locator(".react-flow").boundingBox();
      const last = await nodeOf(other, "a").boundingBox();
      assert.ok(canvas && last && last.x + last.width <= canvas.x + canvas.width);
    });
    await other.close();
  });

  it("can be put into a connection that is shorter than its buttons, and taken out", async () => {
    const page = await openPair(280);
    const point = async () => {
      const [from, to] = [await centreOf(dotOf(page, "start_0", "out")), await centreOf(dotOf(page, "a", "in"))];
      await page.mouse.move(0, 0);
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    };
    await point();
    await button(page, "Insert a step here").click();
    await page.getByRole("dialog", { name: "Insert a step" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Insert a step" }).waitFor({ state: "detached" });
    await point();
    await button(page, "Remove connection").click();
    await showsEdges(page, 0);
    await page.close();
  });

  it("go onto a selected connection with the keyboard", async () => {
    const page = await openPair();
    await page.locator(".react-flow__edge").focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("i");
    await choose(page, "Insert a step", "http");
    await shows(page, ["start_0", "http_0", "a"]);
    await showsEdges(page, 2);
    await page.close();
  });

  it("follow an output that is clicked, and come where the canvas is clicked twice", async () => {
    const page = await openPair();
    await dotOf(page, "a", "out").hover();
    await dotOf(page, "a", "out").click();
    await choose(page, /Connect a to/, "direct");
    await shows(page, ["start_0", "a", "direct-reply_0"]);
    await showsEdges(page, 2);
    await page.keyboard.press("Escape");
    await page.locator(".react-flow__pane").dblclick({ position: { x: 60, y: 60 } });
    await choose(page, "Add a step", "http");
    await shows(page, ["start_0", "a", "direct-reply_0", "http_0"]);
    await showsEdges(page, 2);
    await page.close();
  });

  it("are acted on from the menu of a step, of a connection and of the canvas", async () => {
    const page = await openPair();
    const entry = (name: string) => page.getByRole("menuitem", { name });
    await nodeOf(page, "a").click({ button: "right" });
    await entry("Duplicate").waitFor();
    await assertAccessible(page, "the menu of a step");
    await entry("Duplicate").click();
    await shows(page, ["start_0", "a", "direct-reply_0"]);

    await page.locator(".react-flow__pane").click({ button: "right", position: { x: 80, y: 420 } });
    await entry("Add a step here").click();
    await choose(page, "Add a step", "http");
    await shows(page, ["start_0", "a", "direct-reply_0", "http_0"]);

    const [from, to] = [await centreOf(dotOf(page, "start_0", "out")), await centreOf(dotOf(page, "a", "in"))];
    await page.mouse.click((from.x + to.x) / 2, (from.y + to.y) / 2, { button: "right" });
    await entry("Remove connection").click();
    await showsEdges(page, 0);

    await nodeOf(page, "a").click({ button: "right" });
    await entry("Delete").waitFor();
    await menuWithFocus(page);
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await shows(page, ["start_0", "direct-reply_0", "http_0"]);
    await page.close();
  });
});
