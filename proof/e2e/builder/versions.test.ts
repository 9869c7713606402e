import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import {
  at,
  button,
  confirmPublishing,
  flowOf,
  nodeOf,
  openPublishDialog,
  shows,
  start,
  step,
} from "./testing/canvas-page.ts";
import { lookAt } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent, storedFlow } from "./testing/stored-agents.ts";

type Version = { number: number; name: string; note: string; createdBy: string | null };

const first = flowOf([start, step("a", { ...at(344, 0), config: { message: "One" } })]);
const second = flowOf([start, step("a", { ...at(344, 0), config: { message: "Two" } }), step("b", at(688, 0))]);

describe("publishing and versions", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const openAgent = async (id: string) => {
    const page = await world.open(`/agents/${id}`);
    await nodeOf(page, "start_0").waitFor();
    return page;
  };
  const state = (page: Page, text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor();
  const rename = async (page: Page, name: string) => {
    await nodeOf(page, "a").click();
    await page.getByLabel("Step name").fill(name);
  };
  const labelOf = async (id: string) =>
    (await storedFlow(world.platform, id)).nodes.find((node) => node.id === "a")?.label;
  const versionsOf = (id: string) => world.platform.call<Version[]>("GET", `/chatflows/${id}/versions`);
  const openVersions = async (page: Page) => {
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Versions" }).click();
    const drawer = page.getByRole("dialog", { name: "Versions" });
    await drawer.waitFor();
    return drawer;
  };

  it("publishing says what changes, and keeps the name and the note that it is given", async () => {
    const id = await createAgent(world.platform, first);
    await world.platform.call("PUT", `/chatflows/${id}/draft`, {
      flowData: flowOf([start, step("a", { ...at(344, 0), label: "Greeting" }), step("b", at(688, 0))]),
    });
    const page = await openAgent(id);
    const dialog = await openPublishDialog(page);
    for (const text of ["Greeting", "Changed", "b", "Added"]) await dialog.getByText(text, { exact: true }).waitFor();
    await dialog.getByText("Open findings").waitFor();
    await lookAt(page, "publish-dialog");
    await page.setViewportSize({ width: 1_280, height: 800 });
    await dialog.getByLabel("Version name").fill("Two steps");
    await dialog.getByLabel("Note").fill("Greets,\nand says more");
    await page.keyboard.press("Control+Enter");
    await dialog.waitFor({ state: "detached" });
    await state(page, /^Published( ·|$)/);
    const [version] = await versionsOf(id);
    assert.deepEqual(
      [version?.number, version?.name, version?.note, version?.createdBy],
      [2, "Two steps", "Greets,\nand says more", "ada@example.com"],
    );
    assert.equal(await button(page, "Publish").isDisabled(), true);
    await page.close();
  });

  it("publishing loses nothing to those who leave at once, also while the draft is being saved", async () => {
    const agent = { name: "Leaving", flowData: first };
    const { id } = await world.platform.call<{ id: string }>("POST", "/chatflows", agent);
    const page = await world.open("/agents");
    await page
      .getByRole("link", { name: /Leaving/ })
      .first()
      .click();
    await nodeOf(page, "start_0").waitFor();
    await page.route(/\/draft$/, async (route) => {
      if (route.request().method() === "PUT") await new Promise((resolve) => setTimeout(resolve, 400));
      await route.continue();
    });
    await rename(page, "Left at once");
    await confirmPublishing(page);
    await page.goBack();
    await page.waitForURL(/\/agents$/);
    await retry(async () => assert.equal(await labelOf(id), "Left at once"));

    await page.goto(`/agents/${id}`);
    await nodeOf(page, "a").waitFor();
    await rename(page, "Not yet published");
    await openPublishDialog(page);
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "All agents" }).click();
    await page.waitForURL(/\/agents$/);
    const { flowData } = await world.platform.call<{ flowData: string }>("GET", `/chatflows/${id}/draft`);
    assert.match(flowData, /Not yet published/);
    assert.equal(await labelOf(id), "Left at once");
    await page.close();
  });

  it("versions differ by what forms call their settings, and take a name and a note", async () => {
    const id = await createAgent(world.platform, first);
    await world.platform.call("PUT", `/chatflows/${id}`, { flowData: second, version: { name: "Louder" } });
    const page = await openAgent(id);
    await shows(page, ["start_0", "a", "b"]);
    const drawer = await openVersions(page);
    await drawer.getByRole("button", { name: /Version 2 · Louder .*Current/ }).waitFor();
    await drawer.getByRole("button", { name: /Version 1/ }).click();
    await drawer.locator("dt").getByText("Message", { exact: true }).waitFor();
    await drawer.locator("del").filter({ hasText: "One" }).waitFor();
    await drawer.locator("ins").filter({ hasText: "Two" }).waitFor();
    await drawer.getByText("Added", { exact: true }).waitFor();
    await drawer.getByLabel("Name").fill("First");
    await page.keyboard.press("Enter");
    await drawer.getByRole("button", { name: /Version 1 · First/ }).waitFor();
    await drawer.getByLabel("Note").fill("Greets once");
    await drawer.getByLabel("Name").focus();
    await drawer.getByRole("button", { name: /Version 1 · First .*Greets once/ }).waitFor();
    await lookAt(page, "versions");
    await drawer.getByRole("tab", { name: "Text" }).click();
    const text = drawer.getByRole("region", { name: "Text" });
    await text.locator("del").filter({ hasText: "−" }).getByText('"message": "One"').waitFor();
    await text.locator("ins").filter({ hasText: "+" }).getByText('"message": "Two"').waitFor();
    const fold = text.getByRole("button", { name: /^Show \d+ unchanged lines$/ }).first();
    await assertAccessible(page, "versions as text");
    await fold.click();
    await text.getByText('"type": "start"').waitFor();
    await page.close();
  });

  it("restoring puts a version into the draft and publishes nothing; undo brings the draft back", async () => {
    const id = await createAgent(world.platform, first);
    await world.platform.call("PUT", `/chatflows/${id}`, { flowData: second });
    const page = await openAgent(id);
    await shows(page, ["start_0", "a", "b"]);
    await rename(page, "Unpublished");
    await state(page, "Draft saved");
    const drawer = await openVersions(page);
    await drawer.getByRole("button", { name: /Version 1/ }).click();
    await drawer.getByRole("button", { name: "Restore version 1" }).click();
    const question = page.getByRole("alert", { name: "Replace your draft?" });
    await question.getByText("Unpublished", { exact: true }).waitFor();
    await assertAccessible(page, "replacing a draft");
    await screenshot(page, "restore-asks");
    await question.getByRole("button", { name: "Replace the draft" }).click();
    await page.getByText("“Version 1” is in the draft. It replaced 2 steps; undo brings them back.").waitFor();
    await shows(page, ["start_0", "a"]);
    await state(page, "Draft saved");
    const draft = () => world.platform.call<{ flowData: string }>("GET", `/chatflows/${id}/draft`);
    await retry(async () => assert.match((await draft()).flowData, /"One"/));
    assert.equal((await storedFlow(world.platform, id)).nodes.length, 3);
    assert.equal((await versionsOf(id)).length, 2);
    await button(page, "Undo").click();
    await shows(page, ["start_0", "a", "b"]);
    await retry(async () => assert.match((await draft()).flowData, /Unpublished/));
    await page.close();
  });
});
