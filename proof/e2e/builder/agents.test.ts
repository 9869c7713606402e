import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { at, flowOf, start, step } from "./testing/canvas-page.ts";
import { lookAt, settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

const statsPath = "**/api/v1/stats/agents";
const cardOf = (page: Page, name: string) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .filter({ has: page.getByRole("link", { name, exact: true }) });

describe("the agents", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
    await create("Broken", { type: "llm", label: "LLM", config: { model: { provider: "openai", model: "gpt-4o" } } });
    const idle = await create("Idle", { type: "agent", label: "Agent", config: {} });
    await world.platform.call("PUT", `/chatflows/${idle}`, { isPublic: true, category: "Sales" });
    const greeter = await create("Greeter", step("step_0", { config: { message: "Hello" } }));
    await world.platform.call("POST", `/prediction/${greeter}`, { question: "One" });
    await world.platform.call("POST", `/prediction/${greeter}`, { question: "Two" });
  });
  after(() => world?.close());

  /** An agent of a single step. One that is broken is asked once. */
  async function create(name: string, node: object): Promise<string> {
    const flow = flowOf([start, { id: "step_0", ...at(344, 0), ...node }], [{ source: "start_0", target: "step_0" }]);
    const id = await createAgent(world.platform, flow, name);
    if (name !== "Broken") return id;
    await world.platform.call("POST", `/prediction/${id}`, { question: "To Broken" }).catch(() => undefined);
    return id;
  }

  it("show model, runs of the week, last run and whether they are public, on cards", async () => {
    const page = await world.open("/agents", { width: 1_440 });
    const broken = cardOf(page, "Broken");
    await broken.getByRole("img", { name: "1 run in 7 days, 1 failed" }).waitFor();
    await broken.getByText("gpt-4o", { exact: true }).waitFor();
    await cardOf(page, "Greeter").getByRole("img", { name: "2 runs in 7 days", exact: true }).waitFor();
    await cardOf(page, "Greeter")
      .getByRole("link", { name: /^Last run of Greeter: Finished / })
      .waitFor();
    const idle = cardOf(page, "Idle");
    await idle.getByText("No runs yet").waitFor();
    await idle.getByText("Public", { exact: true }).waitFor();
    await idle.getByText("Rehearsal model (default)").waitFor();
    assert.equal(await idle.getByRole("img").count(), 0);
    assert.equal(await cardOf(page, "Greeter").getByText("(default)").count(), 0, "asks no model");
    await lookAt(page, "agents-cards");
    await broken.getByRole("link", { name: /^Last run of Broken: Failed / }).click();
    await page.getByRole("heading", { name: "To Broken", level: 1 }).waitFor();
    await page.close();
  });

  it("are sorted with the keyboard, and stay a list where they were made one", async () => {
    const page = await world.open("/agents", { width: 1_440 });
    await cardOf(page, "Greeter").getByRole("img").waitFor();
    const sort = page.getByRole("combobox", { name: "Sort by" });
    const sorted = (names: string[], label: string) =>
      retry(async () => assert.deepEqual(await namesOn(page), names, label));
    await sorted(["Greeter", "Idle", "Broken"], "by change");
    await sort.focus();
    await page.keyboard.press("ArrowDown");
    await sorted(["Broken", "Greeter", "Idle"], "by name");
    await page.keyboard.press("ArrowDown");
    await sorted(["Greeter", "Broken", "Idle"], "by last run");
    await page.keyboard.press("ArrowDown");
    await sorted(["Greeter", "Broken", "Idle"], "by runs");
    await page.keyboard.press("Tab");
    await page.keyboard.press("ArrowRight");
    await page.getByRole("table", { name: "Agents" }).waitFor();
    await page.reload();
    const row = page.getByRole("row").filter({ hasText: "Broken" });
    await row.getByRole("img", { name: "1 run in 7 days, 1 failed" }).waitFor();
    await row.getByText("gpt-4o", { exact: true }).waitFor();
    await page.getByRole("row").filter({ hasText: "Idle" }).getByText("Public", { exact: true }).waitFor();
    await lookAt(page, "agents-list");
    await row.getByRole("button", { name: "Actions of Broken" }).click();
    await page.getByRole("menuitem", { name: "Name and tags" }).waitFor();
    await page.close();
  });

  it("stay where they are while the runs load, and can be used without them", async () => {
    const page = await world.open("/variables", { width: 1_440 });
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route(statsPath, async (route) => {
      await held;
      await route.continue();
    });
    const places = () =>
      page
        .getByRole("main")
        .getByRole("listitem")
        .evaluateAll((cards) => cards.map((card) => JSON.stringify(card.getBoundingClientRect())));
    await page.getByRole("link", { name: "Agents", exact: true }).click();
    await cardOf(page, "Broken").getByText("gpt-4o", { exact: true }).waitFor();
    // The notice above the cards comes with the default model.
    await cardOf(page, "Idle").getByText("Rehearsal model (default)").waitFor();
    const before = await places();
    assert.equal(before.length, 3);
    answer();
    await cardOf(page, "Broken").getByRole("img").waitFor();
    assert.deepEqual(await places(), before);

    await page.unroute(statsPath);
    await page.route(statsPath, (route) => route.abort());
    await page.reload();
    await page.getByRole("status").filter({ hasText: "The runs could not be loaded." }).waitFor();
    await settled(page);
    await cardOf(page, "Idle").getByRole("link", { name: "Idle", exact: true }).click();
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}/);
    await page.close();
  });
});

const namesOn = (page: Page) =>
  page
    .getByRole("main")
    .getByRole("listitem")
    .evaluateAll((cards) => cards.map((card) => card.querySelector("a")?.textContent));
