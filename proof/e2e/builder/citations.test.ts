import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../testing/open-browser.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { answerIn, ask, openPage } from "./testing/chat-page.ts";
import { screenshot } from "./testing/screenshot.ts";

const address = "https://plants.example/ferns.pdf";
const answer = "Ferns like shade [1]. `a[1]` and [9] are none.";

/** An agent that knows two uploaded files, one that browsers show and one that they would run. */
async function createFilesAgent({ platform, createAgent }: ScriptedPlatform): Promise<string> {
  const { id: storeId } = await platform.call<{ id: string }>("POST", "/document-store/store", { name: "Files" });
  for (const [name, type, text] of [
    ["ferns.md", "text/markdown", "Ferns like shade, moss likes water."],
    ["moss.html", "text/html", "<p>Moss likes water, and shade as ferns do.</p>"],
  ] as const) {
    const file = `data:${type};base64,${Buffer.from(text).toString("base64")},filename:${name}`;
    const loader = { name: "fileLoader", config: { file } };
    await platform.call("POST", `/document-store/upsert/${storeId}`, { loader });
  }
  return createAgent({ type: "agent", config: { knowledge: [{ storeId, name: "plants" }], citations: true } });
}

describe("citations in chats", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;
  let agentId: string;
  let filesAgentId: string;

  before(async () => {
    server = await startScriptedPlatform(
      ({ messages, tools = [] }) => {
        const isAsked = messages.at(-1)?.role === "user" && tools.length > 0;
        return isAsked ? { toolCalls: [{ name: "plants", arguments: { query: "ferns shade" } }] } : { text: answer };
      },
      { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0" },
    );
    const { platform } = server;
    const { id: storeId } = await platform.call<{ id: string }>("POST", "/document-store/store", { name: "Plants" });
    for (const [text, metadata] of [
      ["Ferns like shade and water.", { source: address, title: "Ferns", page: 3 }],
      ["Cacti like the sun.", { title: "Cacti" }],
    ] as const) {
      const loader = { name: "plainText", config: { text } };
      await platform.call("POST", `/document-store/upsert/${storeId}`, { loader, metadata });
    }
    const config = { knowledge: [{ storeId, name: "plants" }], citations: true };
    const more = { isPublic: true } as object;
    agentId = await server.createAgent({ type: "agent", config, ...more });
    filesAgentId = await createFilesAgent(server);
    browser = await openBrowser();
    context = await signIn(browser, platform);
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  async function assertNoExcess(page: Page): Promise<void> {
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(excess <= 0, `${excess} px are wider than the page`);
  }

  it("open their passage in the chat of the builder, in stored chats, too", async () => {
    const page = await openPage(context, `/agents/${agentId}/chat`);
    await ask(page, "What do ferns like?");
    // Until the answer is whole, a part of its code may look like a citation.
    await answerIn(page, "finished");
    const chip = page.getByRole("button", { name: "Source 1: Ferns" });
    for (const isStored of [false, true]) {
      if (isStored) await page.reload();
      await page.getByText("and [9] are none.").waitFor();
      await chip.waitFor();
      assert.equal(await chip.count(), 1);
      await chip.focus();
      await page.keyboard.press("Enter");
      const passage = page.getByRole("dialog", { name: "Source 1: Ferns" });
      await passage.locator("mark").getByText("Ferns like shade and water.").waitFor();
      await passage.getByText("Page 3").waitFor();
      const link = passage.getByRole("link", { name: "Open the document" });
      assert.equal(await link.getAttribute("href"), `${address}#page=3`);
      await screenshot(page, `citation-${isStored}`);
      await assertAccessible(page, "a citation");
      await page.keyboard.press("Escape");
      await passage.waitFor({ state: "hidden" });
    }
    await page.getByText("2 sources").click();
    await page.getByText("Not cited").waitFor();
    assert.equal(await page.getByText("Not cited").count(), 1);
    await screenshot(page, "citation-sources");
    await page.close();
  });

  it("open an uploaded document, in a tab or as a download", async () => {
    const page = await openPage(context, `/agents/${filesAgentId}/chat`);
    await ask(page, "What do ferns like?");
    await answerIn(page, "finished");
    await page.getByRole("button", { name: "Source 1: ferns.md" }).click();
    const [tab] = await Promise.all([
      context.waitForEvent("page"),
      page.getByRole("button", { name: "Open the document" }).click(),
    ]);
    await tab.getByText("Ferns like shade, moss likes water.").waitFor();
    assert.match(tab.url(), /^blob:/);
    await tab.close();
    await page.keyboard.press("Escape");
    await page.getByText("2 sources").click();
    const html = page.getByRole("listitem").filter({ hasText: "moss.html" });
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      html.getByRole("button", { name: "Open the document" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "moss.html");
    await page.close();
  });

  it("open their passage in the hosted chat, in both schemes and on a phone", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await browser.newPage({
        colorScheme,
        reducedMotion: "reduce",
        viewport: { width: 390, height: 844 },
      });
      await page.goto(`${server.platform.url}/chat/${agentId}`);
      await page.getByLabel("Message", { exact: true }).fill("What do ferns like?");
      await page.getByLabel("Message", { exact: true }).press("Enter");
      const chip = page.getByRole("button", { name: "Source 1: Ferns" });
      await chip.waitFor();
      await page.getByText("and [9] are none.").waitFor();
      // Which sources are cited is known once the answer has ended.
      await page.getByText("not cited").waitFor({ state: "attached" });
      assert.equal(await page.locator(".passage:visible").count(), 0);
      await chip.focus();
      await page.keyboard.press("Enter");
      await page.locator(".opened .passage").getByText("Ferns like shade and water.").waitFor();
      assert.equal(await page.getByText("not cited").count(), 1);
      const link = page.locator(".opened").getByRole("link", { name: "Open the source" });
      assert.equal(await link.getAttribute("href"), `${address}#page=3`);
      await assertAccessible(page, `a citation, ${colorScheme}`);
      await assertNoExcess(page);
      await screenshot(page, `citation-hosted-${colorScheme}`);
      await page.close();
    }
  });
});
