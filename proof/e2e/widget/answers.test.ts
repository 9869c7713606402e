import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "../builder/testing/assert-accessible.ts";
import { answerThatSays, ask, embed, startWidget, type WidgetWorld } from "./testing/start-widget.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

describe("what comes with an answer in the chat", () => {
  let world: WidgetWorld;

  before(async () => {
    world = await startWidget();
  });

  after(async () => {
    await world?.close();
  });

  const call = <T>(method: string, path: string, body?: object) => world.platform.call<T>(method, path, body);
  const addressOf = (agent: string) => `${world.platform.url}/chat/${agent}`;

  /** A document store with one text. */
  async function storeOf(text: string, metadata: object): Promise<string> {
    const { id } = await call<{ id: string }>("POST", "/document-store/store", { name: "Plants" });
    const loader = { name: "plainText", config: { text } };
    await call("POST", `/document-store/upsert/${id}`, { loader, metadata });
    return id;
  }

  async function createSearch(text: string, metadata: object, chatbotConfig = {}): Promise<string> {
    const stores = [{ storeId: await storeOf(text, metadata) }];
    return world.createAgent({ type: "retriever", config: { stores }, chatbotConfig });
  }

  it("has its sources, with their words and the address they are from", async () => {
    const source = "https://plants.example/ferns?a=1&b=2";
    const agent = await createSearch("Ferns like <b>shade</b>.", { source, title: "Ferns", chapter: 2 });
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await world.open(addressOf(agent), { ...phone, colorScheme });
      await ask(page, "What grows in shade?");
      const sources = page.getByText("1 source", { exact: true });
      await sources.waitFor();
      assert.equal(await page.getByRole("link").count(), 0, "closed until they are asked for");
      await sources.focus();
      await page.keyboard.press("Enter");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      const link = page.getByRole("link", { name: "Open the source" });
      assert.deepEqual(
        [await link.getAttribute("href"), await link.getAttribute("rel"), await link.getAttribute("target")],
        [source, "noopener noreferrer nofollow", "_blank"],
      );
      await page.locator(".passage").getByText("Ferns like <b>shade</b>.").waitFor();
      await page.getByRole("definition").filter({ hasText: /^2$/ }).waitFor();
      await assertAccessible(page, `sources, ${colorScheme}`);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(excess <= 0, `${excess} px are wider than the phone`);
      await page.reload();
      await page.getByText("1 source", { exact: true }).waitFor();
      await page.close();
    }
  });

  it("has sources without a link where their address is not one of a page", async () => {
    const agent = await createSearch(
      "Moss.",
      { source: "javascript:window.hacked=1" },
      { sourceDocsTitle: "Read in:" },
    );
    const { platform, site, open } = world;
    const page = await open(site.add({ script: embed(platform.url, { chatflowid: agent }) }));
    await page.getByRole("button", { name: "Open chat" }).click();
    await ask(page, "Moss?");
    await page.getByText("Read in: 1", { exact: true }).click();
    await page.locator(".sources").getByText("javascript:window.hacked=1").first().click();
    await page.locator(".passage").getByText("Moss.", { exact: true }).waitFor();
    assert.equal(await page.locator(".sources a").count(), 0);
    await page.close();
  });

  it("is followed by messages to choose from, once each, and the starters come first", async () => {
    const starterPrompts = { "0": { prompt: "What grows in shade?" } };
    const agent = await world.createAgent({ chatbotConfig: { starterPrompts, followUpPrompts: { status: true } } });
    const suggest = (...questions: string[]) => world.say(JSON.stringify({ questions }));
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await world.open(addressOf(agent), { ...phone, colorScheme });
      const chips = page.getByRole("group", { name: "Suggested messages" }).getByRole("button");
      await chips.filter({ hasText: "What grows in shade?" }).click();
      await world.say("Ferns.");
      await answerThatSays(page, "Ferns.");
      assert.equal(await chips.count(), 0, "none while the answer is under way");
      await suggest("How much water?", "Which soil <b>suits</b> them, and how deep must it be for a fern to live?");
      await chips.nth(1).waitFor();
      assert.deepEqual((await chips.allTextContents())[1]?.includes("<b>suits</b>"), true);
      await assertAccessible(page, `follow-up messages, ${colorScheme}`);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(excess <= 0, `${excess} px are wider than the phone`);
      await page.reload();
      await chips.first().focus();
      await page.keyboard.press("Enter");
      await page.getByRole("group", { name: "You said" }).filter({ hasText: "How much water?" }).waitFor();
      assert.equal(await chips.count(), 0);
      await world.say("Much.");
      await suggest();
      await answerThatSays(page, "Much.");
      await page.locator(".answer[aria-busy=true]").waitFor({ state: "detached" });
      assert.equal(await chips.count(), 0, "a model that suggests nothing");
      await page.close();
    }
  });

  it("has no sources where the agent names none", async () => {
    const page = await world.open(addressOf(await world.createAgent()));
    await ask(page, "Hello");
    await world.say("Hi.");
    await answerThatSays(page, "Hi.");
    await page.locator(".answer[aria-busy=false]").waitFor();
    assert.equal(await page.locator(".sources").count(), 0);
    await page.close();
  });
});
