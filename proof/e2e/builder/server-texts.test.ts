import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { at, flowOf, nodeOf, shows, start } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent, storedFlow } from "./testing/stored-agents.ts";

type Translation = { texts: Record<string, string>; messages: Record<string, string> };

const readTexts = (file: string) =>
  JSON.parse(
    readFileSync(new URL(`../../../packages/builder/messages/described/${file}`, import.meta.url), "utf8"),
  ) as Translation;

const german = readTexts("de.json");
const germanWords = new Set(Object.values(german.texts));

/** Contents of new steps, which the users of an agent read, and no texts of the builder. */
const contents = ["Proceed", "Reject"];

/** English texts that a German page must not show: those that are written otherwise in German. */
const english = new Set(
  Object.keys(readTexts("english.gen.json").texts).filter(
    (text) => german.texts[text] !== text && !germanWords.has(text) && !contents.includes(text),
  ),
);

/** Every text of a page, and what its elements say or show while they are empty. */
function textsOf(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found = new Set<string>();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) found.add(node.nodeValue?.trim() ?? "");
    for (const name of ["aria-label", "placeholder", "title"]) {
      for (const element of document.querySelectorAll(`[${name}]`)) found.add(element.getAttribute(name) ?? "");
    }
    return [...found];
  });
}

const englishOf = async (page: Page) => (await textsOf(page)).filter((text) => english.has(text));

const locale = "de-DE";
const node = (type: string, index: number, config: object = {}) => ({
  id: `${type}_0`,
  type,
  label: "",
  ...at(344 * (index % 4), 160 * Math.floor(index / 4)),
  config,
});

/** With the parts of their forms that only some settings show. */
const nodes = [
  { ...start, config: { input: "webhook", state: {} } },
  node("agent", 1, {
    tools: [{ type: "request-get", config: { name: "get_events" } }],
    knowledge: [{ store: "0190a000-0000-7000-8000-000000000000" }],
    memory: { type: "window" },
  }),
  node("llm", 2, { messages: [{ role: "system", content: "Hi" }] }),
  node("http", 3, { method: "POST", url: "https://a.example" }),
  node("condition", 4, { branches: [{ id: "a", conditions: [{ type: "number", operation: "equal", right: "1" }] }] }),
  node("condition-agent", 5),
  node("human-input", 6),
  node("wait", 7),
  node("retriever", 8),
  node("sql", 9),
  node("custom-function", 10),
  node("iteration", 11),
  node("execute-flow", 12),
  node("direct-reply", 13),
];

describe("texts of the server in the builder", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  it("are German in the forms of steps, on the canvas and in the palette", { timeout: 300_000 }, async () => {
    const id = await createAgent(world.platform, flowOf(nodes));
    const page = await world.open(`/agents/${id}`, { locale, width: 1_600, height: 1_000 });
    await shows(
      page,
      nodes.map((one) => one.id),
    );
    await page.getByRole("button", { name: "Schritt hinzufügen" }).first().click();
    await page.getByText("Ruft eine HTTP-API auf und gibt ihre Antwort weiter.").waitFor();
    const found = new Set(await englishOf(page));
    await page.keyboard.press("Escape");
    for (const { id: nodeId } of nodes) {
      await page.evaluate((target) => {
        document.querySelector<HTMLElement>(`.react-flow__node[data-id="${target}"]`)?.focus();
      }, nodeId);
      await page.keyboard.press("Enter");
      await retry(async () => {
        assert.equal(
          await nodeOf(page, nodeId)
            .getAttribute("class")
            .then((names) => names?.includes("selected")),
          true,
        );
      });
      const tabs = page.getByRole("complementary").getByRole("tab");
      await tabs.first().waitFor();
      for (let index = 0; index < (await tabs.count()); index += 1) {
        await tabs.nth(index).click();
        const folded = page.getByRole("button", { name: /^Erweitert/, expanded: false });
        while ((await folded.count()) > 0) await folded.first().click();
        for (const text of await englishOf(page)) found.add(`${nodeId}: ${text}`);
      }
    }
    assert.deepEqual([...found], []);
    await page.close();
  });

  it("are German in findings, with the values as they are", async () => {
    const named = { ...node("iteration", 1), label: "Start" };
    const tool = { type: "request-get", config: { name: "get_events" } };
    const flow = flowOf(
      [start, node("agent", 2, { tools: [tool] }), named],
      [{ source: "start_0", target: "agent_0" }],
    );
    const page = await world.open(`/agents/${await createAgent(world.platform, flow)}`, { locale });
    await shows(page, ["start_0", "agent_0", "iteration_0"]);
    await nodeOf(page, "iteration_0")
      .getByRole("img", { name: /Sie enthält keine Schritte\. Einen hinzufügen\./ })
      .waitFor();
    await page.getByRole("button", { name: /^\d+ Hinweise?$/ }).click();
    await page.getByText("Schritt „Start“: Sie enthält keine Schritte. Einen hinzufügen.").waitFor();
    await page.getByText("Schritt „Agent“: URL fehlt. Das Feld ausfüllen.").waitFor();
    await page.close();
  });

  it("are German in the gallery of templates, the dialogs of credentials and refusals", async () => {
    const page = await world.open("/new", { locale });
    await page.getByText("Helpdesk aus eigenen Artikeln").waitFor();
    assert.deepEqual(await englishOf(page), []);
    await page.goto("/credentials");
    await page
      .getByRole("button", { name: /Anmeldedaten/ })
      .first()
      .click();
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await englishOf(page), []);
    await page.goto("/agents/0190a000-0000-7000-8000-000000000000");
    await page.getByText(/Unter der ID 0190a000-0000-7000-8000-000000000000 gibt es nichts/).waitFor();
    await page.close();
  });

  it("do not change what is saved", async () => {
    const flows: unknown[] = [];
    for (const [language, condition, publish] of [
      ["en-US", "Condition", "Publish"],
      [locale, "Bedingung", "Veröffentlichen"],
    ] as const) {
      const id = await createAgent(world.platform, flowOf([start]));
      const page = await world.open(`/agents/${id}`, { locale: language });
      await shows(page, ["start_0"]);
      for (const [query, added] of [
        ["http", "http_0"],
        ["condition", "condition_0"],
      ] as const) {
        await page.locator(".react-flow__pane").click({ position: { x: 20, y: 400 } });
        await page.keyboard.press("/");
        await page.keyboard.type(query);
        await page.keyboard.press("Enter");
        await nodeOf(page, added).waitFor();
      }
      await nodeOf(page, "condition_0").getByText(condition, { exact: true }).first().waitFor();
      // The draft is saved by itself meanwhile.
      const saved = page.waitForResponse(
        (response) =>
          response.request().method() === "PUT" && response.url().endsWith(`/chatflows/${id}`) && response.ok(),
      );
      await page.getByRole("button", { name: publish, exact: true }).click();
      const dialog = page.getByRole("dialog", { name: publish, exact: true });
      await dialog.getByRole("button", { name: publish, exact: true }).click();
      await saved;
      flows.push(await storedFlow(world.platform, id));
      await page.close();
    }
    assert.deepEqual(flows[1], flows[0]);
  });
});
