import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import {
  at,
  button,
  centreOf,
  confirmPublishing,
  dotOf,
  drag,
  flowOf,
  nodeIds,
  nodeOf,
  publish,
  shows,
  showsEdges,
  start,
  step,
} from "./testing/canvas-page.ts";
import { type BuilderWorld, type Look, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent, storedFlow, storedText } from "./testing/stored-agents.ts";

const foreignNode = (name: string, label: string, [x, y]: [number, number], inputs: object) => ({
  id: `${name}_0`,
  type: "agentFlow",
  position: { x, y },
  data: { id: `${name}_0`, name, label, category: "Agent Flows", version: 1, inputs },
});

/** An AgentFlow V2 file with a step that cannot be mapped. */
const foreignFile = JSON.stringify({
  nodes: [
    foreignNode("startAgentflow", "Begin", [0, 0], { startInputType: "chatInput" }),
    foreignNode("directReplyAgentflow", "Greet", [300, 0], { directReplyMessage: "<p>Hello</p>" }),
    foreignNode("telepathyAgentflow", "Guess", [300, 200], {}),
  ],
  edges: [{ id: "a", source: "startAgentflow_0", target: "directReplyAgentflow_0", type: "agentFlow" }],
});

describe("the canvas", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const openAgent = (id: string, look?: Look) => world.open(`/agents/${id}`, look);

  it("connects by pulling, refuses with a reason, and undoes and redoes all of it", async () => {
    const page = await openAgent(
      await createAgent(world.platform, flowOf([start, step("a", at(344, 0)), step("b", at(344, 160))])),
    );
    await shows(page, ["start_0", "a", "b"]);
    await drag(page, dotOf(page, "start_0", "out"), dotOf(page, "a", "in"));
    await showsEdges(page, 1);
    // Anywhere on a step will do.
    await drag(page, dotOf(page, "a", "out"), nodeOf(page, "b"));
    await showsEdges(page, 2);
    await drag(page, dotOf(page, "b", "out"), nodeOf(page, "a"));
    await page.getByRole("status").filter({ hasText: "Use a loop step to go back." }).waitFor();
    await drag(page, dotOf(page, "b", "out"), nodeOf(page, "start_0"));
    await page.getByRole("status").filter({ hasText: "The start step has no input" }).waitFor();
    await showsEdges(page, 2);

    await page.keyboard.press("Control+z");
    await showsEdges(page, 1);
    await page.keyboard.press("Control+Shift+z");
    await showsEdges(page, 2);
    await nodeOf(page, "a").click();
    await page.keyboard.press("Delete");
    await shows(page, ["start_0", "b"]);
    await showsEdges(page, 0);
    await button(page, "Undo").click();
    await shows(page, ["start_0", "a", "b"]);
    await showsEdges(page, 2);
    await page.close();
  });

  it("moves with the mouse and the keyboard, and remembers where", async () => {
    const id = await createAgent(world.platform, flowOf([start, step("a", at(344, 0))]));
    const page = await openAgent(id);
    // Presses within a second are one step.
    await page.clock.setFixedTime(Date.now());
    await page.reload();
    await shows(page, ["start_0", "a"]);
    const { x, y } = await centreOf(nodeOf(page, "a"));
    await drag(page, nodeOf(page, "a").getByText("a", { exact: true }), { x, y: y + 160 });
    await nodeOf(page, "a").focus();
    await page.keyboard.press("Enter");
    for (let press = 0; press < 3; press += 1) await page.keyboard.press("ArrowRight");
    await publish(page);
    const moved = (await storedFlow(world.platform, id)).nodes.find((node) => node.id === "a") as unknown as {
      position: { x: number; y: number };
    };
    assert.ok(moved.position.y > 80, JSON.stringify(moved.position));
    // The three presses are one step, the drag before them is another.
    await button(page, "Undo").click();
    await button(page, "Undo").click();
    await page.getByRole("button", { name: "Undo", disabled: true }).waitFor();
    await page.close();
  });

  it("adds by search and by drag, tidies up, and lets a sub-flow take what is dropped on it", async () => {
    const id = await createAgent(
      world.platform,
      flowOf([start, { id: "each", type: "iteration", label: "Each", ...at(344, 0) }]),
    );
    const page = await openAgent(id);
    await shows(page, ["start_0", "each"]);
    await page.keyboard.press("/");
    await page.locator("input:focus").waitFor();
    await page.keyboard.type("http");
    await page.keyboard.press("Enter");
    await shows(page, ["start_0", "each", "http_0"]);
    // Leaves the search, then the step that was added.
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await page.getByLabel("Step name").waitFor({ state: "detached" });
    await page.getByLabel("Search steps").fill("direct");
    await button(page, /Direct reply/).dragTo(nodeOf(page, "each").getByText("Drop steps here"));
    await shows(page, ["start_0", "each", "http_0", "direct-reply_0"]);
    await page.locator(".react-flow__pane").click({ position: { x: 20, y: 20 } });
    await page.keyboard.press("l");
    await publish(page);
    assert.equal(
      (await storedFlow(world.platform, id)).nodes.find((node) => node.id === "direct-reply_0")?.parent,
      "each",
    );
    await page.close();
  });

  it("copies steps into another agent, where what refers to them refers to the copies", async () => {
    const talk = step("b", { ...at(688, 0), config: { message: "You said {{ a.output.content }}" } });
    const from = await createAgent(
      world.platform,
      flowOf([start, step("a", at(344, 0)), talk], [{ source: "a", target: "b" }]),
    );
    const to = await createAgent(world.platform, flowOf([start]));
    const page = await openAgent(from);
    await shows(page, ["start_0", "a", "b"]);
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Control+c");
    await page.goto(`${world.platform.url}/agents/${to}`);
    await shows(page, ["start_0"]);
    await page.keyboard.press("Control+v");
    await shows(page, ["start_0", "direct-reply_0", "direct-reply_1"]);
    await showsEdges(page, 1);
    await page.keyboard.press("Control+d");
    await shows(page, ["start_0", ...[0, 1, 2, 3].map((number) => `direct-reply_${number}`)]);
    await publish(page);
    assert.deepEqual(
      (await storedFlow(world.platform, to)).nodes.map(({ config }) => config.message),
      [
        undefined,
        undefined,
        "You said {{ direct-reply_0.output.content }}",
        undefined,
        "You said {{ direct-reply_2.output.content }}",
      ],
    );
    await page.close();
  });

  it("imports an AgentFlow V2 file with what is worth knowing about it", async () => {
    const page = await openAgent(await createAgent(world.platform, flowOf([start])));
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Import flow" }).click();
    const dialog = page.getByRole("dialog");
    // It takes the focus a moment after it is seen, from a field that is being filled.
    await dialog.locator(":focus").waitFor();
    await dialog.getByLabel("Or paste the flow as text").fill("no flow");
    await dialog.getByRole("alert").waitFor();
    await page
      .locator("input[type=file]")
      .setInputFiles({ name: "v2.json", mimeType: "application/json", buffer: Buffer.from(foreignFile) });
    await dialog.getByRole("status").filter({ hasText: "agentflow-v2" }).waitFor();
    await dialog
      .locator("li")
      .getByText(/telepathyAgentflow/)
      .waitFor();
    await assertAccessible(page, "import");
    await screenshot(page, "canvas-import");
    await button(page, "Replace canvas").click();
    await retry(async () => assert.equal((await nodeIds(page)).length, 2));
    await page.locator(".react-flow__node").getByText("Greet").waitFor();
    await button(page, "Undo").click();
    await shows(page, ["start_0"]);
    await page.close();
  });

  it("shows a stored V2 flow as it runs, and rewrites it when it is saved and not before", async () => {
    const id = await createAgent(world.platform, foreignFile);
    const page = await openAgent(id);
    await page.getByText("The stored flow stays unchanged until you publish.").waitFor();
    await page.locator(".react-flow__node").getByText("Greet").click();
    assert.equal(await storedText(world.platform, id), foreignFile);
    await page.getByLabel("Step name").fill("Greet all");
    await page.getByText("Publishing converts it to the native format").waitFor();
    await publish(page);
    assert.deepEqual(
      (await storedFlow(world.platform, id)).nodes.map(({ type, label }) => [type, label]),
      [
        ["start", "Begin"],
        ["direct-reply", "Greet all"],
      ],
    );
    await page.close();
  });

  it("saves its draft by itself, publishes it when asked, and discards it", async () => {
    const id = await createAgent(world.platform, flowOf([start]));
    const page = await openAgent(id);
    await shows(page, ["start_0"]);
    const state = (text: string | RegExp) => page.getByRole("status").filter({ hasText: text }).waitFor();
    const add = async (query: string) => {
      await page.keyboard.press("/");
      await page.getByLabel("Search steps").fill(query);
      await page.keyboard.press("Enter");
    };
    const published = async () => (await storedFlow(world.platform, id)).nodes.map((node) => node.id).toSorted();
    await add("direct");
    await state("Draft saved");
    assert.deepEqual(await published(), ["start_0"]);

    // Left before it was saved.
    await add("http");
    await page.getByRole("link", { name: "All agents" }).click();
    await page.waitForURL(/\/agents$/);
    await page.goto(`/agents/${id}`);
    await shows(page, ["start_0", "direct-reply_0", "http_0"]);
    await state("Draft saved");
    assert.deepEqual(await published(), ["start_0"]);

    await publish(page);
    assert.deepEqual(await published(), ["direct-reply_0", "http_0", "start_0"]);
    await page.reload();
    await state(/^Published/);
    await nodeOf(page, "http_0").click();
    await nodeOf(page, "http_0").focus();
    await page.keyboard.press("Delete");
    await state("Draft saved");
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: "Discard the draft" }).click();
    await shows(page, ["start_0", "direct-reply_0", "http_0"]);
    await state(/^Published/);
    await page.close();
  });

  it("says that a draft could not be saved, saves it when the line is back, and asks before it is left", async () => {
    const page = await openAgent(await createAgent(world.platform, flowOf([start, step("a", at(344, 0))])));
    await shows(page, ["start_0", "a"]);
    await nodeOf(page, "a").click();
    await page.getByLabel("Step name").waitFor();
    await page.context().setOffline(true);
    await page.getByLabel("Step name").fill("Renamed step");
    await page.getByRole("status").filter({ hasText: "Draft not saved" }).waitFor();
    await page.getByRole("link", { name: "All agents" }).click();
    await button(page, "Stay").click();
    assert.match(page.url(), /\/agents\/.+/);
    await page.context().setOffline(false);
    await page.getByRole("status").filter({ hasText: "Draft saved" }).waitFor();
    await page.close();
  });

  it("says in the second of two tabs that the first saved the draft, and leaves the choice", async () => {
    const id = await createAgent(world.platform, flowOf([start, step("a", at(344, 0))]));
    const [mine, theirs] = [await openAgent(id), await openAgent(id)];
    const label = async (page: Page, name: string) => {
      await nodeOf(page, "a").click();
      await page.getByLabel("Step name").fill(name);
    };
    for (const page of [mine, theirs]) await shows(page, ["start_0", "a"]);
    const saved = (page: Page) => page.getByRole("status").filter({ hasText: "Draft saved" }).waitFor();
    await label(theirs, "Theirs");
    await saved(theirs);
    await label(mine, "Mine");
    await mine.getByText("Someone else changed this flow since you opened it").first().waitFor();
    await button(mine, "Keep mine").click();
    await saved(mine);
    await label(theirs, "Theirs again");
    await button(theirs, "Load theirs").click();
    await nodeOf(theirs, "a").getByText("Mine").waitFor();
    await Promise.all([mine.close(), theirs.close()]);
  });

  it("says that somebody else published the agent, and leaves the choice", async () => {
    const id = await createAgent(world.platform, flowOf([start, step("a", at(344, 0))]));
    const page = await openAgent(id);
    await shows(page, ["start_0", "a"]);
    await world.platform.call("PUT", `/chatflows/${id}`, { flowData: flowOf([start, step("theirs", at(344, 0))]) });
    await nodeOf(page, "a").click();
    await page.getByLabel("Step name").fill("Mine");
    await page.getByText("Someone else changed this flow since you opened it").first().waitFor();
    await button(page, "Keep mine").click();
    await page.getByRole("status").filter({ hasText: "Draft saved" }).waitFor();
    await confirmPublishing(page);
    const dialog = page.getByRole("dialog").filter({ hasText: "Someone else published this agent" });
    await dialog.getByRole("button", { name: "Keep mine" }).click();
    await page
      .getByRole("status")
      .filter({ hasText: /^Published( ·|$)/ })
      .waitFor();
    assert.equal((await storedFlow(world.platform, id)).nodes.find((node) => node.id === "a")?.label, "Mine");
    await page.getByLabel("Agent name").fill("Renamed");
    await page.keyboard.press("Enter");
    await retry(async () => {
      const { name } = await world.platform.call<{ name: string }>("GET", `/chatflows/${id}`);
      assert.equal(name, "Renamed");
    });
    await page.close();
  });

  it("shows findings at the step that has them, while it is edited", async () => {
    const page = await openAgent(
      await createAgent(
        world.platform,
        flowOf(
          [start, step("a", { ...at(344, 0), config: { message: "{{ typo }}" } })],
          [{ source: "start_0", target: "a" }],
        ),
      ),
    );
    await nodeOf(page, "a").getByRole("img", { name: /typo/ }).waitFor();
    await button(page, "1 finding").click();
    await page.getByRole("button", { name: /typo/ }).last().click();
    await page.getByLabel("Step name").waitFor();
    await page.locator(".cm-content").first().fill("Hello");
    await button(page, "No findings").waitFor();
    await page.close();
  });

  it("is reachable without a mouse, and explains its keys", async () => {
    const page = await openAgent(await createAgent(world.platform, flowOf([start, step("a", at(344, 0))])));
    await nodeOf(page, "a").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Step name").waitFor();
    await nodeOf(page, "a").focus();
    await page.keyboard.press("Escape");
    await page.getByLabel("Step name").waitFor({ state: "detached" });
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Tidy up").waitFor();
    await page.close();
  });

  it("breaks no rule of accessibility, and fits its window", async () => {
    const branches = [{ id: "a", title: "Yes", conditions: [{ type: "string", left: "1", right: "1" }] }];
    const nodes = [
      start,
      { id: "c", type: "condition", label: "Which?", ...at(344, 0), config: { branches } },
      step("a", at(688, -60)),
      { id: "each", type: "iteration", label: "Each", ...at(688, 80), config: { items: "[1]" } },
      { id: "note", type: "sticky-note", label: "Note", ...at(0, 160), config: { text: "Hello" } },
    ];
    const edges = [
      { source: "start_0", target: "c" },
      { source: "c", sourcePort: "a", target: "a" },
      { source: "c", sourcePort: "else", target: "each" },
    ];
    const id = await createAgent(world.platform, flowOf(nodes, edges), "Everything");
    for (const look of [{ colours: "light" }, { colours: "dark" }, { colours: "light", width: 768 }] as const) {
      const page = await openAgent(id, look);
      await showsEdges(page, 3);
      const name = `canvas-${Object.values(look).join("-")}`;
      await screenshot(page, name);
      await assertAccessible(page, name);
      await nodeOf(page, "c").getByText("Which?").click();
      await page.getByLabel("Step name").waitFor();
      await screenshot(page, `${name}-step`);
      await assertAccessible(page, `${name} with a step`);
      const excess = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(excess, 0);
      await page.close();
    }
  });
});
