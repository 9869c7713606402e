import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Script } from "../../../packages/providers/src/testing/index.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { readDownload } from "../testing/read-download.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { lookAt } from "./testing/look-at.ts";
import { retry } from "./testing/retry.ts";

type Run = { id: string; state: string };
type Prediction = { executionId: string; chatId: string };

const usage = { prompt_tokens: 20, completion_tokens: 3, total_tokens: 23 };

describe("the Executions pages", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;
  let isRepaired = false;

  const script: Script = ({ messages, tools = [] }) => {
    const last = messages.at(-1);
    const text = JSON.stringify(last?.content ?? "");
    if (text.includes("hang")) return { hang: true, afterText: "Well" };
    if (text.includes("broken") && !isRepaired)
      return { status: 401, body: { error: { message: "Incorrect API key" } } };
    if (last?.role === "user" && tools.length > 0) {
      return { toolCalls: [{ name: "calculator", arguments: { expression: "6*7" } }], usage };
    }
    return { text: "It is **42**.", usage };
  };

  before(async () => {
    server = await startScriptedPlatform(script);
    browser = await openBrowser();
    context = await signIn(browser, server.platform, { viewport: { width: 1280, height: 900 } });
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  async function open(path: string): Promise<Page> {
    const page = await context.newPage();
    page.on("pageerror", (error) => {
      throw error;
    });
    await page.goto(path);
    return page;
  }

  /** Sends a message; the answer is waited for unless it is to hang. */
  async function ask(agentId: string, question: string, more: object = {}): Promise<Prediction> {
    const response = await server.platform.send("POST", `/prediction/${agentId}`, { question, ...more });
    return (await response.json()) as Prediction;
  }

  const runs = async (agentId: string) =>
    (await server.platform.call<{ data: Run[] }>("GET", `/executions?agentflowId=${agentId}`)).data;
  /** Until the server has begun the first run of the agent. */
  const begun = (agentId: string) => retry(async () => assert.equal((await runs(agentId)).length, 1));
  const state = (page: Page, label: string) =>
    page.getByRole("definition").first().getByText(label, { exact: true }).waitFor();
  const rows = (page: Page) => page.getByRole("tree", { name: "Steps" }).getByRole("treeitem");

  it("lists runs with filters that are kept in the address", async () => {
    const parrot = await server.createAgent({
      type: "direct-reply",
      name: "Parrot",
      config: { message: "{{ question }}" },
    });
    const asker = await server.createAgent({ type: "human-input", name: "Asker", config: { question: "May I?" } });
    await ask(parrot, "Polly wants a cracker", { overrideConfig: { sessionId: "ada" } });
    await ask(parrot, "Good morning");
    await ask(asker, "Shall we");
    const page = await open("/executions");
    const table = page.getByRole("table");
    await table.getByRole("link", { name: "Good morning" }).waitFor();
    const questions = () => table.getByRole("link").allTextContents();

    await page.getByRole("img", { name: /^3 runs, \d failed$/ }).waitFor();
    await lookAt(page, "executions");
    await page.setViewportSize({ width: 390, height: 800 });
    await lookAt(page, "executions-390");
    await page.setViewportSize({ width: 1_280, height: 800 });
    await page.getByLabel("Agent", { exact: true }).fill("parr");
    await page.waitForURL(/agent=parr/);
    await page.getByRole("img", { name: /^3 runs/ }).waitFor({ state: "detached" });
    await table.getByRole("link", { name: "Shall we" }).waitFor({ state: "detached" });
    assert.deepEqual(await questions(), ["Good morning", "Polly wants a cracker"]);
    await page.getByLabel("Search").fill("CRACKER");
    await table.getByRole("link", { name: "Good morning" }).waitFor({ state: "detached" });
    await page.reload();
    await table.getByRole("link", { name: "Polly wants a cracker" }).waitFor();
    assert.deepEqual(await questions(), ["Polly wants a cracker"]);
    assert.equal(await page.getByLabel("Search").inputValue(), "CRACKER");
    await table.getByRole("link", { name: "Polly wants a cracker" }).click();
    await page.getByRole("link", { name: "ada", exact: true }).click();
    await page.waitForURL(/session=ada/);
    await table.getByRole("link", { name: "Polly wants a cracker" }).waitFor();
    await page.getByRole("button", { name: "Session ada" }).click();
    await table.getByRole("link", { name: "Shall we" }).waitFor();

    const chip = page.getByRole("group", { name: "Busiest agents" }).getByRole("button", { name: "Parrot" });
    await chip.click();
    await page.waitForURL(/agentId=/);
    await table.getByRole("link", { name: "Shall we" }).waitFor({ state: "detached" });
    await page.reload();
    assert.equal(await chip.getAttribute("aria-pressed"), "true");
    await page.getByLabel("Search").fill("no such thing");
    await page.getByText("No runs match").waitFor();
    await page.goBack();
    await table.getByRole("link", { name: "Good morning" }).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    const waiting = page.getByRole("group", { name: "State" }).getByRole("button", { name: "Waiting" });
    await waiting.click();
    await table.getByRole("link", { name: "Good morning" }).waitFor({ state: "detached" });
    assert.deepEqual(await questions(), ["Shall we"]);
    assert.equal(await waiting.getAttribute("aria-pressed"), "true");
    await assertAccessibleInBoth(page, "executions");
    await waiting.click();
    await table.getByRole("link", { name: "Good morning" }).waitFor();
    await page.getByRole("combobox", { name: "Started" }).click();
    await page.getByRole("option", { name: "Last 24 h" }).click();
    await page.waitForURL(/range=24h/);
    await table.getByRole("link", { name: "Shall we" }).waitFor();
    const heights = await table
      .locator("tbody tr")
      .evaluateAll((rows) => rows.map((row) => Math.round(row.getBoundingClientRect().height)));
    assert.ok(heights.length >= 3 && heights.every((height) => height <= 41), `rows of 40 pixels: ${heights}`);
    await page.getByLabel("Until").fill("2001-01-01");
    await page.getByText("No runs match").waitFor();
    await page.close();
  });

  it("shows the steps of a run with their calls, and what went in and came out", async () => {
    const config = { tools: [{ type: "calculator", config: {} }] };
    const { executionId } = await ask(await server.createAgent({ type: "agent", config }), "What is 6*7?");
    const page = await open(`/executions/${executionId}`);
    await page.getByRole("heading", { name: "What is 6*7?" }).waitFor();
    await state(page, "Finished");
    await page.getByText("40 in, 6 out").first().waitFor();
    await rows(page).nth(4).waitFor();
    const names = await rows(page).allTextContents();
    const expected = [/^Start/, /^Node/, /^scripted/, /^calculator/, /^scripted/];
    assert.equal(names.length, expected.length);
    for (const [index, pattern] of expected.entries()) assert.match(names[index] ?? "", pattern);

    const details = page.getByRole("region", { name: "Details" });
    await rows(page).nth(3).click();
    await details.getByRole("group", { name: "Arguments" }).getByText("6*7").waitFor();
    await details.getByRole("group", { name: "Result" }).getByText("42").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByRole("tree").focus();
    await page.keyboard.press("End");
    await details.getByRole("region", { name: "Answer" }).getByText("It is **42**.").waitFor();
    await page.keyboard.press("Home");
    await details.getByRole("heading", { name: "Start" }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowLeft");
    await rows(page).nth(2).waitFor({ state: "detached" });
    const strong = page.getByRole("region", { name: "Messages" }).locator("strong", { hasText: "42" });
    await strong.waitFor();
    assert.equal(await strong.count(), 1);
    await assertAccessible(page, "an execution");
    await page.close();
  });

  it("shows a run while it goes on, and cancels it", async () => {
    const agentId = await server.createAgent({ type: "llm" });
    const asked = ask(agentId, "hang on");
    await begun(agentId);
    const list = await open("/executions");
    await list.getByRole("link", { name: "hang on" }).waitFor();
    await list.getByRole("link", { name: "hang on" }).click();
    await state(list, "Running");
    await rows(list).nth(2).waitFor();
    const duration = () => rows(list).nth(1).textContent();
    const before = await duration();
    await retry(async () => assert.notEqual(await duration(), before));
    await list.getByRole("button", { name: "Cancel" }).click();
    await state(list, "Cancelled");
    await list.getByRole("button", { name: "Delete", exact: true }).waitFor();
    await asked;
    await list.close();
  });

  it("refreshes the list while a run goes on", async () => {
    const agentId = await server.createAgent({ type: "llm" });
    const asked = ask(agentId, "hang here");
    // A list that shows no run under way is not read again.
    await begun(agentId);
    const page = await open("/executions");
    const row = page.getByRole("row").filter({ hasText: "hang here" });
    await row.getByText("Running").waitFor();
    const [run] = await runs(agentId);
    await server.platform.call("POST", `/executions/${run?.id}/cancel`);
    await row.getByText("Cancelled").waitFor();
    await asked;
    await page.close();
  });

  it("retries a run from the failed step, and leads to the new one", async () => {
    isRepaired = false;
    const agentId = await server.createAgent({ type: "llm" });
    await ask(agentId, "broken");
    const [failed] = await runs(agentId);
    const page = await open(`/executions/${failed?.id}`);
    await state(page, "Failed");
    await page
      .getByText(/rejected the API key/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Open credentials" }).first().waitFor();
    await assertAccessible(page, "a failed execution");
    isRepaired = true;
    await page.getByRole("button", { name: "Retry from the failed step" }).click();
    await page.getByRole("link", { name: "the failed run" }).waitFor();
    await state(page, "Finished");
    const [retried] = await runs(agentId);
    assert.ok(page.url().endsWith(`/executions/${retried?.id}`));
    assert.notEqual(retried?.id, failed?.id);
    await page.close();
  });

  it("answers what a run waits for", async () => {
    const agentId = await server.createAgent({ type: "human-input", config: { question: "May I?" } });
    const { executionId } = await ask(agentId, "Go");
    const page = await open(`/executions/${executionId}`);
    await state(page, "Waiting");
    await page.getByLabel("Add a comment (optional)").fill("Not today");
    await page.getByRole("button", { name: "Reject" }).click();
    await state(page, "Finished");
    await page.getByRole("region", { name: "Messages" }).getByText("Not today").first().waitFor();
    await page.getByText(/^Answered by \S+$/).waitFor();
    await page.close();
  });

  it("shows what a run told its callback address, and sends it again", async () => {
    const webhook = { auth: { type: "none" }, response: "async", callbackUrl: "http://127.0.0.1:9/hook" };
    const nodes = [
      { id: "start_0", type: "start", config: { input: "webhook", webhook } },
      { id: "reply_0", type: "direct-reply", config: { message: "Done" } },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "reply_0" }] });
    const { id } = await server.platform.call<{ id: string }>("POST", "/chatflows", { name: "Hook", flowData });
    const response = await server.platform.send("POST", `/webhook/${id}`, {});
    const { executionId } = (await response.json()) as Prediction;
    const page = await open(`/executions/${executionId}`);
    const callbacks = page.getByRole("region", { name: "Callbacks" });
    await callbacks.getByText("http://127.0.0.1:9/hook").waitFor();
    await callbacks.getByText(/^last /).waitFor();
    await callbacks.getByText("Pending").waitFor();
    await assertAccessible(page, "the callbacks of a run");
    await callbacks.getByRole("button", { name: "Send again" }).click();
    await page.getByText("Sending again…").waitFor();
    await page.close();
  });

  it("deletes a run when that is confirmed", async () => {
    const agentId = await server.createAgent({ type: "direct-reply", config: { message: "Bye" } });
    const { executionId } = await ask(agentId, "Delete me");
    const page = await open(`/executions/${executionId}`);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Keep run" }).click();
    assert.equal((await runs(agentId)).length, 1);
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Delete run" }).click();
    await page.getByText("The run was deleted.").waitFor();
    await page.waitForURL(/\/executions$/);
    assert.equal((await runs(agentId)).length, 0);
    await page.close();
  });

  it("retries and deletes selected runs, and says which it could not", async () => {
    isRepaired = false;
    const failing = await server.createAgent({ type: "llm", name: "Bulk" });
    for (const question of ["broken one", "broken two"]) await ask(failing, question);
    isRepaired = true;
    await ask(failing, "fine");
    const page = await open(`/executions?agentId=${failing}&size=50`);
    const table = page.getByRole("table");
    await table.getByRole("checkbox", { name: "Select all runs on this page" }).check();
    const bulk = page.getByRole("region", { name: "Selected runs" });
    await bulk.getByText("3 runs selected").waitFor();
    await assertAccessibleInBoth(page, "selected executions");
    await bulk.getByRole("button", { name: "Retry from the failed steps" }).click();
    await page.getByText("2 new runs continue from their failed steps.").waitFor();
    await page.getByText("1 run could not be retried:").waitFor();
    await page.getByRole("listitem").filter({ hasText: "fine – " }).waitFor();
    await lookAt(page, "executions-retried");
    await retry(async () => assert.equal((await runs(failing)).length, 5));
    await page.getByRole("button", { name: "Close" }).click();
    for (const question of ["fine", "broken one"]) {
      await table
        .getByRole("checkbox", { name: `Select “${question}”` })
        .last()
        .check();
    }
    await bulk.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog", { name: "Delete 2 runs?" }).getByRole("button", { name: "Delete 2 runs" }).click();
    await page.getByText("2 runs were deleted.").waitFor();
    assert.equal((await runs(failing)).length, 3);
    await page.close();
  });

  it("leads from a run to those before and after it in the filtered list, and downloads its trace", async () => {
    const agentId = await server.createAgent({ type: "direct-reply", name: "Row", config: { message: "Yes" } });
    for (const question of ["first", "second", "third"]) await ask(agentId, question);
    const page = await open(`/executions?agentId=${agentId}&size=25`);
    await page.getByRole("table").getByRole("link", { name: "second" }).click();
    await page.getByRole("heading", { name: "second" }).waitFor();
    await page.getByRole("link", { name: "Next run in this list" }).click();
    await page.getByRole("heading", { name: "first" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Next run in this list" }).isDisabled(), true);
    await page.getByRole("link", { name: "Previous run in this list" }).click();
    await page.getByRole("heading", { name: "second" }).waitFor();
    await page.getByRole("link", { name: "Previous run in this list" }).click();
    await page.getByRole("heading", { name: "third" }).waitFor();
    await lookAt(page, "an-execution-among-others");
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download as JSON" }).click();
    const download = await downloading;
    const id = page.url().match(/executions\/([^?]+)/)?.[1];
    assert.equal(download.suggestedFilename(), `execution-${id}.json`);
    const trace = JSON.parse(await readDownload(download)) as { id: string; steps: object[] };
    assert.deepEqual([trace.id, trace.steps.length], [id, 2]);
    await page.getByRole("link", { name: "All executions" }).click();
    await page.waitForURL(/executions\?.*agentId=/);
    await page.getByText("Rows per page").waitFor();
    await page.getByRole("radiogroup", { name: "Rows per page" }).getByText("50").click();
    await page.waitForURL(/size=50/);
    await page.close();
  });

  it("says that a run does not exist", async () => {
    const page = await open("/executions/3f2c8a4e-0d1b-4c7a-9e6f-5a4b3c2d1e0f");
    await page
      .getByRole("alert")
      .getByText(/No execution with the id/)
      .waitFor();
    await page.close();
  });

  it("draws only what is in sight of a long run", async () => {
    const items = JSON.stringify(Array.from({ length: 400 }, (_, index) => index));
    const nodes = [
      { id: "start_0", type: "start" },
      { id: "each", type: "iteration", label: "Each", config: { items } },
      { id: "in", type: "direct-reply", label: "Inside", parent: "each", config: { message: "{{ $iteration }}" } },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start_0", target: "each" }] });
    const { id } = await server.platform.call<{ id: string }>("POST", "/chatflows", { name: "Many", flowData });
    const { executionId } = await ask(id, "All of them");
    const page = await open(`/executions/${executionId}`);
    await rows(page).nth(1).waitFor();
    await page.getByRole("tree").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowRight");
    await rows(page).nth(20).waitFor();
    assert.ok((await rows(page).count()) < 80);
    await page.keyboard.press("End");
    await page.getByRole("treeitem", { name: /^Item 400/ }).waitFor();
    await page.close();
  });
});
