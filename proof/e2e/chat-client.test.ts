import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { type PlatformProcess, startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { startBreakableLine } from "./testing/breakable-line.ts";
import { openBrowser } from "./testing/open-browser.ts";
import { startPacedModel } from "./testing/paced-model.ts";
import { startPageServer } from "./testing/page-server.ts";

const flowData = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start" },
    { id: "llm_0", type: "llm", label: "LLM" },
  ],
  edges: [{ id: "e", source: "start_0", target: "llm_0" }],
});

/** The real server, a model, and the chat client in pages of two other origins: one that the operator allows. */
describe("a chat client in a browser, in a page of another origin", () => {
  let platform: PlatformProcess;
  let browser: Browser;
  let model: Awaited<ReturnType<typeof startPacedModel>>;
  let site: Awaited<ReturnType<typeof startPageServer>>;
  let partner: Awaited<ReturnType<typeof startPageServer>>;

  before(async () => {
    model = await startPacedModel();
    [site, partner] = [await startPageServer(), await startPageServer()];
    platform = await startPlatformProcess({
      env: {
        OPENAI_BASE_URL: model.url,
        OPENAI_API_KEY: "sk-test",
        DEFAULT_MODEL: "paced",
        ALLOW_PUBLIC_FLOWS: "true",
        CORS_ORIGINS: partner.origin,
      },
    });
    browser = await openBrowser();
  });

  after(async () => {
    await browser?.close();
    await platform?.remove();
    for (const server of [model, site, partner]) server?.close();
  });

  async function createAgent(more: object = {}): Promise<string> {
    const agent = { name: "Agent", flowData, isPublic: true, ...more };
    return (await platform.call<{ id: string }>("POST", "/chatflows", agent)).id;
  }

  async function openChat(agent: string, { origin = site.origin, api = platform.url } = {}): Promise<Page> {
    const page = await browser.newPage();
    page.setDefaultTimeout(90_000);
    await page.goto(`${origin}/?${new URLSearchParams({ api, agent })}`);
    return page;
  }

  async function ask(page: Page, question: string): Promise<void> {
    await page.getByLabel("Message").fill(question);
    await page.getByRole("button", { name: "Send" }).click();
  }

  const answerThatSays = (page: Page, text: string) =>
    page
      .locator(".answer")
      .filter({ hasText: new RegExp(`^${text}$`) })
      .waitFor();
  const statusThatSays = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text }).waitFor();

  it("shows an answer while it is written, and takes feedback and a lead", async () => {
    const agent = await createAgent();
    const page = await openChat(agent);
    await ask(page, "Tell me a story");
    const answer = await model.next();
    answer.say("Once ");
    await answerThatSays(page, "Once ");
    answer.say("upon a time");
    await answerThatSays(page, "Once upon a time");
    assert.equal(await page.locator(".answer[data-state=finished]").count(), 0);
    answer.say(".");
    answer.finish();
    await page.locator(".answer[data-state=finished]").waitFor();

    await page.getByRole("button", { name: "Good answer" }).click();
    await statusThatSays(page, "Thank you for your feedback.");
    await page.getByLabel("Why?").fill("Short and sweet");
    const changed = page.waitForResponse((response) => response.request().method() === "PUT");
    await page.getByRole("button", { name: "Good answer" }).click();
    await changed;
    await page.getByLabel("Name").fill("Ada");
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("button", { name: "Stay in touch" }).click();
    await statusThatSays(page, "We will be in touch.");

    type Row = Record<string, unknown>;
    const messages = await platform.call<Row[]>("GET", `/chatmessage/${agent}`);
    const feedback = await platform.call<Row[]>("GET", `/feedback/${agent}`);
    assert.deepEqual(
      feedback.map(({ messageId, rating, content }) => [messageId, rating, content]),
      [[messages[1]?.id, "THUMBS_UP", "Short and sweet"]],
    );
    const leads = await platform.call<Row[]>("GET", `/leads/${agent}`);
    assert.deepEqual(
      leads.map(({ name, email, chatId }) => [name, email, chatId]),
      [["Ada", "ada@example.com", messages[0]?.chatId]],
    );
  });

  it("takes up a stream that was cut where it was", async () => {
    const line = await startBreakableLine(platform.port);
    try {
      const page = await openChat(await createAgent(), { api: line.url });
      await ask(page, "Count");
      const answer = await model.next();
      answer.say("One, two");
      await answerThatSays(page, "One, two");
      line.cut();
      answer.say(", three");
      await answerThatSays(page, "One, two, three");
      answer.say(", four");
      answer.finish();
      await page.locator(".answer[data-state=finished]").waitFor();
      await answerThatSays(page, "One, two, three, four");
      assert.equal(await page.locator(".answer").getAttribute("data-reconnects"), "1");
    } finally {
      line.close();
    }
  });

  it("shows why a site may not use an agent, where it may read that", async () => {
    const agent = await createAgent({
      chatbotConfig: JSON.stringify({
        allowedOrigins: ["https://shop.example"],
        allowedOriginsError: "This chat is for our shop.",
      }),
    });
    const allowedByOperator = await openChat(agent, { origin: partner.origin });
    await ask(allowedByOperator, "Hi");
    await statusThatSays(allowedByOperator, "This chat is for our shop.");
    const unknown = await openChat(agent);
    await ask(unknown, "Hi");
    await statusThatSays(unknown, "The browser kept the answer from this page");
    assert.deepEqual(await platform.call("GET", `/chatmessage/${agent}`), []);
  });

  it("keeps pages away from agents that are not public", async () => {
    const page = await openChat(await createAgent({ isPublic: false }));
    await ask(page, "Hi");
    await statusThatSays(page, "The browser kept the answer from this page");
  });

  it("shows when to come back after too many messages", async () => {
    const rateLimit = { limitMax: 1, limitDuration: 3_600, limitMsg: "One question an hour, please." };
    const page = await openChat(await createAgent({ apiConfig: JSON.stringify({ rateLimit }) }));
    await ask(page, "One");
    const answer = await model.next();
    answer.say("Yes");
    answer.finish();
    await page.locator(".answer[data-state=finished]").waitFor();
    await ask(page, "Two");
    await statusThatSays(page, "One question an hour, please. (3");
  });
});
