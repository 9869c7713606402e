import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Script } from "../../../packages/providers/src/testing/index.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { nodeOf } from "./testing/canvas-page.ts";
import { lookAt } from "./testing/look-at.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

const usage = { prompt_tokens: 1_200, completion_tokens: 30, total_tokens: 1_230 };

/** A value of more than a megabyte. */
const records = JSON.stringify({
  records: Array.from({ length: 9_000 }, (_, id) => ({
    id,
    name: `Customer ${id}`,
    tags: ["a", "b"],
    note: "x".repeat(68),
  })),
});

const script: Script = ({ messages, tools = [] }) => {
  if (JSON.stringify(messages).includes("All records")) return { text: records, usage };
  if (messages.at(-1)?.role === "user" && tools.length > 0) {
    return { toolCalls: [{ name: "calculator", arguments: { expression: "6*7" } }], usage };
  }
  return { text: "It is **42**.", usage };
};

/** Of a duration as it is shown. */
const toMs = (shown: string) => Number.parseFloat(shown) * (shown.endsWith(" ms") ? 1 : 1_000);
/** What is lost where two durations are shown with few decimals. */
const roundedMs = 100;

const flowOf = (nodes: { id: string; x: number; [key: string]: unknown }[], edges: [string, string, string?][]) =>
  JSON.stringify({
    weft: 1,
    nodes: nodes.map(({ x, ...node }) => ({ ...node, position: { x, y: 0 } })),
    edges: edges.map(([source, target, sourcePort]) => ({
      id: `${source} ${target}`,
      source,
      target,
      ...(sourcePort !== undefined && { sourcePort }),
    })),
  });

