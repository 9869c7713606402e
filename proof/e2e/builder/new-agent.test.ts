import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { button, publish } from "./testing/canvas-page.ts";
import { answerIn, answerText, ask } from "./testing/chat-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";
import { draftFlow, storedFlow } from "./testing/stored-agents.ts";

const editorPath = /\/agents\/[0-9a-f-]{36}(\?step=agent_0)?$/;
const idIn = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";
const cards = (page: Page) => page.getByRole("heading", { level: 3 });

/** Counts what a person clicks, and the fields that get text. */
async function countEffort(page: Page): Promise<() => Promise<{ clicks: number; fields: number }>> {
  await page.evaluate(() => {
    const effort = { clicks: 0, fields: new Set<EventTarget | null>() };
    (globalThis as unknown as { effort: typeof effort }).effort = effort;
    addEventListener("click", () => (effort.clicks += 1), { capture: true });
    addEventListener("input", ({ target }) => effort.fields.add(target), { capture: true });
  });
  return () =>
    page.evaluate(() => {
      const { clicks, fields } = (globalThis as unknown as { effort: { clicks: number; fields: Set<unknown> } }).effort;
      return { clicks, fields: fields.size };
    });
}

describe("a new agent", () => {
  let world: BuilderWorld;
  let address: string;

  before(async () => {
    const port = await freePort();
    address = `http://127.0.0.1:${port}`;
    world = await startBuilder({ env: { EVENT_API: "true", EVENT_API_PORT: String(port) } });
  });
  after(() => world?.close());

  it("that manages events takes at most 14 clicks and 10 fields from New to an answer", async () => {
    const page = await world.open("/agents");
    await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
    const effort = await countEffort(page);
    await page.getByRole("link", { name: "New agent" }).first().click();
    await page.getByRole("searchbox", { name: "Search templates" }).click();
    await page.keyboard.type("event");
    await button(page, "Event assistant").click();
    const dialog = page.getByRole("dialog", { name: "Event assistant" });
    await dialog.getByLabel("Event service").click();
    await page.keyboard.type(address);
    await screenshot(page, "new-event-assistant");
    await button(page, "Create and open").click();
    await page.waitForURL(editorPath);
    await button(page, "Chat").click();
    await ask(page, "List all events");
    await answerIn(page, "finished");
    assert.match((await answerText(page).textContent()) ?? "", /Jazz by the River/);
    const { clicks, fields } = await effort();
    assert.ok(clicks > 3 && clicks <= 14, `${clicks} clicks`);
    assert.ok(fields >= 3 && fields <= 10, `${fields} fields`);
    const { nodes } = await draftFlow(world.platform, idIn(page));
    assert.equal(nodes.find(({ id }) => id === "reach")?.config.url, `${address}/events`);
    await page.close();
  });

  it("that answers from an API with one tool takes at most 8 clicks and 4 fields from New to an answer", async () => {
    const page = await world.open("/agents");
    await page.getByRole("heading", { name: "Agents", level: 1 }).waitFor();
    const effort = await countEffort(page);
    await page.getByRole("link", { name: "New agent" }).first().click();
    await button(page, /^Blank/).click();
    await button(page, "Create and open").click();
    await page.getByRole("textbox", { name: "Instructions" }).click();
    await page.keyboard.type("You answer questions about events.");
    await button(page, "Add tool").click();
    await page.getByRole("option", { name: /^GET request/ }).click();
    await page.getByRole("textbox", { name: "URL" }).click();
    await page.keyboard.type(`${address}/events`);
    const name = page.locator('[data-field="tools.0.config.name"] input');
    while (!(await name.evaluate((input) => input === document.activeElement))) await page.keyboard.press("Tab");
    await page.keyboard.type("get_events");
    await assertAccessibleInBoth(page, "an agent with a tool");
    await button(page, "Chat").click();
    await ask(page, "List all events");
    await answerIn(page, "finished");
    assert.match((await answerText(page).textContent()) ?? "", /Jazz by the River/);
    const { clicks, fields } = await effort();
    assert.ok(clicks > 3 && clicks <= 8, `${clicks} clicks`);
    assert.ok(fields > 2 && fields <= 4, `${fields} fields`);
    const { nodes } = await draftFlow(world.platform, idIn(page));
    assert.deepEqual(nodes.find(({ id }) => id === "agent_0")?.config, {
      citations: true,
      messages: [{ role: "system", content: "You answer questions about events." }],
      tools: [{ type: "request-get", config: { url: `${address}/events`, parameters: {}, name: "get_events" } }],
    });
    await page.close();
  });

  it("of a template has the model that was picked in every step, and tells in the editor what is missing", async () => {
    const page = await world.open("/new");
    await page.getByText("Research", { exact: true }).click();
    await page.getByRole("status").filter({ hasText: "5 templates" }).waitFor();
    await button(page, "Brief from the web").click();
    const dialog = page.getByRole("dialog", { name: "Brief from the web" });
    await dialog.getByLabel("Name").fill("My briefs");
    await button(page, "Change model").click();
    await dialog.getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "Anthropic" }).click();
    await assertAccessibleInBoth(page, "new from a template");
    await button(page, "Create and open").click();
    await page.waitForURL(editorPath);
    await page.getByRole("button", { name: /^[1-9]\d* findings?$/ }).waitFor();
    const { nodes } = await draftFlow(world.platform, idIn(page));
    const models = nodes.flatMap(({ type, config }) => (type === "llm" || type === "agent" ? [config.model] : []));
    assert.deepEqual(models, Array(3).fill({ provider: "anthropic" }));
    await page.close();
  });

  it("is a draft, wherever it is named, until somebody publishes it, and so is its copy", async () => {
    const page = await world.open("/new?blank=true");
    await page.getByRole("dialog").getByLabel("Name").fill("Careful");
    await button(page, "Create and open").click();
    await page.waitForURL(editorPath);
    const id = idIn(page);
    const state = (text: RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor();
    await state(/^Draft saved$/);
    assert.deepEqual((await storedFlow(world.platform, id)).nodes, [], "the API serves nothing yet");
    assert.equal((await draftFlow(world.platform, id)).nodes.length, 2);
    await button(page, "Chat").click();
    await ask(page, "Hello");
    await answerIn(page, "finished");

    const card = (name: string) =>
      page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
    const badge = (name: string) => card(name).getByText("Draft", { exact: true });
    await page.getByRole("link", { name: "All agents" }).click();
    await badge("Careful").waitFor();
    await card("Careful").getByText("2 steps").waitFor();
    await assertAccessibleInBoth(page, "a draft among the agents");
    await button(page, "Actions of Careful").click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await badge("Careful (copy)").waitFor();
    await card("Careful (copy)").getByText("2 steps").waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("option", { name: "Careful Draft", exact: true }).click();
    await page.waitForURL(editorPath);
    await publish(page);
    assert.equal((await storedFlow(world.platform, id)).nodes.length, 2);
    await page.getByRole("link", { name: "All agents" }).click();
    await badge("Careful").waitFor({ state: "detached" });
    await badge("Careful (copy)").waitFor();
    await page.close();
  });

  it("says that it could not be made, and keeps what was typed", async () => {
    const page = await world.open("/new");
    await page.route("**/api/v1/templates/refund-approval", (route) => route.abort());
    await button(page, "Refunds with approval").click();
    const dialog = page.getByRole("dialog", { name: "Refunds with approval" });
    await dialog.getByLabel("Order system").fill("https://orders.example.com");
    await button(page, "Create and open").click();
    await dialog.getByRole("alert").waitFor();
    assert.equal(await dialog.getByLabel("Order system").inputValue(), "https://orders.example.com");
    await page.unroute("**/api/v1/templates/refund-approval");
    await button(page, "Create and open").click();
    await page.waitForURL(editorPath);
    await page.close();
  });

  it("comes from pasted text, without an agent before it", async () => {
    const page = await world.open("/new");
    await page.getByRole("link", { name: /^Import/ }).click();
    await page
      .getByLabel("Or paste the text of one file")
      .fill(await readFile("flows/event-assistant-requests.flow.json", "utf8"));
    await page.locator(".react-flow__node").first().waitFor();
    await page.getByLabel("Name").fill("Pasted");
    await button(page, "Import").click();
    await page.waitForURL(editorPath);
    assert.ok((await storedFlow(world.platform, idIn(page))).nodes.length > 1);
    await page.close();
  });

  it("is made with the keyboard alone", async () => {
    const page = await world.open("/new");
    await cards(page).first().waitFor();
    const tabTo = async (name: RegExp) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press("Tab");
        const label = await page.evaluate(() => {
          const element = document.activeElement;
          return element?.getAttribute("aria-label") ?? element?.textContent ?? "";
        });
        if (name.test(label)) return;
      }
      assert.fail(`Tab leads to nothing like ${name}.`);
    };
    await tabTo(/^Search templates/);
    await page.keyboard.type("warranty");
    await page.getByRole("status").filter({ hasText: "1 template" }).waitFor();
    await tabTo(/^Warranty claim/);
    await page.keyboard.press("Enter");
    // The focus follows a moment after the dialog.
    await page.getByRole("dialog", { name: "Warranty claim by chat" }).locator("input:focus").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL(editorPath);
    await page.close();
  });

  it("has a page for everyone: both schemes, a phone, and words that no template has", async () => {
    const page = await world.open("/new");
    await cards(page).nth(23).waitFor();
    await assertAccessibleInBoth(page, "new agent");
    await page.setViewportSize({ width: 390, height: 844 });
    const excess = () =>
      page.evaluate(() => {
        const { scrollWidth, clientWidth } = document.querySelector("main") ?? document.documentElement;
        return scrollWidth - clientWidth;
      });
    await retry(async () => assert.equal(await excess(), 0, "as wide as a phone"));
    await screenshot(page, "new-agent-390");
    await page.getByRole("searchbox", { name: "Search templates" }).fill("zebra");
    await page.getByText("No results for “zebra”.").waitFor();
    assert.equal(await cards(page).count(), 0);
    await page.close();
  });
});
