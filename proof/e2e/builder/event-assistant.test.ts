import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Locator, Page } from "playwright-core";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { button, nodeOf, publish, shows, showsEdges } from "./testing/canvas-page.ts";
import { answerIn, answerText, ask, lastAnswer } from "./testing/chat-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent, storedFlow } from "./testing/stored-agents.ts";

type Event = { id: string; name: string; date: string; location: string };

/** What a person fills in for a request tool. */
type Request = { tool: string; url: string; name: string; description: string; properties: string; required: string[] };

describe("the event assistant", () => {
  let world: BuilderWorld;
  let events: string;

  before(async () => {
    const port = await freePort();
    events = `http://127.0.0.1:${port}/events`;
    world = await startBuilder({ env: { EVENT_API: "true", EVENT_API_PORT: String(port) } });
  });
  after(() => world?.close());

  it("is made of an empty canvas by hand, lists events, adds one, and shows how", async () => {
    const id = await createAgent(world.platform, "{}", "Event assistant");
    const page = await world.open(`/agents/${id}`);
    await page.getByRole("heading", { name: "Empty canvas" }).waitFor();
    await screenshot(page, "canvas-empty");
    await button(page, "Add Start + Agent").click();
    await shows(page, ["start_0", "agent_0"]);
    await showsEdges(page, 1);
    await page.getByLabel("Step name").fill("Event assistant");
    await page.getByRole("textbox", { name: "Instructions" }).click();
    await page.keyboard.type("You manage a calendar.");

    const form = page.getByRole("complementary", { name: "Step", exact: true });
    await addRequest(page, form, 0, {
      tool: "GET request",
      url: events,
      name: "get_events",
      description: "Use this to get all events",
      properties: "parameters",
      required: [],
    });
    await addRequest(page, form, 1, {
      tool: "POST request",
      url: events,
      name: "create_event",
      description: "Use this to create a new event",
      properties: "bodySchema",
      required: ["name", "date", "location"],
    });
    await publish(page);
    await screenshot(page, "event-assistant-canvas");
    const { nodes, edges } = await storedFlow(world.platform, id);
    assert.deepEqual(
      nodes.map(({ type, label }) => [type, label]),
      [
        ["start", "Start"],
        ["agent", "Event assistant"],
      ],
    );
    assert.deepEqual(nodes[1]?.config.messages, [{ role: "system", content: "You manage a calendar." }]);
    assert.deepEqual(
      edges.map(({ source, sourcePort, target }) => [source, sourcePort, target]),
      [["start_0", "out", "agent_0"]],
    );

    await button(page, "Chat").click();
    await ask(page, "List all events");
    await answerIn(page, "finished");
    assert.match((await answerText(page).textContent()) ?? "", /Jazz by the River/);
    await lastAnswer(page)
      .getByRole("button", { name: /get_events/ })
      .click();
    await lastAnswer(page).getByRole("group", { name: "Arguments" }).waitFor();
    await nodeOf(page, "agent_0").getByRole("img", { name: "Finished" }).waitFor();

    await ask(page, 'Create an event called "Tea time" on 2030-05-01 at 15:00 in "The Orchard"');
    await lastAnswer(page)
      .getByRole("button", { name: /create_event/ })
      .waitFor();
    await answerIn(page, "finished");
    await screenshot(page, "event-assistant-chat");
    const stored = (await (await fetch(events)).json()) as Event[];
    assert.deepEqual(
      stored.filter(({ name }) => name === "Tea time").map(({ date, location }) => [date, location]),
      [["2030-05-01T15:00:00Z", "The Orchard"]],
    );
    await page.close();
  });
});

async function addRequest(page: Page, form: Locator, index: number, request: Request): Promise<void> {
  const { tool, url, name, description, properties, required } = request;
  const fieldOf = (field: string) => form.locator(`[data-field="tools.${index}.config.${field}"]`);
  await button(page, "Add tool").click();
  await page.getByRole("textbox", { name: "Search tools" }).fill(tool);
  await page.getByRole("option", { name: tool }).first().click();
  await fieldOf("url").getByRole("textbox").click();
  await page.keyboard.type(url);
  await fieldOf("name").getByRole("textbox").fill(name);
  await fieldOf("description").getByRole("textbox").fill(description);
  for (const [at, property] of required.entries()) {
    await fieldOf(properties).getByRole("button", { name: "Add property" }).click();
    await fieldOf(properties)
      .getByLabel(`Name ${at + 1}`)
      .fill(property);
  }
}
