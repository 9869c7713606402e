import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, button, flowOf, nodeOf, shows, showsEdges, start, step } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

describe("a flow as code", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  it("is drawn as it is typed, written as it is drawn, and says what is not a flow", async () => {
    const flow = flowOf([start, step("a", at(344, 0))], [{ source: "start_0", target: "a" }]);
    const page = await world.open(`/agents/${await createAgent(world.platform, flow)}`);
    await shows(page, ["start_0", "a"]);
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Edit as code" }).click();
    const panel = page.getByRole("complementary", { name: "Code" });
    const editor = panel.getByRole("textbox", { name: "Flow as code" });
    await editor.waitFor();
    await panel.locator(".cm-content").waitFor();
    await assertAccessibleInBoth(page, "the flow as code");
    const write = async (text: string) => {
      await panel.locator(".cm-content").click();
      await page.keyboard.press("Control+a");
      await page.keyboard.insertText(text);
    };
    const status = (text: string | RegExp) => panel.getByRole("status").filter({ hasText: text }).waitFor();

    await write(flowOf([start, step("b", at(344, 0)), step("c", at(344, 160))], [{ source: "start_0", target: "b" }]));
    await shows(page, ["start_0", "b", "c"]);
    await status("A valid flow.");
    await write("{ broken");
    await status("Not JSON yet");
    await shows(page, ["start_0", "b", "c"]);
    await write(`{"weft":1,"nodes":[{"id":"x"}],"edges":[]}`);
    await status("Not a flow yet, at nodes.0");
    await shows(page, ["start_0", "b", "c"]);

    await nodeOf(page, "c").click();
    await page.keyboard.press("Delete");
    await shows(page, ["start_0", "b"]);
    await status("A valid flow.");
    await retry(async () => {
      const text = (await panel.locator(".cm-content").textContent()) ?? "";
      assert.ok(text.includes('"b"') && !text.includes('"c"'), text);
    });
    await showsEdges(page, 1);
    await page.keyboard.press("Control+z");
    await page.keyboard.press("Control+z");
    await shows(page, ["start_0", "a"]);
    await panel.getByRole("button", { name: "Close the code" }).click();
    await panel.waitFor({ state: "detached" });
    await page.close();
  });
});
