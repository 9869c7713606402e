import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createScriptedOpenAiServer, type ScriptedOpenAiServer } from "@weft/providers/testing";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { draftFlow } from "./testing/stored-agents.ts";

const call = (name: string, given: Record<string, unknown>) => ({ name, arguments: given });
const tools = [
  {
    type: "request-post",
    requiresApproval: true,
    config: { url: "{{ $vars.shop }}/refunds", name: "refund", description: "Refunds an order" },
  },
];
const instructions = [{ role: "system", content: "You answer questions about orders." }];

/** What the model answers, by what it is asked and what it has done so far. */
const drafting = [
  [
    call("add_step", {
      type: "agent",
      label: "Answer",
      after: { step: "start" },
      config: { messages: instructions, tools },
    }),
    call("finish", {
      name: "Order help",
      summary: "It answers questions about orders and refunds.",
      open: ["Set the variable shop to the address of your shop."],
    }),
  ],
];
const changing = [
  [
    call("set_fields", {
      step: "answer",
      fields: { "messages.0.content": "You answer questions about orders, briefly." },
    }),
    call("add_step", {
      type: "human-input",
      label: "Check",
      after: { step: "answer" },
      config: { question: "Send this answer?" },
    }),
    call("finish", { summary: "The answer is shorter, and a person looks at it before it is sent.", open: [] }),
  ],
];

const idIn = (page: Page) => new URL(page.url()).pathname.split("/").at(-1) ?? "";
const button = (page: Page, name: string | RegExp) =>
  page.getByRole("button", { name, exact: typeof name === "string" });

describe("an agent by a sentence", () => {
  let world: BuilderWorld;
  let turns = drafting;

  let model: ScriptedOpenAiServer;

  before(async () => {
    model = await createScriptedOpenAiServer({
      script: ({ messages }) => {
        const done = messages.filter(({ role }) => role === "assistant").length;
        return { toolCalls: turns[done] ?? [] };
      },
    });
    world = await startBuilder({
      env: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "sk-test", DEFAULT_MODEL: "scripted" },
    });
  });
  after(async () => {
    await world?.close();
    await model?.close();
  });

  it("is drafted from it in two clicks, and opens with what is still to be chosen", async () => {
    const page = await world.open("/agents");
    await page.getByRole("link", { name: "New agent" }).first().click();
    await page.getByLabel("What should your agent do?").fill("Answer questions about orders, and refund them.");
    await assertAccessibleInBoth(page, "describing an agent");
    await screenshot(page, "describe-agent");
    await button(page, "Draft it").click();
    await page.getByText("Still to choose").waitFor();
    await page.getByText("Set the variable shop to the address of your shop.").waitFor();
    assert.equal(await page.getByLabel("Agent name").inputValue(), "Order help");
    await assertAccessibleInBoth(page, "a drafted agent");
    await screenshot(page, "drafted-agent");
    const { nodes } = await draftFlow(world.platform, idIn(page));
    assert.deepEqual(
      nodes.map(({ id }) => id),
      ["start", "answer"],
    );
    await page.close();
  });

  it("is changed by another, after one looked at each change, and one undo takes it back", async () => {
    turns = drafting;
    const page = await world.open("/new");
    await page.getByLabel("What should your agent do?").fill("Answer questions about orders.");
    await page.keyboard.press("Control+Enter");
    await page.getByText("Still to choose").waitFor();
    turns = changing;
    await page.getByLabel("What should change?").fill("Shorter, and a person should look at it first.");
    await button(page, "Propose changes").click();
    await page.getByText("a person looks at it before it is sent").waitFor();
    await assertAccessibleInBoth(page, "proposed changes");
    await screenshot(page, "proposed-changes");
    const stored = async () => (await draftFlow(world.platform, idIn(page))).nodes;
    assert.deepEqual(
      (await stored()).map(({ id }) => id),
      ["start", "answer"],
      "Nothing changes before it is accepted.",
    );
    await page.getByRole("checkbox", { name: /Check/ }).uncheck();
    await button(page, "Accept 1 change").click();
    await page.getByText("Draft saved").waitFor();
    assert.match(JSON.stringify(await stored()), /orders, briefly/);
    assert.equal((await stored()).length, 2);
    await button(page, "Undo").click();
    await page.getByText("Draft saved").waitFor();
    await page.waitForFunction(() => document.readyState === "complete");
    assert.doesNotMatch(JSON.stringify(await stored()), /orders, briefly/);
    await page.close();
  });
});

describe("an installation without a model", () => {
  let world: BuilderWorld;
  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  it("says where to connect one", async () => {
    const page = await world.open("/new");
    await page.getByText("Connect a model to draft agents from a description:").waitFor();
    assert.equal(await page.getByLabel("What should your agent do?").isDisabled(), true);
    await page.getByRole("link", { name: "Models" }).last().click();
    await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
    await page.close();
  });
});