describe("the trace of a run", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;

  before(async () => {
    server = await startScriptedPlatform(script, {
      MODEL_ANSWER_LIMIT: "4mb",
      MODEL_PRICES: '{"openai-compatible/scripted":{"input":2,"output":8}}',
    });
    browser = await openBrowser();
    context = await signIn(browser, server.platform, { viewport: { width: 1_280, height: 900 } });
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  });

  after(async () => {
    await browser?.close();
    await server?.close();
  });

  /** Runs a flow once, and opens the page of the run. */
  async function openRun(flowData: string, question: string): Promise<Page> {
    return openRunOf(await createAgent(server.platform, flowData), question);
  }

  /** Runs an agent once, and opens the page of the run. */
  async function openRunOf(agentId: string, question: string): Promise<Page> {
    const { call } = server.platform;
    const { executionId } = await call<{ executionId: string }>("POST", `/prediction/${agentId}`, { question });
    const page = await context.newPage();
    page.on("pageerror", (error) => {
      throw error;
    });
    await page.goto(`/executions/${executionId}`);
    await rows(page).first().waitFor();
    return page;
  }

  const rows = (page: Page) => page.getByRole("tree", { name: "Steps" }).getByRole("treeitem");
  const detailsOf = (page: Page) => page.getByRole("region", { name: "Details" });
  /** The clipboard takes a text some time after the click. */
  const copied = (page: Page, text: string) =>
    retry(async () => assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text));

  it("has tokens and cost at each row, messages as bubbles, and values as trees", async () => {
    const config = {
      tools: [{ type: "calculator", config: {} }],
      messages: [{ role: "system", content: "Be brief." }],
    };
    const page = await openRun(
      flowOf(
        [
          { id: "start_0", type: "start", label: "Start", x: 0 },
          { id: "agent_0", type: "agent", label: "Calculate", x: 344, config },
        ],
        [["start_0", "agent_0"]],
      ),
      "What is 6*7?",
    );
    const row = (name: RegExp) => rows(page).filter({ hasText: name });
    assert.match((await row(/^Calculate/).textContent()) ?? "", /2,460.*\$0\.0053$/);
    const call = row(/^scripted/).first();
    assert.match((await call.textContent()) ?? "", /1,230.*\$0\.0026$/);

    await call.click();
    const details = detailsOf(page);
    const sent = details.getByRole("region", { name: "Messages to the model" }).getByRole("listitem");
    assert.deepEqual(
      (await sent.allTextContents()).map((text) => text.trim()),
      ["SystemBe brief.", "UserWhat is 6*7?"],
    );
    await details
      .getByRole("region", { name: "Answer" })
      .getByRole("group", { name: "Arguments of calculator" })
      .waitFor();
    await lookAt(page, "trace-model");
    await page.setViewportSize({ width: 1_280, height: 900 });

    await row(/^calculator/).click();
    const given = details.getByRole("group", { name: "Arguments" });
    await given.getByText("6*7").hover();
    await given.getByRole("button", { name: "Copy path of expression" }).click();
    await copied(page, "expression");
    await given.getByRole("button", { name: "Copy value of expression" }).click();
    await copied(page, "6*7");
    await page.close();
  });

  it("links the flow and the rows, by pointer and by keyboard", async () => {
    const inside = { id: "in", type: "direct-reply", label: "Inside", parent: "each", x: 20, config: { message: "x" } };
    const branches = [
      { id: "a", title: "Never", conditions: [{ type: "string", left: "a", operation: "equal", right: "b" }] },
    ];
    const page = await openRun(
      flowOf(
        [
          { id: "start_0", type: "start", label: "Start", x: 0 },
          { id: "if_0", type: "condition", label: "Decide", x: 344, config: { branches } },
          {
            id: "each",
            type: "iteration",
            label: "Each",
            x: 688,
            config: { items: "[1,2,3,4,5,6,7,8,9,10,11,12,13]" },
          },
          inside,
          { id: "other_0", type: "direct-reply", label: "Other", x: 1_200, config: { message: "no" } },
        ],
        [
          ["start_0", "if_0"],
          ["if_0", "each", "else"],
          ["if_0", "other_0", "a"],
        ],
      ),
      "Go",
    );
    const map = page.getByRole("listbox", { name: "Flow" });
    await map.getByRole("option", { name: "Inside: Finished, ran 13 times" }).waitFor();
    assert.equal(await map.getByRole("option", { name: /^Other/ }).count(), 0, "what did not run is no choice");
    await lookAt(page, "trace-flow");
    await page.setViewportSize({ width: 1_280, height: 900 });

    await rows(page)
      .filter({ hasText: /^Decide/ })
      .hover();
    await page.locator("g[data-marked][id=map-if_0]").waitFor();
    await map.getByRole("option", { name: /^Start/ }).hover();
    await page
      .locator("[role=treeitem][data-marked]")
      .filter({ hasText: /^Start/ })
      .waitFor();

    await map.getByRole("option", { name: /^Inside/ }).click();
    await detailsOf(page).getByRole("heading", { name: "Inside" }).waitFor();
    const selected = page.locator("[role=treeitem][aria-selected=true]");
    await selected.filter({ hasText: /^Inside/ }).waitFor();
    await page.getByRole("treeitem", { name: /^Item 13/ }).waitFor();

    await map.focus();
    await page.keyboard.press("Home");
    await selected.filter({ hasText: /^Start/ }).waitFor();
    await page.keyboard.press("ArrowRight");
    await selected.filter({ hasText: /^Decide/ }).waitFor();
    await page.getByRole("tree").focus();
    await page.keyboard.press("ArrowDown");
    await map.locator("[role=option][aria-selected=true]").filter({ hasText: "Each" }).waitFor();
    await page.close();
  });

  it("draws the wait for a person as a band of its own, apart from work", async () => {
    const page = await openRun(
      flowOf(
        [
          { id: "start_0", type: "start", label: "Start", x: 0 },
          { id: "ask_0", type: "human-input", label: "Ask", x: 344, config: { question: "May I?" } },
        ],
        [["start_0", "ask_0"]],
      ),
      "Go",
    );
    await page.getByText(/^Waiting for a person, .* so far, not counted as work$/).waitFor();
    await page.waitForTimeout(1_500);
    await page.getByRole("button", { name: "Proceed" }).click();
    await page.getByText(/^Waited \d.* for a person, not counted as work$/).waitFor();
    const both = /^([\d.]+ m?s), and waited ([\d.]+ s) for a person$/;
    const execution = `/executions/${new URL(page.url()).pathname.split("/").at(-1)}`;
    const ask = rows(page).filter({ hasText: /^Ask/ });
    await retry(async () => {
      const fact = await page.getByRole("definition").filter({ hasText: both }).textContent();
      const [worked = Number.NaN, waited = Number.NaN] = (both.exec(fact ?? "") ?? []).slice(1).map(toMs);
      const { durationMs } = await server.platform.call<{ durationMs: number | null }>("GET", execution);
      assert.ok(Math.abs(worked + waited - Number(durationMs)) <= roundedMs, `${fact} of ${durationMs} ms`);
      const [, own = ""] = /\D([\d.]+ m?s)$/.exec((await ask.textContent()) ?? "") ?? [];
      assert.ok(toMs(own) <= worked + roundedMs, `the row says how long it worked: ${own} of ${worked} ms`);
    });
    await ask.click();
    await detailsOf(page).getByText("Waited", { exact: true }).waitFor();
    await detailsOf(page).getByText("Human input", { exact: true }).waitFor();
    await lookAt(page, "trace-wait");
    await page.close();
  });

  it("opens a step of the run in the editor, while the agent and the step are there", async () => {
    const { call } = server.platform;
    const start = { id: "start_0", type: "start", label: "Start", x: 0 };
    const reply = { id: "reply_0", type: "llm", label: "Reply", x: 344 };
    const agentId = await createAgent(server.platform, flowOf([start, reply], [["start_0", "reply_0"]]));
    const page = await openRunOf(agentId, "What is 6*7?");
    const runUrl = page.url();
    const link = detailsOf(page).getByRole("link", { name: "Open in the editor" });
    const openFromRow = async (name: RegExp) => {
      await rows(page).filter({ hasText: name }).click();
      await link.click();
    };
    const notice = page.getByRole("status").filter({ hasText: "Step reply_0 is no longer in this flow." });

    for (const name of [/^Reply/, /^scripted/]) {
      await openFromRow(name);
      await page.waitForURL(`**/agents/${agentId}?step=reply_0`);
      await page.getByRole("complementary", { name: "Step" }).getByRole("tab", { name: "Setup" }).waitFor();
      await page.locator(".react-flow__node.selected").waitFor();
      assert.match((await nodeOf(page, "reply_0").getAttribute("class")) ?? "", /\bselected\b/);
      assert.equal(await notice.count(), 0);
      await page.goto(runUrl);
    }

    await call("PUT", `/chatflows/${agentId}/draft`, { flowData: flowOf([start], []) });
    await openFromRow(/^Reply/);
    await notice.waitFor();
    await nodeOf(page, "start_0").waitFor();
    assert.equal(await page.locator(".react-flow__node.selected").count(), 0);
    await notice.getByRole("button", { name: "Close" }).click();
    await notice.waitFor({ state: "detached" });

    await call("DELETE", `/chatflows/${agentId}`);
    await page.goto(runUrl);
    await rows(page)
      .filter({ hasText: /^Reply/ })
      .click();
    await detailsOf(page).getByRole("heading", { name: "Reply" }).waitFor();
    await page.getByText("Deleted agent").waitFor();
    assert.equal(await link.count(), 0, "a deleted agent has no editor");
    await page.close();
  });

  it("shows a value of a megabyte on request, without a freeze", async () => {
    const page = await openRun(
      flowOf(
        [
          { id: "start_0", type: "start", label: "Start", x: 0 },
          { id: "reply_0", type: "llm", label: "Reply", x: 344 },
        ],
        [["start_0", "reply_0"]],
      ),
      "All records",
    );
    const details = detailsOf(page);
    await details.getByText("Long values of this step are cut.").waitFor();
    await page.evaluate(() => {
      Object.assign(globalThis, { longest: 0 });
      new PerformanceObserver((list) => {
        for (const { duration } of list.getEntries()) {
          Object.assign(globalThis, { longest: Math.max(Number(Reflect.get(globalThis, "longest")), duration) });
        }
      }).observe({ entryTypes: ["longtask"] });
    });
    await details.getByRole("button", { name: "Load the whole values" }).click();
    const tree = details.getByRole("group", { name: "Output" });
    await tree.getByRole("button", { name: "records 9,000 items" }).click();
    await tree.getByRole("button", { name: "Show 200 more of 8,900" }).click();
    await tree.getByRole("button", { name: "99 4 fields", exact: true }).click();
    await tree.getByText("Customer 99", { exact: true }).hover();
    await tree.getByRole("button", { name: "Copy path of name" }).first().click();
    await copied(page, "reply_0.output.content.records[99].name");
    const longestMs = await page.evaluate(() => Number(Reflect.get(globalThis, "longest")));
    console.log(`longest task with a value of ${records.length} characters: ${longestMs.toFixed(0)} ms`);
    await page.close();
  });
});
