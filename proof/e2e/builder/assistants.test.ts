import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { answerIn } from "./testing/chat-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

type Assistant = {
  id: string;
  details: { name: string; instructions: string; tools: string[]; tool_resources: object; temperature: number };
};

describe("the assistant pages", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const call = <T>(...args: Parameters<BuilderWorld["platform"]["call"]>) => world.platform.call<T>(...args);
  const create = (details: object) => call<Assistant>("POST", "/assistants", { details });

  it("say what an assistant is while there is none", async () => {
    const page = await world.open("/assistants");
    await page.getByText("No assistants yet").waitFor();
    await assertAccessibleInBoth(page, "assistants empty");
  });

  it("make an assistant that answers from a document store, and talk to it", async () => {
    const store = await call<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
    const refunds = "Refunds take five days.";
    const loader = { name: "plain-text", config: { text: refunds } };
    await call("POST", `/document-store/upsert/${store.id}`, { loader });
    const page = await world.open("/assistants");
    await page.getByRole("link", { name: "New assistant" }).first().click();
    await page.getByText("Save the assistant to chat with it.").waitFor();
    assert.ok(await page.getByRole("button", { name: "Save", exact: true }).isDisabled());
    await page.getByRole("textbox", { name: "Name" }).fill("Support");
    await page.getByRole("textbox", { name: "Instructions" }).fill("You help with our products.");
    await page.getByRole("switch", { name: "File search" }).check();
    await page.getByText("Choose at least one store").waitFor();
    await page.getByRole("combobox", { name: "Which document stores" }).click();
    await page.getByRole("option", { name: "Handbook" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("slider", { name: "Temperature" }).focus();
    await page.keyboard.press("ArrowLeft");
    await assertAccessibleInBoth(page, "assistant new");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/\/assistants\/[0-9a-f-]{36}$/);
    const [stored] = await call<Assistant[]>("GET", "/assistants");
    assert.partialDeepStrictEqual(stored?.details, {
      name: "Support",
      instructions: "You help with our products.",
      temperature: 0.95,
      tools: ["file_search"],
      tool_resources: { file_search: { vector_store_ids: [store.id] } },
    });

    const chat = page.getByRole("region", { name: "Chat" });
    await chat.getByRole("textbox").fill("Search the documents about refunds");
    await page.keyboard.press("Enter");
    await answerIn(page, "finished");
    await chat.getByRole("button", { name: /source/i }).click();
    await chat.getByText(refunds).first().waitFor();
    await assertAccessibleInBoth(page, "assistant");
    await page.setViewportSize({ width: 768, height: 900 });
    await screenshot(page, "assistant-768");

    await page.goto(`${world.platform.url}/document-stores`);
    await page.getByRole("link", { name: "Support" }).click();
    await page.getByRole("heading", { level: 1, name: "Support" }).waitFor();
  });

  it("give an assistant a model, numbers and tools, and say in the chat what is wrong with them", async () => {
    const schema = "[]";
    const func = 'return "Order 42 is late.";';
    const tool = { name: "list_orders", description: "Lists the orders", schema, func };
    const { id: toolId } = await call<{ id: string }>("POST", "/tools", tool);
    const page = await world.open("/assistants/new");
    const saved = page.getByRole("button", { name: "Saved", exact: true });
    await page.getByRole("textbox", { name: "Name" }).fill("Clerk");
    await page.getByRole("slider", { name: "Top P" }).focus();
    await page.keyboard.press("ArrowLeft");
    await page.getByRole("switch", { name: "Functions" }).check();
    await page.getByRole("combobox", { name: "Which tools" }).click();
    await page.getByRole("option", { name: "list_orders" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("switch", { name: "Code interpreter" }).check();
    await assertAccessibleInBoth(page, "assistant with tools");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/\/assistants\/[0-9a-f-]{36}$/);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const detailsOf = async () => (await call<Assistant>("GET", `/assistants/${id}`)).details;
    assert.partialDeepStrictEqual(await detailsOf(), {
      temperature: 1,
      top_p: 0.95,
      tools: ["function", "code_interpreter"],
      tool_resources: { function: { tool_ids: [toolId] } },
    });
    const chat = page.getByRole("region", { name: "Chat" });
    const message = chat.getByRole("textbox");
    await message.fill("List all orders");
    await page.keyboard.press("Enter");
    await chat.getByRole("button", { name: /list_orders/ }).waitFor();
    await chat
      .getByText(/Order 42 is late/)
      .first()
      .waitFor();
    await answerIn(page, "finished");

    await page.getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "OpenAI", exact: true }).click();
    await page.getByRole("combobox", { name: "Model", exact: true }).fill("gpt-of-tomorrow");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved.waitFor();
    assert.partialDeepStrictEqual(await detailsOf(), { provider: "openai", model: "gpt-of-tomorrow" });
    await message.fill("And now?");
    await page.keyboard.press("Enter");
    await chat
      .getByText(/API key/)
      .first()
      .waitFor();
    await screenshot(page, "assistant-failed");

    await call("DELETE", `/tools/${toolId}`);
    await page.reload();
    await page
      .getByText(`Deleted (${toolId.slice(0, 8)})`)
      .first()
      .waitFor();
    await page.getByRole("combobox", { name: "Which tools" }).click();
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await saved.waitFor();
    assert.deepEqual((await detailsOf()).tool_resources, {});
    await page.getByRole("link", { name: "All assistants" }).click();
    const row = page.getByRole("row").filter({ hasText: "Clerk" });
    await row.getByText("gpt-of-tomorrow").waitFor();
    await row.getByText("Functions, Code interpreter").waitFor();
  });

  it("make an assistant for the store that somebody looks at", async () => {
    const store = await call<{ id: string }>("POST", "/document-store/store", { name: "Terms" });
    const page = await world.open(`/document-stores/${store.id}`);
    await page.getByRole("button", { name: "Actions of Terms" }).click();
    await page.getByRole("menuitem", { name: "New assistant with this store" }).click();
    await page.getByText("Save the assistant to chat with it.").waitFor();
    assert.ok(await page.getByRole("switch", { name: "File search" }).isChecked());
    await page.getByRole("textbox", { name: "Name" }).fill("Lawyer");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.waitForURL(/\/assistants\/[0-9a-f-]{36}$/);
    const assistants = await call<Assistant[]>("GET", "/assistants");
    const lawyer = assistants.find(({ details }) => details.name === "Lawyer");
    assert.deepEqual(lawyer?.details.tool_resources, { file_search: { vector_store_ids: [store.id] } });
  });

  it("keep what another client set, ask before changes are lost, and undo nobody's save", async () => {
    const { id } = await create({ name: "Theirs", chatModel: { name: "theirs" }, tools: ["code_interpreter"] });
    const page = await world.open(`/assistants/${id}`, { colours: "dark" });
    const instructions = page.getByRole("textbox", { name: "Instructions" });
    await instructions.fill("Mine.");
    await page.getByText("The chat uses the last saved version.").waitFor();
    await page.getByRole("link", { name: "All assistants" }).click();
    const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
    await assertAccessibleInBoth(page, "assistant leave");
    await dialog.getByRole("button", { name: "Stay" }).click();
    await call("PUT", `/assistants/${id}`, { details: { instructions: "Theirs." } });
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("Someone else saved this assistant").waitFor();
    await page.getByRole("button", { name: "Reload" }).click();
    await page.waitForFunction(() => document.querySelector("textarea")?.value === "Theirs.");
    await instructions.fill("Both.");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: "Saved", exact: true }).waitFor();
    const { details } = await call<Assistant>("GET", `/assistants/${id}`);
    assert.partialDeepStrictEqual(details, {
      instructions: "Both.",
      tools: ["code_interpreter"],
      chatModel: { name: "theirs" },
    });
  });

  it("find and delete", async () => {
    await create({ name: "Doomed", description: "To be deleted" });
    const page = await world.open("/assistants");
    await page.getByRole("searchbox", { name: "Search assistants" }).fill("to be del");
    await assertAccessibleInBoth(page, "assistants");
    await page.getByRole("button", { name: "Actions of Doomed" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No results for “to be del”.").waitFor();
    assert.ok((await call<Assistant[]>("GET", "/assistants")).every(({ details }) => details.name !== "Doomed"));
  });
});
