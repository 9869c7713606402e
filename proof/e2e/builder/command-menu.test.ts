import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, flowOf, shows, start } from "./testing/canvas-page.ts";
import { lookAt } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

describe("the command menu", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const create = (name: string) =>
    world.platform.call<{ id: string }>("POST", "/chatflows", { name, flowData: flowOf([start]) });

  it("leads to every page and agent, does what the page can do, and says what it does not find", async () => {
    const { id } = await create("Orders desk");
    const page = await world.open("/agents");
    const menu = page.getByRole("dialog", { name: "Search and commands" });
    const openByKey = async () => {
      await page.keyboard.press("Control+k");
      await menu.locator("input:focus").waitFor();
    };
    await page.getByRole("button", { name: "Search Ctrl K" }).click();
    await menu.getByRole("option", { name: "Orders desk" }).waitFor();
    await assertAccessibleInBoth(page, "the command menu");
    await page.keyboard.type("nowhere");
    await menu.getByText("Nothing matches “nowhere”.").waitFor();
    await page.keyboard.press("Escape");
    await menu.waitFor({ state: "detached" });

    await openByKey();
    await page.keyboard.type("desk ord");
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/agents/${id}`);
    await shows(page, ["start_0"]);

    await openByKey();
    await page.keyboard.type("import");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Import an agent" }).waitFor();
    await openByKey();
    await menu.getByRole("option", { name: "New agent from a template" }).click();
    await page.getByRole("heading", { name: "Templates" }).waitFor();
    assert.equal(await page.getByRole("dialog").count(), 0);
    await openByKey();
    await menu.getByRole("option", { name: "New agent", exact: true }).click();
    const blank = page.getByRole("dialog", { name: "New agent" });
    await blank.locator("input:focus").waitFor();
    await page.keyboard.press("Escape");
    await blank.waitFor({ state: "detached" });
    await page.goBack();
    await page.getByRole("heading", { name: "Templates" }).waitFor();
    await openByKey();
    await menu.getByRole("option", { name: "Orders desk" }).click();
    await shows(page, ["start_0"]);

    await openByKey();
    await page.keyboard.type("versions");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "Versions" }).waitFor();
    await page.keyboard.press("Escape");

    await openByKey();
    await page.keyboard.type("execut");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Executions" }).waitFor();
    await openByKey();
    await menu.getByRole("option", { name: "Dark mode" }).click();
    await page.locator("html[data-mantine-color-scheme=dark]").waitFor();
    await page.close();
  });

  it("finds steps of the open flow, also by Ctrl+F, and document stores and runs", async () => {
    const far = {
      id: "reply_0",
      type: "direct-reply",
      label: "Say goodbye",
      config: { message: "Bye" },
      ...at(9_000, 0),
    };
    const flowData = flowOf([start, far], [{ source: "start_0", target: "reply_0" }]);
    const { id } = await world.platform.call<{ id: string }>("POST", "/chatflows", { name: "Farewell", flowData });
    await world.platform.call("POST", `/prediction/${id}`, { question: "Is anybody leaving?" });
    await world.platform.call("POST", "/document-store/store", { name: "Goodbye letters" });
    const page = await world.open(`/agents/${id}`);
    const menu = page.getByRole("dialog", { name: "Search and commands" });
    await shows(page, ["reply_0", "start_0"]);
    await page.keyboard.press("Control+f");
    await menu.locator("input:focus").waitFor();
    await page.keyboard.type("goodbye");
    await menu.getByRole("option", { name: /Say goodbye/ }).waitFor();
    await menu.getByRole("option", { name: "Goodbye letters" }).waitFor();
    await lookAt(page, "command-menu-found");
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "Message" }).first().waitFor();
    // In a field, the browser's own search stays.
    await page.getByRole("textbox", { name: "Message" }).first().focus();
    await page.keyboard.press("Control+f");
    assert.equal(await menu.count(), 0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("leaving");
    await menu.getByRole("option", { name: /Is anybody leaving\?/ }).click();
    await page.waitForURL("**/executions/*");
    await page.close();
  });
});
