import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

type Tool = { id: string; name: string; schema: string; func: string; color: string };

describe("the tools pages", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const createTool = (more: object = {}) => world.platform.call<Tool>("POST", "/tools", { name: "add", ...more });
  const trial = (page: Page) => page.getByRole("region", { name: "Try it" });

  async function writeCode(page: Page, code: string): Promise<void> {
    const editor = page.getByRole("textbox", { name: "Code" });
    await page.locator(".cm-editor").first().waitFor();
    await editor.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(code);
  }

  it("say what a tool is while there is none", async () => {
    for (const colours of ["light", "dark"] as const) {
      const page = await world.open("/tools", { colours });
      await page.getByText("No tools yet").waitFor();
      await assertAccessible(page, `no tools, ${colours}`);
      await screenshot(page, `tools-empty-${colours}`);
    }
  });

  it("write a tool, try it, and see its result, its console and its errors", async () => {
    const page = await world.open("/tools");
    await page.getByRole("link", { name: "New tool" }).first().click();
    await page.getByLabel("Name", { exact: false }).first().fill("get_weather");
    await page.getByLabel("Description").first().fill("Tells the weather of a city");
    await page.getByRole("button", { name: "Add property" }).click();
    await page.getByLabel("Name 1").fill("city");
    await writeCode(page, 'console.log("asked", $city); return { city: $city };');
    assert.ok(await trial(page).getByRole("button", { name: "Run" }).isDisabled());
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/\/tools\/[0-9a-f-]{36}$/);
    const [stored] = await world.platform.call<Tool[]>("GET", "/tools");
    assert.deepEqual(JSON.parse(stored?.schema ?? ""), [
      { property: "city", type: "string", description: "", required: true },
    ]);

    await trial(page).getByRole("button", { name: "Run" }).click();
    await trial(page).getByRole("alert").waitFor();
    await trial(page).getByRole("textbox", { name: "city" }).fill("London");
    await trial(page).getByRole("button", { name: "Run" }).click();
    await trial(page).getByText('{"city":"London"}').waitFor();
    await trial(page).getByText("asked London").waitFor();
    await assertAccessible(page, "a tool and its result");
    await screenshot(page, "tool-light");

    await writeCode(page, 'throw new Error("no such city");');
    await trial(page).getByRole("button", { name: "Run" }).click();
    await trial(page).getByRole("heading", { name: "The code failed" }).waitFor();
    await trial(page).getByText("no such city").waitFor();
    assert.equal((await world.platform.call<Tool>("GET", `/tools/${stored?.id}`)).func, stored?.func);
  });

  it("ask before changes are lost, and let nobody undo what somebody else saved", async () => {
    const { id } = await createTool({ name: "mine", func: "return 1;" });
    const page = await world.open(`/tools/${id}`, { colours: "dark" });
    const description = page.getByLabel("Description").first();
    await description.fill("Mine");
    await page.getByRole("link", { name: "All tools" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await dialog.waitFor();
    await assertAccessible(page, "leaving a tool");
    await dialog.getByRole("button", { name: "Stay" }).click();
    await world.platform.call("PUT", `/tools/${id}`, { description: "Theirs" });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Someone else saved this tool").waitFor();
    assert.equal((await world.platform.call<{ description: string }>("GET", `/tools/${id}`)).description, "Theirs");
    await page.getByRole("button", { name: "Reload" }).click();
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "Theirs");
    await screenshot(page, "tool-dark");
  });

  it("keep a JSON Schema that rows cannot show", async () => {
    const schema = JSON.stringify({ type: "object", properties: { a: { type: "string", minLength: 2 } } });
    const { id } = await createTool({ name: "strict", schema, func: "return $a;" });
    const page = await world.open(`/tools/${id}`, { width: 768 });
    await page.getByText("Edit this as JSON").waitFor();
    await page.getByLabel("Description").first().fill("Strict");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
    const stored = await world.platform.call<Tool>("GET", `/tools/${id}`);
    assert.deepEqual(JSON.parse(stored.schema), JSON.parse(schema));
    await assertAccessible(page, "a tool in a narrow window");
    await screenshot(page, "tool-768");
  });

  it("duplicate and delete", async () => {
    await createTool({ name: "to_copy" });
    const page = await world.open("/tools");
    await page.getByRole("button", { name: "Actions of to_copy", exact: true }).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByRole("link", { name: "to_copy_copy" }).waitFor();
    await page.getByRole("button", { name: "Actions of to_copy_copy" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("link", { name: "to_copy_copy" }).waitFor({ state: "detached" });
    await assertAccessible(page, "the list of tools");
    await screenshot(page, "tools-light");
  });
});
