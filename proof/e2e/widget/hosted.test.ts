import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "../builder/testing/assert-accessible.ts";
import { screenshot } from "../builder/testing/screenshot.ts";
import { startBreakableLine } from "../testing/breakable-line.ts";
import { startEmbeddingSite } from "./testing/embedding-site.ts";
import { answerThatSays, ask, startWidget, type WidgetWorld, wholeAnswerThatSays } from "./testing/start-widget.ts";

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };

describe("the hosted page of a chat", () => {
  let world: WidgetWorld;
  let foreign: WidgetWorld["site"];

  before(async () => {
    world = await startWidget();
    foreign = await startEmbeddingSite(world.platform.url);
  });

  after(async () => {
    await world?.close();
    foreign?.close();
  });

  const addressOf = (agent: string, origin = world.platform.url) => `${origin}/chat/${agent}`;

  it("is used on a phone, in both schemes, and clean for assistive technology", async () => {
    const agent = await world.createAgent({
      chatbotConfig: {
        title: "Garden help",
        welcomeMessage: "Ask about plants.",
        starterPrompts: { "0": { prompt: "What grows in shade?" } },
        chatFeedback: { status: true },
      },
    });
    for (const colorScheme of ["light", "dark"] as const) {
      const page = await world.open(addressOf(agent), { ...phone, colorScheme });
      assert.equal(await page.title(), "Garden help");
      await page.getByRole("button", { name: "What grows in shade?" }).waitFor();
      await assertAccessible(page, `an empty chat, ${colorScheme}`);
      await page.getByRole("button", { name: "What grows in shade?" }).click();
      await world.say(
        "## Shade\n\n- **Ferns**\n- Hostas\n\n| plant | water |\n|---|---|\n| fern | much |\n\n`code` and\n\n```\na long line of code that is wider than any phone could ever show at once\n```",
      );
      await page.locator(".answer[aria-busy=false]").last().waitFor();
      await page.getByRole("button", { name: "Good answer" }).click();
      await page.getByText("Thank you for your feedback.").waitFor();
      await assertAccessible(page, `an answer, ${colorScheme}`);
      const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(excess <= 0, `${excess} px are wider than the phone`);
      await screenshot(page, `hosted-chat-${colorScheme}`);
      await page.close();
    }
  });

  it("goes on with an answer after a reload in the middle of it, and keeps what was typed", async () => {
    const page = await world.open(addressOf(await world.createAgent()));
    await ask(page, "Count");
    const answer = await world.model.next();
    answer.say("One, two");
    await answerThatSays(page, "One, two");
    await page.getByLabel("Message", { exact: true }).fill("and then");
    await page.reload();
    await answerThatSays(page, "One, two");
    answer.say(", three");
    answer.finish();
    await page.locator(".answer[aria-busy=false]").waitFor();
    assert.equal(await page.locator(".answer .body").first().textContent(), "One, two, three");
    assert.equal(await page.getByRole("group", { name: "Answer" }).count(), 1);
    assert.equal(await page.getByLabel("Message", { exact: true }).inputValue(), "and then");
    await page.close();
  });

  it("says that it reconnects, and writes on where the line was cut", async () => {
    const line = await startBreakableLine(world.platform.port);
    try {
      const page = await world.open(addressOf(await world.createAgent(), line.url));
      await ask(page, "Count");
      const answer = await world.model.next();
      answer.say("One, two");
      await answerThatSays(page, "One, two");
      await page.route("**/events", (route) => route.abort());
      line.cut();
      await page.getByText("Reconnecting…").waitFor();
      await page.unroute("**/events");
      answer.say(", three");
      answer.finish();
      await page.locator(".answer[aria-busy=false]").waitFor();
      assert.equal(await page.locator(".answer .body").first().textContent(), "One, two, three");
      assert.equal(await page.getByText("Reconnecting…").count(), 0);
      await page.close();
    } finally {
      line.close();
    }
  });

  it("sends what was written offline once the browser is back", async () => {
    const agent = await world.createAgent();
    const page = await world.open(addressOf(agent));
    await page.getByLabel("Message", { exact: true }).waitFor();
    await page.context().setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await ask(page, "Are you there?");
    await page.getByText("Are you there?").waitFor();
    await page.context().setOffline(false);
    await world.say("Here.");
    await wholeAnswerThatSays(page, "Here.");
    assert.equal(await page.getByText("You are offline.").count(), 0);
    const messages = await world.platform.call<object[]>("GET", `/chatmessage/${agent}`);
    assert.equal(messages.length, 2);
    await page.close();
  });

  it("stops an answer, and begins a new chat", async () => {
    const page = await world.open(addressOf(await world.createAgent()));
    await ask(page, "Talk");
    const answer = await world.model.next();
    answer.say("Well");
    await answerThatSays(page, "Well");
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped.").waitFor();
    await page.getByRole("button", { name: "New chat" }).click();
    await page.getByRole("group", { name: "Answer" }).waitFor({ state: "hidden" });
    await ask(page, "Again");
    await world.say("Fresh.");
    await answerThatSays(page, "Fresh.");
    await page.reload();
    await answerThatSays(page, "Fresh.");
    await page.close();
  });

  it("is used by keyboard alone", async () => {
    const page = await world.open(
      addressOf(await world.createAgent({ chatbotConfig: { chatFeedback: { status: true } } })),
    );
    await page.getByLabel("Message", { exact: true }).focus();
    await page.keyboard.type("Hello");
    await page.keyboard.press("Enter");
    await world.say("Hi.");
    await page.getByRole("button", { name: "Good answer" }).waitFor();
    const names: string[] = [];
    for (let step = 0; step < 8; step += 1) {
      await page.keyboard.press("Shift+Tab");
      names.push(
        await page.evaluate(() => {
          const inner = document.activeElement?.shadowRoot?.activeElement;
          return inner?.getAttribute("aria-label") ?? inner?.tagName ?? "";
        }),
      );
    }
    for (const name of ["Bad answer", "Good answer", "Conversation", "New chat"]) assert.ok(names.includes(name), name);
    await page.close();
  });

  it("tells visitors of a private agent and of none the same", async () => {
    const texts = [];
    for (const id of [await world.createAgent({ isPublic: false }), "3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f"]) {
      const page = await world.open(addressOf(id));
      await page.getByRole("heading", { name: "Chat not available" }).waitFor();
      await assertAccessible(page, "an unavailable chat");
      texts.push(await page.content());
      await page.close();
    }
    assert.equal(texts[0], texts[1]);
  });

  it("may be used where only another site is allowed, and is framed by that one alone", async () => {
    const agent = await world.createAgent({ chatbotConfig: { allowedOrigins: [world.site.origin] } });
    const page = await world.open(addressOf(agent));
    await ask(page, "Hello");
    await world.say("Hi.");
    await answerThatSays(page, "Hi.");
    await page.close();
    const framing = await world.open(framingOf(world.site, agent));
    const frame = framing.frameLocator("iframe");
    await frame.getByLabel("Message", { exact: true }).fill("Framed?");
    await frame.getByRole("button", { name: "Send" }).click();
    await world.say("Yes.");
    await frame.getByRole("group", { name: "Answer" }).filter({ hasText: "Yes." }).waitFor();
    await framing.close();
    await assertRefused(agent);
  });

  it("is framed by every site where the settings allow all by name, and by none where they say nothing", async () => {
    const agent = await world.createAgent({ chatbotConfig: { allowedOrigins: ["*"] } });
    const framing = await world.open(framingOf(foreign, agent));
    await framing.frameLocator("iframe").getByLabel("Message", { exact: true }).waitFor();
    await framing.close();
    await assertRefused(await world.createAgent({ chatbotConfig: { allowedOrigins: [] } }));
  });

  /** Address of a page of the site with the chat in a frame. */
  function framingOf(site: typeof world.site, agent: string): string {
    const body = `<iframe src="${addressOf(agent)}" title="Chat" width="400" height="600"></iframe>`;
    return site.add({ script: "", body });
  }

  async function assertRefused(agent: string): Promise<void> {
    const page = await world.open("about:blank");
    const refused = page.waitForEvent("console", (message) => /frame-ancestors/.test(message.text()));
    await page.goto(framingOf(foreign, agent));
    assert.equal((await refused).type(), "error");
    assert.equal(await page.frameLocator("iframe").getByLabel("Message", { exact: true }).count(), 0);
    await page.close();
  }
});
