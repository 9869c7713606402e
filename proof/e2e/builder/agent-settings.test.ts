import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createScriptedServer, speechFormat } from "@weft/providers/testing";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { button, flowOf, start, step } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

const flow = flowOf([start, step("reply", { config: { message: "Hello" } })], [{ source: "start_0", target: "reply" }]);

const saved = (page: Page) => page.getByRole("button", { name: "Saved", exact: true }).waitFor();

async function enter(page: Page, label: string, text: string): Promise<void> {
  await page.getByRole("combobox", { name: label }).fill(text);
  await page.keyboard.press("Enter");
}

describe("who may use an agent, how often, and what its chat offers", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder({ env: { ALLOW_PUBLIC_FLOWS: "true" } });
  });
  after(() => world?.close());

  const visit = (id: string, headers: Record<string, string> = {}) =>
    fetch(`${world.platform.url}/api/v1/prediction/${id}`, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ question: "Hi", chatId: crypto.randomUUID() }),
    });

  it("is set on a page of its own, reached from the agent, and holds at once", async () => {
    const id = await createAgent(world.platform, flow, "Reception");
    assert.equal((await visit(id)).status, 401);
    const page = await world.open("/agents");
    await button(page, /^Actions of Reception/).click();
    await page.getByRole("menuitem", { name: "Sharing and limits" }).click();
    await page.getByRole("heading", { name: "Sharing and limits: Reception" }).waitFor();
    await screenshot(page, "agent-settings");

    await page.getByRole("switch", { name: "Public" }).check();
    await enter(page, "Allowed origins", "https://shop.example");
    await page.getByLabel("Message for other sites").fill("Only in our shop.");
    await page.getByRole("switch", { name: "Limit messages" }).check();
    await page.getByLabel("Messages", { exact: true }).fill("2");
    await page.getByLabel("Time window (seconds)").fill("3600");
    await enter(page, "Suggested messages", "What are your hours?");
    await page.getByRole("switch", { name: "Let visitors attach files" }).check();
    await page.getByRole("combobox", { name: "File types" }).click();
    await page.getByRole("option", { name: "PDF" }).click();
    await page.keyboard.press("Escape");
    await page.getByRole("switch", { name: "Ask for contact details" }).check();
    await page.getByRole("checkbox", { name: "Name", checked: true }).uncheck();
    await assertAccessibleInBoth(page, "settings of an agent");
    await button(page, "Save").click();
    await saved(page);
    await page.getByRole("status").filter({ hasText: "Visitors can now chat with it." }).waitFor();
    await screenshot(page, "agent-settings-public");

    const refused = await visit(id, { origin: "https://other.example" });
    assert.deepEqual(
      [refused.status, ((await refused.json()) as { message: string }).message],
      [403, "Only in our shop."],
    );
    const statuses = [await visit(id), await visit(id), await visit(id)].map(({ status }) => status);
    assert.deepEqual(statuses, [200, 200, 429]);
    const look = (await (await fetch(`${world.platform.url}/api/v1/public-chatbotConfig/${id}`)).json()) as Record<
      string,
      unknown
    >;
    assert.partialDeepStrictEqual(look, {
      starterPrompts: { "0": { prompt: "What are your hours?" } },
      fullFileUpload: { status: true, allowedUploadFileTypes: "application/pdf" },
      leads: { status: true, name: false, email: true, phone: false },
    });
    await page.getByRole("link", { name: "Back to the agent" }).click();
    await button(page, "Chat").click();
    await button(page, "What are your hours?").waitFor();
    await page.close();
  });

  it("asks before changes are lost, and says that somebody else saved", async () => {
    const id = await createAgent(world.platform, flow);
    const page = await world.open(`/agents/${id}/settings`);
    await page.getByRole("switch", { name: "MCP tool" }).check();
    await page.getByRole("link", { name: "Back to the agent" }).click();
    await button(page, "Stay").click();
    await world.platform.call("PUT", `/chatflows/${id}`, { isPublic: true });
    await button(page, "Save").click();
    await page.getByRole("alert").filter({ hasText: "Someone else saved this agent" }).waitFor();
    await button(page, "Reload").click();
    await page.getByRole("switch", { name: "Public", checked: true }).waitFor();
    await page.getByRole("switch", { name: "MCP tool", checked: false }).waitFor();
    await page.getByRole("switch", { name: "MCP tool" }).check();
    await button(page, "Save").click();
    await saved(page);
    const { deployed } = await world.platform.call<{ deployed: boolean }>("GET", `/chatflows/${id}`);
    assert.equal(deployed, true);
    await page.close();
  });

  it("binds the agent to a key, and keeps one that is gone until another is chosen", async () => {
    const key = await world.platform.call<{ id: string }>("POST", "/apikey", { keyName: "Website" });
    const id = await createAgent(world.platform, flow);
    const page = await world.open(`/agents/${id}/settings`);
    const field = page.getByRole("combobox", { name: "Dedicated API key" });
    await field.click();
    await page.getByRole("option", { name: "Website" }).click();
    await button(page, "Save").click();
    await saved(page);
    assert.equal((await world.platform.call<{ apikeyid: string }>("GET", `/chatflows/${id}`)).apikeyid, key.id);
    await world.platform.call("DELETE", `/apikey/${key.id}`);
    await page.reload();
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>("input[value^=Deleted]") !== null);
    await page.close();
  });
});

