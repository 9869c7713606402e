import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { readDownload } from "../testing/read-download.ts";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";

const flowData = JSON.stringify({
  weft: 1,
  nodes: [
    { id: "start_0", type: "start" },
    { id: "reply_0", type: "direct-reply", config: { message: "You said: {{ question }}" } },
  ],
  edges: [{ id: "e", source: "start_0", target: "reply_0" }],
});

type Answer = { chatMessageId: string; chatId: string };

describe("the messages of an agent", () => {
  let world: BuilderWorld;
  let agentId: string;

  before(async () => {
    world = await startBuilder();
    const { call } = world.platform;
    agentId = (await call<{ id: string }>("POST", "/chatflows", { name: "Echo", flowData })).id;
  });
  after(() => world?.close());

  const conversations = () => `/agents/${agentId}/messages`;

  async function ask(question: string, rating?: "THUMBS_UP" | "THUMBS_DOWN"): Promise<Answer> {
    const { call } = world.platform;
    const answer = await call<Answer>("POST", `/prediction/${agentId}`, { question });
    if (rating)
      await call("POST", "/feedback", { messageId: answer.chatMessageId, rating, content: `${question}: why` });
    return answer;
  }

  it("say what will be here while nobody has said anything", async () => {
    const page = await world.open("/agents");
    await page.getByRole("button", { name: "Actions of Echo" }).click();
    await page.getByRole("menuitem", { name: "Messages and leads" }).click();
    await page.getByText("No messages yet").waitFor();
    await assertAccessible(page, "no messages");
    await page.getByRole("tab", { name: "Leads" }).click();
    await page.getByText("No leads yet").waitFor();
  });

  it("are read as conversations, with what people thought of the answers", async () => {
    await ask("First question", "THUMBS_DOWN");
    await ask("Second question", "THUMBS_UP");
    await ask("=SUM(1)");
    const page = await world.open(conversations());
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByText("First question").click();
    const conversation = page.getByRole("region", { name: "Conversation" });
    await conversation.getByText("You said: First question").waitFor();
    await conversation.getByText("Rated bad").waitFor();
    await conversation.getByText("First question: why").waitFor();
    assert.equal(await list.getByRole("button").count(), 3);
    for (const colours of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: colours });
      await assertAccessible(page, `messages, ${colours}`);
      await screenshot(page, `messages-${colours}`);
    }
    await page.setViewportSize({ width: 768, height: 900 });
    await screenshot(page, "messages-768");
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth);
    await retry(async () => assert.equal(await isWide(), false));
  });

  it("are filtered by rating, kind, day and session, and the address remembers it", async () => {
    const page = await world.open(`${conversations()}?feedback=THUMBS_UP`);
    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByRole("button").first().waitFor();
    assert.equal(await list.getByRole("button").count(), 1);
    await page.getByRole("combobox", { name: "Source" }).click();
    await page.getByRole("option", { name: "Builder" }).click();
    await page.getByText("No messages match").waitFor();
    assert.match(page.url(), /where=INTERNAL/);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await list.getByText("Second question").waitFor();
    const { chatId } = await ask("Only this one");
    await page.getByRole("textbox", { name: "Session" }).fill(chatId);
    await list.getByText("Only this one").waitFor();
    assert.equal(await list.getByRole("button").count(), 1);
    await page.getByRole("button", { name: "Clear filters" }).click();
    await page.getByLabel("Until").fill("2020-01-01");
    await page.getByText("No messages match").waitFor();
  });

  it("leave as CSV that a spreadsheet does not run", async () => {
    const page = await world.open(conversations());
    // The file is called after the agent.
    await page.getByRole("heading", { name: "Messages: Echo" }).waitFor();
    await page.getByRole("navigation", { name: "Conversations" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const file = await download;
    assert.equal(file.suggestedFilename(), "Echo-messages.csv");
    const text = await readDownload(file);
    const lines = text.trim().split("\r\n");
    const { length } = await world.platform.call<unknown[]>("GET", `/chatmessage/${agentId}`);
    assert.equal(lines.length, length + 1);
    assert.ok(lines.some((line) => line.includes(",User,'=SUM(1),")));
    assert.ok(lines.some((line) => line.includes("You said: First question,Bad,First question: why")));
  });

  it("show who left an address, and lead to what they said", async () => {
    const { chatId } = await ask("Call me");
    const lead = { chatflowid: agentId, name: "Ada", email: "ada@example.com", phone: "", chatId };
    await world.platform.call("POST", "/leads", lead);
    const page = await world.open(`${conversations()}?tab=leads`);
    await page.getByRole("link", { name: "ada@example.com" }).waitFor();
    await assertAccessible(page, "leads");
    await screenshot(page, "leads");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    assert.match(await readDownload(await download), /Ada,ada@example\.com/);
    await page.getByRole("link", { name: "Conversation", exact: true }).click();
    await page.getByRole("region", { name: "Conversation" }).getByText("You said: Call me").waitFor();
  });

  it("let a lead be deleted, after a question, and keep the conversation", async () => {
    const { call } = world.platform;
    const { chatId } = await ask("Forget me");
    const { id } = await call<{ id: string }>("POST", "/chatflows", { name: "Leads", flowData });
    for (const name of ["Grace", "Edsger"]) {
      const email = `${name.toLowerCase()}@example.com`;
      await call("POST", "/leads", { chatflowid: id, name, email, phone: "", chatId });
    }
    const page = await world.open(`/agents/${id}/messages?tab=leads`);
    const choose = async (name: string, answer: string) => {
      await page.getByRole("button", { name: `Actions of ${name}` }).click();
      await page.getByRole("menuitem", { name: "Delete lead" }).click();
      const dialog = page.getByRole("dialog", { name: "Delete this lead?" });
      await dialog.getByText("The conversation stays.").waitFor();
      await dialog.getByRole("button", { name: answer }).click();
      await dialog.waitFor({ state: "hidden" });
    };
    const left = async () => (await call<{ name: string }[]>("GET", `/leads/${id}`)).map(({ name }) => name);
    await choose("Grace", "Cancel");
    assert.deepEqual((await left()).toSorted(), ["Edsger", "Grace"]);
    await choose("Grace", "Delete lead");
    await page.getByText("The lead was deleted.").waitFor();
    await page.getByRole("link", { name: "grace@example.com" }).waitFor({ state: "hidden" });
    await page.getByRole("link", { name: "edsger@example.com" }).waitFor();
    assert.deepEqual(await left(), ["Edsger"]);
    await choose("Edsger", "Delete lead");
    await page.getByText("No leads yet").waitFor();
    const messages = await call<{ chatId: string }[]>("GET", `/chatmessage/${agentId}?chatId=${chatId}`);
    assert.equal(messages.length, 2);
  });
});
