import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { type PlatformProcess, startPlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";
import { startBreakableLine } from "../testing/breakable-line.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { startPacedModel } from "../testing/paced-model.ts";
import { signIn } from "../testing/sign-in.ts";
import { answerIn, answerText, ask, lastAnswer, openPage, said } from "./testing/chat-page.ts";

type Row = Record<string, unknown>;

describe("the chat of the builder, while an answer is written", () => {
  let platform: PlatformProcess;
  let browser: Browser;
  let model: Awaited<ReturnType<typeof startPacedModel>>;
  let context: BrowserContext;
  let path: string;
  let agentId: string;

  before(async () => {
    model = await startPacedModel();
    const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", DEFAULT_MODEL: "paced" };
    platform = await startPlatformProcess({ env });
    browser = await openBrowser();
    context = await signIn(browser, platform);
    const nodes = [
      { id: "start_0", type: "start" },
      { id: "llm_0", type: "llm", label: "Writer" },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "llm_0" }] });
    agentId = (await platform.call<{ id: string }>("POST", "/chatflows", { name: "Writer", flowData })).id;
    path = `/agents/${agentId}/chat`;
  });

  after(async () => {
    await browser?.close();
    await platform?.remove();
    model?.close();
  });

  it("shows words as they come, and the same words after a reload, which go on", async () => {
    const page = await openPage(context, path);
    await ask(page, "Tell me a story");
    const answer = await model.next();
    await page.getByText("Writer", { exact: true }).last().waitFor();
    answer.say("Once upon ");
    await said(page, "Once upon");
    assert.deepEqual(await page.getByText("Tell me a story").count(), 1);

    await page.reload();
    await said(page, "Once upon");
    await page.getByText("Tell me a story").waitFor();
    answer.say("a *time*");
    await answerText(page).getByText("Once upon a time").waitFor();
    answer.say(".");
    answer.finish();
    await answerIn(page, "finished");
    assert.equal((await answerText(page).textContent())?.trim(), "Once upon a time.");
    assert.equal(await page.getByRole("article", { name: "Agent" }).count(), 1);

    await page.reload();
    await answerText(page).getByText("Once upon a time.").waitFor();
    assert.equal(await page.getByRole("article", { name: "Agent" }).count(), 1);
    const messages = await platform.call<Row[]>("GET", `/internal-chatmessage/${agentId}`);
    assert.deepEqual(
      messages.map(({ role, content }) => [role, content]),
      [
        ["userMessage", "Tell me a story"],
        ["apiMessage", "Once upon a *time*."],
      ],
    );
    await page.close();
  });

  it("stops with Esc, and takes the next message", async () => {
    const page = await openPage(context, path);
    await ask(page, "Count");
    const answer = await model.next();
    answer.say("One, two");
    await said(page, "One, two");
    assert.equal(await page.getByRole("button", { name: "Send message" }).count(), 0);
    await page.keyboard.press("Escape");
    await answerIn(page, "stopped");
    await lastAnswer(page).getByText("Stopped").waitFor();

    await ask(page, "Again");
    const next = await model.next();
    next.say("Three");
    await page.getByRole("button", { name: "Stop generating" }).click();
    await answerIn(page, "stopped");
    await page.close();
  });

  it("survives a connection that breaks", async () => {
    const line = await startBreakableLine(platform.port);
    try {
      const own = await signIn(browser, { url: line.url, token: platform.token });
      const page = await openPage(own, path);
      await ask(page, "Count");
      const answer = await model.next();
      answer.say("One");
      await said(page, "One");
      line.cut();
      answer.say(", two");
      await said(page, "One, two");
      answer.finish();
      await answerIn(page, "finished");
      await own.close();
    } finally {
      line.close();
    }
  });

  it("leaves a reader alone who scrolled up, and leads back to the end", async () => {
    const page = await openPage(context, path);
    await ask(page, "A long one");
    const answer = await model.next();
    const lines = (from: number) => Array.from({ length: 60 }, (_, index) => `Line ${from + index}`).join("\n\n");
    answer.say(lines(1));
    const log = page.getByRole("log");
    await log.getByText("Line 60", { exact: true }).waitFor();
    const distance = () => log.evaluate((it) => Math.round(it.scrollHeight - it.scrollTop - it.clientHeight));
    await page.waitForFunction(() => {
      const it = document.querySelector("[role=log]");
      return it !== null && it.scrollHeight - it.scrollTop - it.clientHeight < 2;
    });
    await log.evaluate((it) => it.scrollTo({ top: 100 }));
    await page.getByRole("button", { name: "Latest" }).waitFor();
    answer.say(`\n\n${lines(61)}`);
    await log.getByText("Line 120", { exact: true }).waitFor();
    assert.equal(await log.evaluate((it) => it.scrollTop), 100);
    await page.getByRole("button", { name: "Latest" }).click();
    assert.ok((await distance()) < 2);
    answer.finish();
    await answerIn(page, "finished");
    await page.close();
  });
});
