import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { button, flowOf, start, step } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

const flow = flowOf(
  [start, step("reply", { config: { message: "Good day" } })],
  [{ source: "start_0", target: "reply" }],
);

async function tryTab(page: Page, name: string, outcome: RegExp): Promise<void> {
  await page.getByRole("tab", { name, exact: true }).click();
  await button(page, "Try it").click();
  await page.getByRole("tabpanel").getByText(outcome).waitFor();
}

describe("sharing an agent from its canvas", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder({ env: { ALLOW_PUBLIC_FLOWS: "true" } });
  });
  after(() => world?.close());

  it("makes it public, and tries every way to use it", async () => {
    const id = await createAgent(world.platform, flow, "Reception");
    const page = await world.open(`/agents/${id}`);
    await button(page, "Share").click();
    await tryTab(page, "Link", /Visitors cannot open it\. .* 404/);
    await button(page, "Make public").click();
    await page.getByText("This agent is public").waitFor();
    assert.equal((await world.platform.call<{ isPublic: boolean }>("GET", `/chatflows/${id}`)).isPublic, true);
    await tryTab(page, "Link", /The page opens for visitors\./);
    await page.getByRole("img", { name: "QR code of the chat page" }).waitFor();
    await assertAccessibleInBoth(page, "the share dialog");
    await screenshot(page, "share-dialog");
    await tryTab(page, "Website", /The chat opens for visitors\./);
    await tryTab(page, "API", /The agent answered: Good day/);
    await tryTab(page, "OpenAI", /The agent answered: Good day/);
    await tryTab(page, "MCP", /Tools: \S+/);
    await page.close();
  });

  it("says what the operator must set where no agent can be public", async () => {
    const closed = await startBuilder();
    try {
      const page = await closed.open(`/agents/${await createAgent(closed.platform, flow)}`);
      await button(page, "Share").click();
      await button(page, "Make public").click();
      await page.getByText("ALLOW_PUBLIC_FLOWS=true").waitFor();
      await tryTab(page, "Website", /Visitors cannot open it/);
      await page.close();
    } finally {
      await closed.close();
    }
  });
});
