import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, flowOf, start, step } from "./testing/canvas-page.ts";
import { lookAt } from "./testing/look-at.ts";
import { admin, type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

describe("the start page", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  /** An agent of a single step, asked once; the answer may be a failure. */
  async function ask(name: string, node: object): Promise<void> {
    const edges = [{ source: "start_0", target: "step_0" }];
    const id = await createAgent(
      world.platform,
      flowOf([start, { id: "step_0", ...at(344, 0), ...node }], edges),
      name,
    );
    await world.platform.call("POST", `/prediction/${id}`, { question: `To ${name}` }).catch(() => undefined);
  }

  it("says that nothing ran, then counts runs and failures, and leads to what failed and what waits", async () => {
    const empty = await world.open("/");
    await empty.getByText("No failed runs in this period.").waitFor();
    await assertAccessibleInBoth(empty, "home empty");
    await empty.close();

    await ask("Greeter", step("step_0", { config: { message: "Hello" } }));
    await ask("Broken", { type: "llm", label: "LLM", config: { model: { provider: "openai", model: "gpt-4o" } } });
    await ask("Asker", { type: "human-input", label: "Ask", config: { question: "Go on?" } });
    const page = await world.open("/");
    await page.getByRole("img", { name: "3 runs, 1 failed" }).waitFor();
    await page.getByRole("table", { name: "Busiest agents" }).getByRole("link", { name: "Greeter" }).waitFor();
    await assertAccessibleInBoth(page, "home");
    await lookAt(page, "home");
    for (const width of [1_440, 1_024, 768, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await retry(async () => {
        const tops = await page
          .locator("dl > div")
          .evaluateAll((tiles) => tiles.map((tile) => tile.getBoundingClientRect().top));
        const rows = Map.groupBy(tops, (top) => top);
        assert.equal(new Set([...rows.values()].map(({ length }) => length)).size, 1, `${width}: rows are whole`);
      });
    }
    await page.getByText("7 d", { exact: true }).click();
    const bars = page.locator("svg[role=img] g");
    await bars.nth(27).waitFor({ state: "attached" });
    assert.equal(await bars.count(), 28);
    await page.getByRole("img", { name: "3 runs, 1 failed" }).waitFor();
    await page.getByRole("link", { name: "Open inbox" }).click();
    await page.getByRole("heading", { name: "Inbox", level: 1 }).waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "To Broken" }).click();
    await page.getByRole("heading", { name: "To Broken", level: 1 }).waitFor();
    await page.close();
  });

  it("loads the code of other pages while nothing is done, and none for who saves data", async () => {
    const ofExecutions = /\/executions-page-[\w-]+\.js$/;
    const saving = await world.open("/variables");
    const page = await world.openVisitor("/variables");
    const ahead = page.waitForRequest(ofExecutions);
    await page.getByLabel("E-mail").fill(admin.email);
    await page.getByLabel("Password", { exact: true }).fill(admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await ahead;
    const loaded = await saving.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    assert.deepEqual(
      loaded.filter((name) => ofExecutions.test(name)),
      [],
    );
    await Promise.all([page.close(), saving.close()]);
  });
});
