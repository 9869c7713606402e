import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "../builder/testing/assert-accessible.ts";
import { screenshot } from "../builder/testing/screenshot.ts";
import { ask, startWidget, type WidgetWorld } from "./testing/start-widget.ts";

const table = `| Plant | Country of origin | Water | Light |
|---|---|---|---|
| Royal fern (Osmunda regalis) | Germany, Luxembourg | twice a week | half shade |`;
const code = 'const plants = find({ light: "shade" });\nprint(plants);';
const sizes = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } };

describe("how the hosted page of a chat looks", () => {
  let world: WidgetWorld;

  before(async () => {
    world = await startWidget();
  });
  after(() => world?.close());

  const openChat = (agent: string, options: Parameters<WidgetWorld["open"]>[1] = {}) =>
    world.open(`${world.platform.url}/chat/${agent}`, options);

  /** Answers the next message with these frames. */
  async function answerWith(page: Page, frames: [event: string, data: unknown][]): Promise<void> {
    const body = frames.map(([event, data], at) => `id:r:${at + 1}\ndata:${JSON.stringify({ event, data })}\n\n`);
    await page.route("**/prediction/**", (route) =>
      route.fulfill({ headers: { "content-type": "text/event-stream" }, body: body.join("") }),
    );
  }

  it("shows who one talks to, and what one may ask, in the middle of an empty page", async () => {
    const agent = await world.createAgent({
      chatbotConfig: {
        title: "Garden help",
        welcomeMessage: "What would you like to grow?",
        appearance: { description: "Answers from our handbook.", avatarEmoji: "🌱" },
        starterPrompts: { "0": { prompt: "What grows in shade?" }, "1": { prompt: "Plan a balcony" } },
      },
    });
    for (const [name, viewport] of Object.entries(sizes)) {
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await openChat(agent, { viewport, colorScheme });
        await page.getByText("What would you like to grow?").waitFor();
        await page.getByText("Answers from our handbook.").waitFor();
        assert.equal(await page.getByRole("heading", { name: "Garden help" }).count(), 1);
        assert.deepEqual(await page.locator(".avatar").allTextContents(), ["🌱", "🌱"]);
        const chip = await page.getByRole("button", { name: "Plan a balcony" }).boundingBox();
        const box = await page.locator(".composer .box").boundingBox();
        assert.ok(chip && box && box.width <= 784 && box.x >= 0 && box.x + box.width <= viewport.width);
        assert.ok(box.y - (chip.y + chip.height) < 60, "what to write into stands below the suggestions");
        await assertAccessible(page, `an empty chat, ${name}, ${colorScheme}`);
        await screenshot(page, `hosted-empty-${name}-${colorScheme}`);
        await page.close();
      }
    }
  });

  it("has the agent's name and letter, and a greeting, where nothing was set", async () => {
    const page = await openChat(await world.createAgent());
    await page.getByRole("heading", { name: "Helper" }).waitFor();
    await page.getByText("How can I help?").waitFor();
    assert.deepEqual(await page.locator(".avatar").allTextContents(), ["H", "H"]);
    await page.close();
  });

  it("has readable text on the owner's colour, whatever its notation, in both schemes", async () => {
    const texts = { navy: "rgb(255, 255, 255)", "hsl(60 100% 50%)": "rgb(0, 0, 0)", "#0f766e": "rgb(255, 255, 255)" };
    for (const [backgroundColor, text] of Object.entries(texts)) {
      const agent = await world.createAgent({
        chatbotConfig: { userMessage: { backgroundColor }, textInput: { sendButtonColor: backgroundColor } },
      });
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await openChat(agent, { colorScheme });
        await page.getByLabel("Message", { exact: true }).fill("Hello");
        const send = page.getByRole("button", { name: "Send" });
        assert.equal(
          await send.evaluate((one) => getComputedStyle(one).color),
          text,
          `${backgroundColor}, ${colorScheme}`,
        );
        await page.close();
      }
    }
  });

  it("speaks the visitor's language", async () => {
    const agent = await world.createAgent();
    const spoken = {
      "de-AT": ["de", "Wie kann ich helfen?", "Nachricht eingeben", "Erneut versuchen"],
      "fr-FR": ["fr", "Comment puis-je vous aider ?", "Écrivez un message", "Réessayer"],
      "es-MX": ["es", "¿En qué puedo ayudarte?", "Escribe un mensaje", "Reintentar"],
      "ja-JP": ["en", "How can I help?", "Type a message", "Try again"],
    };
    for (const [locale, [language, greeting = "", placeholder = "", again = ""]] of Object.entries(spoken)) {
      const page = await openChat(agent, { viewport: sizes.phone, locale });
      await page.getByText(greeting).waitFor();
      assert.equal(await page.evaluate(() => document.documentElement.lang), language);
      assert.equal(await page.locator("flowise-fullchatbot").getAttribute("lang"), language);
      await answerWith(page, [
        ["start", ""],
        ["error", ""],
        ["end", "[DONE]"],
      ]);
      await page.getByPlaceholder(placeholder).fill("Hello");
      await page.getByPlaceholder(placeholder).press("Enter");
      await page.getByRole("button", { name: again }).waitFor();
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
      await screenshot(page, `hosted-${locale}`);
      await page.close();
    }
  });

  it("keeps the scheme that the owner chose", async () => {
    const agent = await world.createAgent({ chatbotConfig: { appearance: { colorScheme: "dark" } } });
    const page = await openChat(agent, { colorScheme: "light" });
    await page.getByLabel("Message", { exact: true }).waitFor();
    const ground = await page.locator(".frame").evaluate((frame) => getComputedStyle(frame).backgroundColor);
    assert.equal(ground, "rgb(19, 21, 25)");
    await page.close();
  });

  it("scrolls tables and breaks none of their words, and copies code and answers", async () => {
    const agent = await world.createAgent();
    const page = await openChat(agent, { viewport: sizes.phone });
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await ask(page, "Show me");
    await world.say(`${table}\n\n\`\`\`ts\n${code}\n\`\`\``);
    await page.getByRole("button", { name: "Copy the answer" }).waitFor();
    const cell = page.getByRole("cell", { name: "Germany, Luxembourg" });
    const lines = await cell.evaluate((one) => one.getBoundingClientRect().height);
    assert.ok(lines < 45, `one line, and not ${lines} px`);
    const excess = await page.locator(".table").evaluate((one) => one.scrollWidth - one.clientWidth);
    assert.ok(excess > 0, "it scrolls");
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);
    await page.getByRole("button", { name: "Copy", exact: true }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
    await page.getByRole("button", { name: "Copy the answer" }).click();
    await page.waitForFunction(async () => (await navigator.clipboard.readText()).includes("Luxembourg"));
    await page.close();
  });

  it("names the tools of an answer where the owner chose so, and nothing of what went into them", async () => {
    const used = { tool: "search_handbook", toolInput: { query: "input-secret" }, toolOutput: "output-secret" };
    const frames: [string, unknown][] = [
      ["start", ""],
      ["calledTools", [used]],
      ["usedTools", [used]],
      ["token", "Ferns."],
      ["metadata", {}],
      ["end", "[DONE]"],
    ];
    for (const showAgentMessages of [true, undefined]) {
      const page = await openChat(await world.createAgent({ chatbotConfig: { showAgentMessages } }));
      await answerWith(page, frames);
      await ask(page, "What grows in shade?");
      await page.getByText("Ferns.").waitFor();
      assert.equal(await page.getByText("Used 1 tool").count(), showAgentMessages ? 1 : 0);
      if (showAgentMessages) {
        await page.getByText("Used 1 tool").click();
        await page.getByText("Search handbook").waitFor();
      }
      assert.doesNotMatch(await page.locator(".frame").innerHTML(), /-secret/);
      await page.close();
    }
  });

  it("says in plain words that an answer failed, and tries again", async () => {
    const page = await openChat(await world.createAgent());
    await answerWith(page, [
      ["start", ""],
      ["error", ""],
      ["end", "[DONE]"],
    ]);
    await ask(page, "Hello");
    await page.getByRole("alert").filter({ hasText: "Something went wrong. Try again." }).waitFor();
    await assertAccessible(page, "a failed answer");
    await page.unroute("**/prediction/**");
    await page.getByRole("button", { name: "Try again" }).click();
    await world.say("Good day.");
    await page.getByText("Good day.").waitFor();
    await page.close();
  });
});
