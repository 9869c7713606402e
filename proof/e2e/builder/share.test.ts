import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { button, flowOf, start, step } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

const saying = (message: string) =>
  flowOf([start, step("reply", { config: { message } })], [{ source: "start_0", target: "reply" }]);
const flow = saying("Good day");

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

  it("lets visitors in on a server that keeps them out, and out again in the settings", async () => {
    const closed = await startBuilder();
    try {
      const id = await createAgent(closed.platform, flow);
      const page = await closed.open(`/agents/${id}`);
      await button(page, "Share").click();
      await button(page, "Make public").click();
      await page.getByText("Visitors are still blocked").waitFor();
      await tryTab(page, "Website", /Visitors cannot open it/);
      await button(page, "Let visitors in").click();
      await page.getByText("This agent is public").waitFor();
      await tryTab(page, "Link", /The page opens for visitors\./);
      await page.goto(`${closed.platform.url}/settings`);
      await page.getByRole("switch", { name: "Let visitors use public agents" }).click();
      await page.getByText("Visitors are kept out again.").waitFor();
      assert.equal((await fetch(`${closed.platform.url}/api/v1/public-chatbotConfig/${id}`)).status, 401);
      await page.close();
    } finally {
      await closed.close();
    }
  });

  it("says which version visitors get while a draft is newer, and publishes the draft", async () => {
    const id = await createAgent(world.platform, flow);
    await world.platform.call("PUT", `/chatflows/${id}`, { isPublic: true });
    await world.platform.call("PUT", `/chatflows/${id}/draft`, { flowData: saying("Good night") });
    const answer = async () => {
      const { text } = await world.platform.call<{ text: string }>("POST", `/prediction/${id}`, { question: "Hi" });
      return text;
    };
    const page = await world.open(`/agents/${id}`);
    await button(page, "Share").click();
    const notice = page.getByRole("status").filter({ hasText: "Your draft is newer." });
    await notice.getByText(/Visitors get the version published on .*20\d\d/).waitFor();
    await assertAccessibleInBoth(page, "the share dialog with a newer draft");
    assert.equal(await answer(), "Good day");
    await notice.getByRole("button", { name: "Publish" }).click();
    await page.getByText("Published. Visitors now get your latest changes.").waitFor();
    assert.equal(await answer(), "Good night");
    await page.close();
  });

  it("says so where the server's environment keeps visitors out, and what they get of a draft", async () => {
    const closed = await startBuilder({ env: { ALLOW_PUBLIC_FLOWS: "false" } });
    try {
      const id = await createAgent(closed.platform, flow);
      await closed.platform.call("PUT", `/chatflows/${id}/draft`, { flowData: saying("Good night") });
      const page = await closed.open(`/agents/${id}`);
      await button(page, "Share").click();
      await page.getByText("Your draft is newer.").waitFor();
      await button(page, "Make public").click();
      await page.getByText("ALLOW_PUBLIC_FLOWS=false").waitFor();
      assert.equal(await button(page, "Let visitors in").count(), 0);
      await page.goto(`${closed.platform.url}/settings`);
      await page.getByText("ALLOW_PUBLIC_FLOWS=false decides on this server.").waitFor();
      await page.close();
    } finally {
      await closed.close();
    }
  });
});
