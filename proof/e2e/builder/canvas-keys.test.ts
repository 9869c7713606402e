import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { at, button, flowOf, nodeOf, shows, showsEdges, start, step } from "./testing/canvas-page.ts";
import { answerIn, ask } from "./testing/chat-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

const http = { id: "http_0", type: "http", label: "Call", ...at(344, 0), config: { url: "https://example.com" } };
const placeOf = (page: Page, id: string) => nodeOf(page, id).evaluate((node) => node.style.transform);

describe("keys and the canvas", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const openNew = async (nodes: object[], edges: { source: string; target: string; sourcePort?: string }[] = []) =>
    world.open(`/agents/${await createAgent(world.platform, flowOf(nodes, edges))}`);

  it("are the canvas's only while it has the focus: nothing pressed in the panel changes the flow", async () => {
    const page = await openNew([start, http]);
    await shows(page, ["start_0", "http_0"]);
    await button(page, "Add a step").click();
    await nodeOf(page, "http_0").click();
    const panel = page.getByRole("complementary", { name: "Step" });
    await panel.getByLabel("Step name").waitFor();
    const before = await placeOf(page, "http_0");
    const places = {
      "a button": () => panel.getByRole("button", { name: "Add header" }).focus(),
      "a choice": () => panel.getByRole("combobox", { name: "Method" }).first().focus(),
      "words that take no focus": () => panel.getByText(/in templates to refer to this step/).click(),
      "a switch": () => panel.getByRole("switch").first().focus(),
      "the list of steps": () => page.getByRole("button", { name: /Direct reply/ }).focus(),
      "the header": () => button(page, "Chat").focus(),
    };
    for (const [name, focus] of Object.entries(places)) {
      await focus();
      for (const key of ["Backspace", "Delete", "l", "c", "f", "?", "Control+d"]) await page.keyboard.press(key);
      await page.keyboard.press("Escape");
      await shows(page, ["start_0", "http_0"]);
      assert.equal(await placeOf(page, "http_0"), before, name);
      assert.equal(await page.getByRole("dialog").count(), 0, name);
      await nodeOf(page, "http_0").click();
    }
    await page.keyboard.press("Backspace");
    await shows(page, ["start_0"]);
    await page.keyboard.press("Control+z");
    await shows(page, ["start_0", "http_0"]);
    await page.close();
  });

  it("go on working after the step that had the focus is gone, or its panel", async () => {
    const page = await openNew([start, http, step("a", at(688, 0))]);
    await shows(page, ["start_0", "http_0", "a"]);
    await nodeOf(page, "a").click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await shows(page, ["start_0", "http_0"]);
    await page.keyboard.press("Control+z");
    await shows(page, ["start_0", "http_0", "a"]);
    await nodeOf(page, "http_0").click();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    await page.getByLabel("Step name").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Tidy up").waitFor();
    await page.close();
  });

  it("a new row of a list takes the focus, so that one can type at once", async () => {
    const which = { id: "which_0", type: "condition", label: "Which?", ...at(344, 160), config: {} };
    const page = await openNew([start, http, which]);
    await nodeOf(page, "http_0").click();
    const added = [
      ["http_0", "Add header"],
      ["start_0", "Add value"],
      ["which_0", "Add branch"],
    ] as const;
    for (const [id, name] of added) {
      await nodeOf(page, id).click();
      for (const text of ["one", "two"]) {
        await page.getByRole("button", { name, exact: true }).click();
        await retry(async () => assert.match(await focusedTag(page), /^(INPUT|TEXTAREA|DIV)$/, name));
        await page.keyboard.type(text);
        await retry(async () => assert.equal(await focusedText(page), text, name));
      }
    }
    await page.close();
  });

  it("ticks stay while a run goes on after a person's answer, and a rejection shows that it is one", async () => {
    const nodes = [
      start,
      { id: "ask_0", type: "human-input", label: "May I?", ...at(344, 0), config: { question: "May I?" } },
      step("yes", { ...at(688, -80), config: { message: "Done" } }),
      step("no", { ...at(688, 80), config: { message: "Left as it is" } }),
    ];
    const edges = [
      { source: "start_0", target: "ask_0" },
      { source: "ask_0", sourcePort: "proceed", target: "yes" },
      { source: "ask_0", sourcePort: "reject", target: "no" },
    ];
    const id = await createAgent(world.platform, flowOf(nodes, edges));
    const page = await world.open(`/agents/${id}?chat=true`, { width: 1_600 });
    await showsEdges(page, 3);
    await ask(page, "Go");
    await nodeOf(page, "ask_0").getByRole("img", { name: "Waiting for an answer" }).waitFor();
    await page.getByLabel("Add a comment (optional)").fill("Too early");
    await button(page, "Reject").click();
    await nodeOf(page, "no").getByRole("img", { name: "Finished" }).waitFor();
    await nodeOf(page, "start_0").getByRole("img", { name: "Finished" }).waitFor();
    await nodeOf(page, "ask_0").getByRole("img", { name: "Rejected" }).waitFor();
    await page.getByRole("article", { name: "You" }).getByText("Reject: Too early").waitFor();
    await screenshot(page, "canvas-rejected");
    await page.reload();
    await page.getByRole("article", { name: "You" }).getByText("Reject: Too early").waitFor();
    await page.close();
  });

  it("words in a table of the chat stay whole, however many columns there are", async () => {
    const words = ["Confirmation", "Cancellation", "Transportation", "Accommodation", "Responsibilities"];
    const row = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
    const message = [row(["A", "B", "C", "D", "E"]), row(words.map(() => "---")), row(words)].join("\n");
    const nodes = [start, step("a", { ...at(344, 0), config: { message } })];
    const id = await createAgent(world.platform, flowOf(nodes, [{ source: "start_0", target: "a" }]));
    const page = await world.open(`/agents/${id}?chat=true`);
    await ask(page, "Go");
    await answerIn(page, "finished");
    await page.getByRole("cell", { name: "Responsibilities" }).waitFor();
    await screenshot(page, "chat-table");
    const lines = await page.locator("article td, article th").evaluateAll((cells) =>
      cells.map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return range.getClientRects().length;
      }),
    );
    assert.deepEqual(lines, Array(10).fill(1));
    await page.close();
  });

  it("the minimap lies on no step", async () => {
    const many = Array.from({ length: 24 }, (_, index) => step(`s${index}`, at((index % 6) * 300, index * 120)));
    const page = await openNew([start, ...many]);
    await shows(page, ["start_0", ...many.map(({ id }) => id)]);
    await page.getByRole("button", { name: "Minimap" }).click();
    const map = page.getByRole("img", { name: /Map/i });
    await map.waitFor();
    await screenshot(page, "canvas-minimap");
    const overlaps = () =>
      page.evaluate(() => {
        const box = document.querySelector("[data-minimap]")?.getBoundingClientRect();
        const canvas = document.querySelector(".react-flow")?.getBoundingClientRect();
        return !box || !canvas || (box.left < canvas.right && box.right > canvas.left && box.top < canvas.bottom);
      });
    assert.equal(await overlaps(), false, "it would lie on whatever is beneath");
    await page.close();
  });
});

const focusedTag = (page: Page) => page.evaluate(() => document.activeElement?.tagName ?? "");
const focusedText = (page: Page) =>
  page.evaluate(() => {
    const element = document.activeElement;
    return element instanceof HTMLInputElement ? element.value : element?.textContent;
  });
