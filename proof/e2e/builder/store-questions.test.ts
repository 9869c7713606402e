import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../testing/open-browser.ts";
import { readDownload } from "../testing/read-download.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { ask, openPage } from "./testing/chat-page.ts";
import { assertFitsPhone } from "./testing/look-at.ts";
import { screenshot } from "./testing/screenshot.ts";

type Question = { question: string; relevant: string[]; words: string[] };

const texts = [
  ["refunds.md", "Refunds take five days, counted from when the parcel is back with us."],
  ["shipping.md", "Parcels leave on Mondays and travel by train."],
] as const;

describe("the question set of a document store", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;
  let storeId: string;
  let agentId: string;
  /** Of the last text. */
  let loaderId: string;

  before(async () => {
    server = await startScriptedPlatform(({ messages, tools = [] }) => {
      const isAsked = messages.at(-1)?.role === "user" && tools.length > 0;
      return isAsked
        ? { toolCalls: [{ name: "help", arguments: { query: "refunds days" } }] }
        : { text: "Five days [1]." };
    });
    const { platform } = server;
    storeId = (await platform.call<{ id: string }>("POST", "/document-store/store", { name: "Help" })).id;
    for (const [source, text] of texts) {
      const loader = { name: "plain-text", config: { text } };
      const body = { loader, metadata: { source } };
      loaderId = (await platform.call<{ docId: string }>("POST", `/document-store/upsert/${storeId}`, body)).docId;
    }
    agentId = await server.createAgent({
      type: "agent",
      config: { knowledge: [{ storeId, name: "help" }], citations: true },
    });
    browser = await openBrowser();
    context = await signIn(browser, platform);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const open = (tab: string) => openPage(context, `/document-stores/${storeId}?tab=${tab}`);
  const questions = () => server.platform.call<Question[]>("GET", `/document-store/store/${storeId}/questions`);
  const row = (page: Page, question: string) => page.getByRole("row").filter({ hasText: question });

  it("grows by hand, from a search and from a chat", async () => {
    const page = await open("questions");
    await page.getByText("No questions yet").waitFor();
    await assertAccessibleInBoth(page, "questions empty");
    await page.getByRole("button", { name: "Add a question" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a question" });
    await dialog.getByRole("textbox", { name: "Question" }).fill("On which day do parcels leave?");
    assert.ok(await dialog.getByRole("button", { name: "Add question" }).isDisabled());
    await dialog.getByRole("textbox", { name: "Documents that answer it" }).fill("shipping.md\n\nshipping.md ");
    await dialog.getByRole("textbox", { name: "A passage must contain" }).fill("on mondays");
    await assertAccessible(page, "a question");
    await dialog.getByRole("button", { name: "Add question" }).click();
    await row(page, "On which day do parcels leave?").getByText("Not checked yet").waitFor();

    await page.getByRole("tab", { name: "Query" }).click();
    await page.getByRole("textbox", { name: "Question" }).fill("When do refunds come?");
    await page.keyboard.press("Enter");
    const found = page
      .getByRole("list", { name: "Passages found" })
      .getByRole("listitem")
      .filter({ hasText: "refunds.md" });
    await found.getByRole("button", { name: "Mark as relevant" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Add question" }).click();
    await page.getByText("The question was added to the store’s question set.").first().waitFor();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.close();

    const chat = await openPage(context, `/agents/${agentId}/chat`);
    await ask(chat, "How many days does a refund take?");
    await chat.getByRole("button", { name: "Source 1: refunds.md" }).waitFor();
    await chat.getByRole("button", { name: "Add to questions" }).click();
    const form = chat.getByRole("dialog", { name: "Add a question" });
    assert.equal(await form.getByRole("textbox", { name: "Documents that answer it" }).inputValue(), "refunds.md");
    await assertAccessible(chat, "a question of a chat");
    await form.getByRole("button", { name: "Add question" }).click();
    await form.waitFor({ state: "detached" });
    await chat.close();
    assert.deepEqual(
      (await questions()).map(({ question, relevant, words }) => [question, relevant, words]),
      [
        ["On which day do parcels leave?", ["shipping.md"], ["on mondays"]],
        ["When do refunds come?", ["refunds.md"], []],
        ["How many days does a refund take?", ["refunds.md"], []],
      ],
    );
  });

  it("is checked, marks what got worse, and shows the numbers over time", async () => {
    const page = await open("questions");
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("All questions were checked.").waitFor();
    await row(page, "When do refunds come?").getByRole("cell", { name: "1", exact: true }).waitFor();
    assert.equal(await page.getByRole("img", { name: /^Recall and MRR/ }).count(), 0);

    await page.getByRole("button", { name: "Actions of When do refunds come?" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit the question" });
    await dialog.getByRole("textbox", { name: "Documents that answer it" }).fill("returns.md");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByText("1 question got worse.").waitFor();
    const worse = page.getByRole("row").nth(1);
    await worse.getByText("When do refunds come?").waitFor();
    await worse.getByText("Not found").waitFor();
    await worse.getByText("Worse").waitFor();
    await worse.getByText("was 1").waitFor();
    await page.getByRole("img", { name: /^Recall and MRR of 2 checks; MRR from 1.000 to 0.667$/ }).waitFor();
    await page.getByText("−0.333").first().waitFor();
    const parcels = row(page, "On which day do parcels leave?");
    await parcels.getByRole("button", { name: "Passages found" }).click();
    await parcels.getByRole("listitem").filter({ hasText: "shipping.md #1" }).getByText("Right").waitFor();
    await assertAccessibleInBoth(page, "questions checked");
    await assertFitsPhone(page);
    await screenshot(page, "questions-390");
  });

  it("goes into a file and comes from one", async () => {
    const page = await open("questions");
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Export" }).click(),
    ]);
    assert.equal(download.suggestedFilename(), "questions.yaml");
    const text = await readDownload(download);
    assert.match(text, /question: On which day do parcels leave\?/);
    const file = (content: string) => ({ name: "q.yaml", mimeType: "text/yaml", buffer: Buffer.from(content) });
    const input = page.locator("input[type=file]");
    await input.setInputFiles(file(`${text}  - question: Why?\n    relevant: [why.md]\n`));
    await page.getByText("1 question added, 3 already there.").waitFor();
    await row(page, "Why?").waitFor();
    await input.setInputFiles(file("questions: 7"));
    await page.getByText(/questions: .*array/i).waitFor();
    await page.getByRole("button", { name: "Actions of Why?" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await row(page, "Why?").waitFor({ state: "detached" });
    assert.equal((await questions()).length, 3);
  });

  it("is checked after indexing once that is on, and says that recall dropped", async () => {
    const page = await open("questions");
    const { platform } = server;
    const setting = page.getByRole("switch", { name: "Check the questions after every indexing" });
    assert.equal(await setting.isChecked(), false);
    const isSaved = () => page.waitForResponse((response) => response.request().method() === "PUT");
    const turnedOn = isSaved();
    await setting.check();
    await turnedOn;
    await page.reload();
    await setting.and(page.getByRole("switch", { checked: true })).waitFor();

    const renamed = { docId: loaderId, metadata: { source: "moved.md" } };
    const items = [{ ...renamed, replaceExisting: true, deleteEmbeddings: true }];
    await platform.call("POST", `/document-store/refresh/${storeId}`, { items });
    await page.getByRole("alert").getByText("Recall@5 dropped by 0.333").waitFor();
    await page.getByText("after indexing", { exact: true }).waitFor();
    await row(page, "On which day do parcels leave?").getByText("Worse").waitFor();
    await assertAccessibleInBoth(page, "questions after indexing");
    await assertFitsPhone(page);
    await screenshot(page, "questions-dropped-390");
    const turnedOff = isSaved();
    await setting.uncheck();
    await turnedOff;
    await setting.and(page.getByRole("switch", { checked: false })).waitFor();
    await page.close();
  });

  it("keeps nothing of a check that is cancelled, and says why one fails", async () => {
    const page = await open("questions");
    await page.route("**/evaluations", (route) =>
      route.request().method() === "POST" ? new Promise(() => undefined) : route.continue(),
    );
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("The check was cancelled. Nothing was kept of it.").waitFor();
    await page.unroute("**/evaluations");
    const embeddingConfig = JSON.stringify({
      name: "openai-compatible",
      config: { baseUrl: "http://127.0.0.1:9/v1", model: "m" },
    });
    await server.platform.call("PUT", `/document-store/store/${storeId}`, { embeddingConfig });
    await page.getByRole("button", { name: "Check now" }).click();
    await page
      .getByRole("alert")
      .getByText(/cannot be compared/)
      .waitFor();
    const kept = await server.platform.call<object[]>("GET", `/document-store/store/${storeId}/evaluations`);
    assert.equal(kept.length, 3);
    await page.close();
  });
});
