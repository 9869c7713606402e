import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { openBrowser } from "../testing/open-browser.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, button, nodeOf, showsEdges, start } from "./testing/canvas-page.ts";
import { answerIn, ask, openPage } from "./testing/chat-page.ts";
import { screenshot } from "./testing/screenshot.ts";

const node = (id: string, type: string, x: number, config: object) => ({ id, type, label: id, ...at(x, 0), config });
const flow = {
  weft: 1,
  nodes: [
    start,
    node("writer", "llm", 344, {}),
    node("reply", "direct-reply", 688, { message: "So: {{ writer }}" }),
    node("aside", "direct-reply", 688, { message: "Never" }),
  ].map((one) => (one.id === "aside" ? { ...one, ...at(344, 240) } : one)),
  edges: [
    { id: "a", source: "start_0", target: "writer" },
    { id: "b", source: "writer", target: "reply" },
  ],
};

describe("the last run on the canvas", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;

  before(async () => {
    server = await startScriptedPlatform(() => ({ text: "It is sunny in Lisbon." }));
    browser = await openBrowser();
    context = await signIn(browser, server.platform);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  const openFlow = async () => {
    const body = { name: "Weather", flowData: JSON.stringify(flow) };
    const { id } = await server.platform.call<{ id: string }>("POST", "/chatflows", body);
    const page = await openPage(context, `/agents/${id}?chat=true`);
    await showsEdges(page, 2);
    return page;
  };

  it("shows the way taken, what each step took and gave, and offers its values while writing", async () => {
    const page = await openFlow();
    await nodeOf(page, "writer").click();
    const panel = page.getByRole("complementary", { name: "Step", exact: true });
    await panel.getByRole("tab", { name: "Last run" }).click();
    await panel.getByText("No values yet").waitFor();

    await page.getByRole("radiogroup", { name: "Side panel" }).getByText("Chat").click();
    await ask(page, "How is the weather?");
    await answerIn(page, "finished");
    await nodeOf(page, "writer")
      .getByText(/s · \d+ tok$/)
      .waitFor();
    assert.equal(await page.locator(".react-flow__edge-path[data-way=taken]").count(), 2);
    assert.equal(await nodeOf(page, "aside").getByText(/ ms$/).count(), 0);
    await screenshot(page, "canvas-last-run");

    await nodeOf(page, "writer").click();
    await panel.getByRole("group", { name: "Output" }).getByText("It is sunny in Lisbon.").waitFor();
    await panel.getByRole("group", { name: "Input" }).getByText("How is the weather?").waitFor();
    await assertAccessibleInBoth(page, "the last run of a step");
    await nodeOf(page, "aside").click();
    await panel.getByText("No values yet").waitFor();

    await nodeOf(page, "reply").click();
    await panel.getByRole("tab", { name: "Setup" }).click();
    await button(page, /Insert a variable: Message/).click();
    await page
      .getByRole("option", { name: /writer/ })
      .getByText("It is sunny in Lisbon.")
      .waitFor();
    await screenshot(page, "canvas-variable-values");
    await page.keyboard.press("Escape");

    await page.reload();
    await nodeOf(page, "writer").click();
    await panel.getByRole("tab", { name: "Last run" }).click();
    await panel.getByRole("link", { name: "Open the run" }).click();
    await page.getByRole("heading", { name: "How is the weather?" }).waitFor();
    await page.close();
  });
});
