import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

const flowData = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start" },
    { id: "reply_0", type: "direct-reply", config: { message: "Agent: {{ question }}" } },
  ],
  edges: [{ id: "e", source: "start_0", target: "reply_0" }],
});

describe("the conversations of all agents", () => {
  let world: BuilderWorld;
  let agentId: string;
  const chatId = randomUUID();

  before(async () => {
    world = await startBuilder();
    const { call } = world.platform;
    agentId = (await call<{ id: string }>("POST", "/chatflows", { name: "Shop", flowData })).id;
  });
  after(() => world?.close());

  const ask = (question: string, chat = chatId) =>
    world.platform.call<{ text: string; chatMessageId: string }>("POST", `/prediction/${agentId}`, {
      question,
      chatId: chat,
    });

  it("say what will be here while nobody has said anything", async () => {
    const page = await world.open("/conversations");
    await page.getByText("No conversations yet").waitFor();
    await assertAccessible(page, "no conversations");
  });

  it("are found by what was said and how it was rated, and answered in four clicks", async () => {
    const { chatMessageId } = await ask("Where is my refund?");
    await ask("Hello", randomUUID());
    const { call } = world.platform;
    await call("POST", "/feedback", { messageId: chatMessageId, rating: "THUMBS_DOWN", content: "No answer" });
    const page = await world.open("/conversations");
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByText("Hello").waitFor();
    await page.getByLabel("Search", { exact: true }).fill("refund");
    await list.getByText("Hello").waitFor({ state: "detached" });
    // One: the conversation. Two: take it over. Three: confirm. Four: send.
    await list.getByText("Where is my refund?").click();
    await page.getByText("Rated bad").waitFor();
    await page.getByRole("button", { name: "Take over" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Your name in the chat").fill("Ada");
    await assertAccessible(page, "taking a conversation over");
    await dialog.getByRole("button", { name: "Take over" }).click();
    await page.getByText("You answer this conversation.").waitFor();
    await page.getByRole("textbox", { name: "Your reply" }).fill("It left **today**.");
    await page.getByRole("button", { name: "Send" }).click();
    await page.getByRole("article").getByText("It left today.").waitFor();
    await assertAccessible(page, "a conversation that a person answers");
    await screenshot(page, "conversations");
    assert.match((await ask("Thank you")).text, /A person answers/);
    await page.getByRole("article").getByText("Thank you").waitFor();
    await page.getByRole("button", { name: "Hand back to the agent" }).click();
    await page.getByRole("button", { name: "Take over" }).waitFor();
    assert.equal((await ask("And now?")).text, "Agent: And now?");
  });

  it("take labels and a note, by which they are found", async () => {
    const page = await world.open("/conversations");
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByText("Where is my refund?").click();
    await page.getByText("Labels and note").click();
    await page.getByLabel("Labels", { exact: true }).first().fill("refund");
    await page.keyboard.press("Enter");
    await list.getByText("refund", { exact: true }).waitFor();
    await page.getByRole("textbox", { name: "Note" }).fill("Sent by post");
    await page.getByLabel("Labels", { exact: true }).first().focus();
    await page
      .getByText(/ took over/)
      .first()
      .waitFor();
    await page.getByRole("textbox", { name: "Label", exact: true }).fill("refund");
    await list.getByText("Hello").waitFor({ state: "detached" });
    await page.reload();
    await page.getByText("Labels and note").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Note" }).inputValue(), "Sent by post");
  });

  it("keep what was typed when a reply cannot be sent", async () => {
    const page = await world.open("/conversations");
    await page.getByRole("navigation", { name: "Conversations" }).getByText("Where is my refund?").click();
    await page.getByRole("button", { name: "Take over" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Take over" }).click();
    await page.getByRole("textbox", { name: "Your reply" }).fill("Are you there?");
    await page.route("**/replies", (route) => route.abort());
    await page.getByRole("textbox", { name: "Your reply" }).press("Enter");
    await page.getByText("Your reply wasn’t sent").waitFor();
    assert.equal(await page.getByRole("textbox", { name: "Your reply" }).inputValue(), "Are you there?");
    await page.unroute("**/replies");
    await page.getByRole("textbox", { name: "Your reply" }).press("Enter");
    await page.getByRole("article").getByText("Are you there?").waitFor();
  });
});
