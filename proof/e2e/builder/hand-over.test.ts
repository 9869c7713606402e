import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "@weft/providers/testing";
import { scriptedModelEnv } from "../../../packages/server/src/testing/scripted-model.ts";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

const tool = {
  type: "hand-over",
  config: { hours: [{ days: "every-day", from: "00:00", to: "24:00" }], awayMessage: "Leave your address." },
};
const flowData = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start" },
    { id: "agent_0", type: "agent", config: { tools: [tool] } },
  ],
  edges: [{ id: "e", source: "start_0", target: "agent_0" }],
});

describe("an agent that asks for a person", () => {
  let world: BuilderWorld;
  let model: ScriptedOpenAiServer;
  let agentId: string;

  before(async () => {
    model = await createScriptedOpenAiServer({
      script: ({ messages }) =>
        messages.at(-1)?.role === "tool"
          ? { text: "Someone will answer here." }
          : { toolCalls: [{ name: "hand_over_to_a_person", arguments: { reason: "Wants a refund of 80 euros." } }] },
    });
    world = await startBuilder({ env: scriptedModelEnv(model) });
    const { call } = world.platform;
    agentId = (await call<{ id: string }>("POST", "/chatflows", { name: "Shop", flowData })).id;
  });
  after(async () => {
    await world?.close();
    await model?.close();
  });

  const ask = (question: string, chatId: string) =>
    world.platform.call<{ text: string }>("POST", `/prediction/${agentId}`, { question, chatId });

  it("is found among the conversations, says why, and goes on where it is left to", async () => {
    assert.equal((await ask("Refund me", "one")).text, "Someone will answer here.");
    await ask("My money!", "two");
    const page = await world.open("/conversations");
    await page.getByRole("combobox", { name: "State" }).click();
    await page.getByRole("option", { name: "Asking for a person" }).click();
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByText("Asks for a person").first().waitFor();
    await list.getByText("Refund me").click();
    await page.getByText("The agent asks for a person: Wants a refund of 80 euros.").waitFor();
    await assertAccessible(page, "a conversation that asks for a person");
    await screenshot(page, "hand-over");
    await page.getByRole("button", { name: "Leave it to the agent" }).click();
    await list.getByText("Refund me").waitFor({ state: "detached" });
    await list.getByText("My money!").click();
    await page.getByRole("button", { name: "Take over" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take over" }).click();
    await page.getByText("You answer this conversation.").waitFor();
    assert.equal(await page.getByText(/^The agent asks for a person/).count(), 0);
    await page.getByText("The agent asked for a person").waitFor({ state: "attached" });
    await page.close();
  });

  it("has its office hours in the form of the tool", async () => {
    const page = await world.open(`/agents/${agentId}`, { width: 1_600, height: 1_000 });
    await page.locator('.react-flow__node[data-id="agent_0"]').click();
    await page
      .getByRole("button", { name: /Hand over to a person/ })
      .first()
      .click();
    await page.getByLabel("Message outside office hours").first().waitFor();
    await page.getByText("Office hours").first().waitFor();
    await assertAccessible(page, "the form of a hand-over");
    await screenshot(page, "hand-over-form");
    await page.close();
  });
});