describe("speech in the settings of an agent", () => {
  let world: BuilderWorld;
  let speech: Awaited<ReturnType<typeof createScriptedServer<{ form(): Promise<FormData> }>>>;

  before(async () => {
    speech = await createScriptedServer(speechFormat, { script: () => ({ text: "Wann habt ihr offen?" }) });
    world = await startBuilder({ env: { ALLOW_PUBLIC_FLOWS: "true", EGRESS_ALLOW: new URL(speech.url).host } });
  });
  after(async () => {
    await world?.close();
    await speech?.close();
  });

  const createPublic = async (speechToText: object) => {
    const body = { name: "Reception", flowData: flow, isPublic: true, speechToText: JSON.stringify(speechToText) };
    return (await world.platform.call<{ id: string }>("POST", "/chatflows", body)).id;
  };
  const record = (page: Page) => page.getByRole("button", { name: "Record a message" });
  const turnOn = (page: Page) => page.getByRole("switch", { name: "Let visitors record messages" });

  async function choose(page: Page, label: string, option: string): Promise<void> {
    await page.getByRole("combobox", { name: label }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  }

  it("is set up with a service, a credential and options, which the chat then uses", async () => {
    const id = await createPublic({});
    const page = await world.open(`/agents/${id}/settings`);
    await turnOn(page).check();
    await page.getByText("OpenAI needs a credential.").waitFor();
    await choose(page, "Service", "OpenAI-compatible server");
    await page.getByText("Until then, visitors cannot record messages.").waitFor();
    await page.getByLabel("Address").fill(speech.url);
    await page.getByText("Until then, visitors cannot record messages.").waitFor({ state: "detached" });
    await button(page, "New credential").click();
    const dialog = page.getByRole("dialog");
    // It takes the focus a moment after it is seen, from a field that is being filled.
    await dialog.locator(":focus").waitFor();
    await dialog.getByLabel("API key").fill("sk-speech-0123456789");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: "Model" }).fill("whisper-large");
    await choose(page, "Language", "German");
    await page.getByLabel("Expected words").fill("Weft");
    await page.getByLabel("Temperature").fill("0.2");
    await assertAccessibleInBoth(page, "speech of an agent");

    const address = `**/api/v1/chatflows/${id}`;
    await page.route(address, (route) => (route.request().method() === "PUT" ? route.abort() : route.fallback()));
    await button(page, "Save").click();
    await page.getByRole("alert").filter({ hasText: "Cannot reach the server." }).waitFor();
    assert.equal(await page.getByLabel("Expected words").inputValue(), "Weft");
    await page.unroute(address);
    await button(page, "Save").click();
    await saved(page);

    // The address is one that nobody has allowed the new credential.
    await button(page, `Allow this credential for ${new URL(speech.url).origin}`).click();
    await page.getByRole("alert").filter({ hasText: "Where credentials go" }).waitFor({ state: "detached" });

    const chat = await world.openVisitor(`/chat/${id}`);
    await record(chat).click();
    await chat.getByText(/Recording… 0:(?!00)\d\d/).waitFor();
    await chat.keyboard.press("Enter");
    await chat.getByRole("group", { name: "You said" }).filter({ hasText: "Wann habt ihr offen?" }).waitFor();
    const request = speech.requests.at(-1);
    const { file: _, ...fields } = Object.fromEntries((await request?.body.form()) ?? []);
    const given = { model: "whisper-large", language: "de", prompt: "Weft", temperature: "0.2" };
    assert.deepEqual(fields, { ...given, response_format: "json" });
    assert.equal(request?.headers.authorization, "Bearer sk-speech-0123456789");
    await chat.close();
    await page.close();
  });

  it("reads answers aloud by a service, with its voice", async () => {
    const id = await createPublic({});
    const page = await world.open(`/agents/${id}/settings`);
    await page.getByRole("switch", { name: "Read answers aloud" }).check();
    await choose(page, "Service for reading aloud", "ElevenLabs");
    // The list needs a key; an id can be typed all the same.
    await page.getByText("The voices could not be listed.").waitFor();
    await page.getByRole("combobox", { name: "Voice", exact: true }).fill("own-voice");
    await page.keyboard.press("Tab");
    await assertAccessibleInBoth(page, "an agent that reads aloud");
    await button(page, "Save").click();
    await saved(page);
    const { chatbotConfig } = await world.platform.call<{ chatbotConfig: string }>("GET", `/chatflows/${id}`);
    assert.deepEqual(JSON.parse(chatbotConfig).textToSpeech, {
      openai: { status: false },
      elevenlabs: { status: true, voice: "own-voice" },
    });
    await choose(page, "Service for reading aloud", "OpenAI");
    await choose(page, "Voice", "Nova");
    await page.getByRole("switch", { name: "Start reading automatically" }).check();
    await button(page, "Save").click();
    await saved(page);
    await page.reload();
    // The name of the voice, once the list is there.
    await page.waitForFunction(() => [...document.querySelectorAll("input")].some(({ value }) => value === "Nova"));
    const changed = await world.platform.call<{ chatbotConfig: string }>("GET", `/chatflows/${id}`);
    assert.deepEqual(JSON.parse(changed.chatbotConfig).textToSpeech.openai, {
      status: true,
      voice: "nova",
      autoPlay: true,
    });
    await page.close();
  });

  it("says that its credential was deleted, and is turned off without losing its settings", async () => {
    const localAISTT = { status: true, baseUrl: speech.url, credentialId: crypto.randomUUID(), language: "de" };
    const id = await createPublic({ localAISTT });
    const page = await world.open(`/agents/${id}/settings`);
    await page.getByText("This credential was deleted, so recordings fail.").waitFor();
    const chat = await world.openVisitor(`/chat/${id}`);
    await record(chat).waitFor();
    await turnOn(page).uncheck();
    await button(page, "Save").click();
    await saved(page);
    const { speechToText } = await world.platform.call<{ speechToText: string }>("GET", `/chatflows/${id}`);
    assert.deepEqual(JSON.parse(speechToText), { localAISTT: { ...localAISTT, status: false } });
    await chat.reload();
    await chat.getByLabel("Message", { exact: true }).waitFor();
    assert.equal(await record(chat).count(), 0);
    await chat.close();
    await page.close();
  });

  it("names a service that this server lacks", async () => {
    const page = await world.open(`/agents/${await createPublic({ azureCognitive: { status: true } })}/settings`);
    await page.getByText("Speech is set to azureCognitive").waitFor();
    await turnOn(page).check();
    await page.getByText("Speech is set to azureCognitive").waitFor({ state: "detached" });
    await page.close();
  });
});

describe("a server that keeps agents closed", () => {
  it("says so where one is made public", async (t) => {
    const world = await startBuilder();
    t.after(() => world.close());
    const id = await createAgent(world.platform, flow);
    const page = await world.open(`/agents/${id}/settings`);
    await page.getByRole("switch", { name: "Public" }).check();
    await button(page, "Save").click();
    await page.getByRole("status").filter({ hasText: "Visitors are still blocked" }).waitFor();
    await assertAccessibleInBoth(page, "a public agent of a closed server");
    await page.close();
  });
});
