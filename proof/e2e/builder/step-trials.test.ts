import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { openBrowser } from "../testing/open-browser.ts";
import { type ScriptedPlatform, startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, button, nodeOf, showsEdges, start } from "./testing/canvas-page.ts";
import { answerIn, ask, openPage } from "./testing/chat-page.ts";
import { screenshot } from "./testing/screenshot.ts";

const inside = (part: Locator, name: string) => part.getByRole("button", { name, exact: true });
const node = (id: string, type: string, x: number, config: object) => ({ id, type, label: id, ...at(x, 0), config });
const flow = {
  weft: 1,
  nodes: [
    start,
    node("writer", "llm", 344, { prompt: "{{ question }}" }),
    node("reply", "direct-reply", 688, { message: "So: {{ writer }}" }),
  ],
  edges: [
    { id: "a", source: "start_0", target: "writer" },
    { id: "b", source: "writer", target: "reply" },
  ],
};

describe("steps while building", () => {
  let server: ScriptedPlatform;
  let browser: Browser;
  let context: BrowserContext;
  let answers = 0;

  before(async () => {
    server = await startScriptedPlatform(() => ({ text: `Answer ${++answers}.` }));
    browser = await openBrowser();
    context = await signIn(browser, server.platform);
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  async function openFlow(opened: object = flow): Promise<{ page: Page; id: string }> {
    const body = { name: "Weather", flowData: JSON.stringify(opened) };
    const { id } = await server.platform.call<{ id: string }>("POST", "/chatflows", body);
    const page = await openPage(context, `/agents/${id}?chat=true`);
    await showsEdges(page, 2);
    return { page, id };
  }

  const lastRunOf = async (page: Page, step: string) => {
    await nodeOf(page, step).click();
    const panel = page.getByRole("complementary", { name: "Step", exact: true });
    await panel.getByRole("tab", { name: "Last run" }).click();
    return panel;
  };
  const chat = (page: Page) => page.getByRole("radiogroup", { name: "Side panel" }).getByText("Chat").click();

  it("run alone, have their output pinned and changed, and are replayed with another question", async () => {
    const { page, id } = await openFlow();
    let panel = await lastRunOf(page, "writer");
    await inside(panel, "Run this step").click();
    await panel.getByText(/Send the agent a message first/).waitFor();

    await chat(page);
    await ask(page, "How is the weather?");
    await answerIn(page, "finished");
    panel = await lastRunOf(page, "writer");
    const output = panel.getByRole("group", { name: "Output", exact: true });
    await output.getByText("Answer 1.").waitFor();
    await inside(panel, "Run this step").click();
    await output.getByText("Answer 2.").waitFor();
    // What came after it in the run is still shown.
    await nodeOf(page, "reply").getByText(/ m?s$/).waitFor();

    await inside(panel, "Pin output").click();
    await panel.getByRole("group", { name: "Pinned output" }).getByText("Answer 2.").waitFor();
    await inside(panel, "Edit").click();
    await panel.getByLabel("Pinned output").fill("It snows.");
    await inside(panel, "Save").click();
    await panel.getByRole("group", { name: "Pinned output" }).getByText("It snows.").waitFor();
    await nodeOf(page, "writer").getByRole("img", { name: "Pinned" }).waitFor();
    // Off whatever has a tooltip where the button was.
    await page.mouse.move(2, 2);
    await assertAccessibleInBoth(page, "a pinned step");
    await screenshot(page, "canvas-pinned");
    await chat(page);
    await ask(page, "And now?");
    await page.getByText("So: It snows.").last().waitFor();
    assert.equal(answers, 2);
    const { pins } = await server.platform.call<{ pins: object }>("GET", `/chatflows/${id}/draft`);
    assert.deepEqual(Object.keys(pins), ["writer"]);

    panel = await lastRunOf(page, "writer");
    await inside(panel, "Unpin").click();
    await inside(panel, "Replay from here").click();
    const dialog = page.getByRole("dialog", { name: /Replay from/ });
    await dialog.getByLabel("Question", { exact: true }).fill("Will it rain?");
    await assertAccessibleInBoth(page, "the dialog of a replay");
    await screenshot(page, "replay-dialog");
    await inside(dialog, "Start replay").click();
    await page.getByRole("heading", { name: "Will it rain?" }).waitFor();
    await page.getByText("So: Answer 3.").first().waitFor();
    await page.getByRole("link", { name: "an earlier run" }).waitFor();
    await page.close();
  });

  it("are replayed from a trace with what an earlier step is to have given", async () => {
    const { page } = await openFlow();
    await ask(page, "How is the weather?");
    await answerIn(page, "finished");
    const panel = await lastRunOf(page, "reply");
    await panel.getByRole("link", { name: "Open the run" }).click();
    await page.getByRole("tree").getByText("reply", { exact: true }).click();
    await button(page, "Replay from here").click();
    const dialog = page.getByRole("dialog", { name: /Replay from/ });
    await inside(dialog, "Change: writer").click();
    await dialog.getByLabel("Output of writer").fill("It hails.");
    await inside(dialog, "Use this").click();
    await inside(dialog, "Start replay").click();
    await page.getByText("So: It hails.").first().waitFor();
    await page.close();
  });

  it("give what their whole pinned output says to the steps that follow", async () => {
    const [, writer, reply] = flow.nodes;
    const data = "{{ writer.output.data.city }} {{ writer }}";
    const reading = { ...reply, config: { message: data } };
    const asking = { ...writer, type: "http", config: { method: "GET", url: `${server.model.url}/models` } };
    const { page } = await openFlow({ ...flow, nodes: [start, asking, reading] });
    await ask(page, "How is the weather?");
    await answerIn(page, "finished");
    const panel = await lastRunOf(page, "writer");
    await inside(panel, "Pin output").click();
    await inside(panel, "Edit").click();
    await panel.getByLabel("Pinned output").fill('{"status": 200, "data": {"city": "Oslo"}}');
    await inside(panel, "Save").click();
    await chat(page);
    await ask(page, "And now?");
    await page.getByText('Oslo {"city":"Oslo"}').last().waitFor();
    await page.close();
  });
});
