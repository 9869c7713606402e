import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";
import { z } from "zod";
import { defineNode } from "../../../packages/engine/src/node-type.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { signIn } from "../testing/sign-in.ts";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { button, confirmPublishing, openTab } from "./testing/canvas-page.ts";
import { screenshot } from "./testing/screenshot.ts";
import { startPlatformWith } from "./testing/start-platform-with.ts";

/** A node type that no part of the builder has ever heard of. */
const greeter = defineNode({
  type: "greeter",
  version: 1,
  title: "Greeter",
  summary: "Greets people in many ways.",
  group: "answer",
  config: z.object({
    greeting: z.string().max(20).default("Hello").meta({ title: "Greeting", help: "The first word." }),
    text: z.string().default("{{ question }}").meta({ title: "Message", widget: "textarea", template: true }),
    tone: z.enum(["warm", "cold"]).default("warm").meta({ title: "Tone" }),
    reason: z
      .string()
      .optional()
      .meta({ title: "Reason", showWhen: { field: "tone", is: ["cold"] } }),
    times: z.number().int().min(1).max(5).optional().meta({ title: "Times" }),
    loud: z.boolean().default(false).meta({ title: "Loud" }),
    names: z.array(z.string()).default([]).meta({ title: "Names" }),
    guests: z
      .array(z.strictObject({ name: z.string().meta({ title: "Name" }), age: z.number().optional() }))
      .default([])
      .meta({ title: "Guests", item: "guest" }),
    labels: z
      .record(z.string(), z.union([z.string(), z.number()]))
      .default({})
      .meta({ title: "Labels" }),
    kind: z
      .discriminatedUnion("type", [
        z.strictObject({ type: z.literal("card"), paper: z.string().default("white").meta({ title: "Paper" }) }),
        z.strictObject({ type: z.literal("call"), number: z.string().min(1).meta({ title: "Number" }) }),
      ])
      .optional()
      .meta({ title: "Kind" }),
    answer: z.unknown().optional().meta({ title: "Answer fields", widget: "structured-output", provides: "output" }),
    hologram: z
      .string()
      .optional()
      .meta({ title: "Hologram", ...({ widget: "hologram" } as object) }),
    secret: z.string().optional().meta({ title: "Old secret", hidden: true }),
    extra: z.string().optional().meta({ title: "Extra", advanced: true }),
  }),
  execute: async () => ({ type: "completed", output: { content: "Hi" }, text: "Hi" }),
});

const flowOf = (type: string, config: object = {}) =>
  JSON.stringify({
    weft: 1,
    nodes: [
      { id: "start_0", type: "start", label: "Start", position: { x: 0, y: 0 }, config: { state: { count: 1 } } },
      { id: "node_0", type, label: "Mine", position: { x: 320, y: 0 }, config },
    ],
    edges: [{ id: "e", source: "start_0", target: "node_0" }],
  });

type Config = Record<string, unknown>;

describe("forms that are drawn from schemas", () => {
  let platform: Awaited<ReturnType<typeof startPlatformWith>>;
  let browser: Browser;
  let visitor: BrowserContext;

  before(async () => {
    platform = await startPlatformWith(greeter);
    browser = await openBrowser();
    visitor = await signIn(browser, platform, { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" });
  });
  after(async () => {
    await browser?.close();
    await platform?.close();
  });

  async function openForm(type: string, config: object = {}): Promise<{ id: string; page: Page; form: Locator }> {
    const agent = { name: "Agent", flowData: flowOf(type, config) };
    const { id } = await platform.call<{ id: string }>("POST", "/chatflows", agent);
    const page = await visitor.newPage();
    await page.goto(`/agents/${id}`);
    await page.locator('.react-flow__node[data-id="node_0"]').click();
    const form = page.getByRole("complementary", { name: "Step", exact: true });
    await form.locator("[data-field]").first().waitFor();
    return { id, page, form };
  }

  /** `answer`: to the question where the flow's credentials may go. */
  async function savedConfig(page: Page, id: string, answer?: string): Promise<Config> {
    const saved = page.waitForResponse(
      (response) => response.request().method() === "PUT" && response.url().endsWith(`/chatflows/${id}`),
    );
    await confirmPublishing(page);
    if (answer !== undefined) await page.getByRole("dialog").getByRole("button", { name: answer }).click();
    assert.equal((await saved).status(), 200);
    const { flowData } = await platform.call<{ flowData: string }>("GET", `/chatflows/${id}`);
    const flow = JSON.parse(flowData) as { nodes: { id: string; config: Config }[] };
    return flow.nodes.find((node) => node.id === "node_0")?.config ?? {};
  }

  const fieldOf = (form: Locator, path: string) => form.locator(`[data-field="${path}"]`);

  it("show a node type that the builder does not know, and save exactly what its schema takes", async () => {
    const { id, page, form } = await openForm("greeter", { secret: "kept" });
    await form.getByText("Greets people in many ways.").waitFor();
    await form.getByLabel("Greeting").fill("Good morning");
    await form.getByText("Cold", { exact: true }).click();
    await form.getByLabel("Reason").fill("winter");
    await form.getByLabel("Times").fill("3");
    await form.getByLabel("Loud").check();
    await form.getByLabel("Names").fill("Ada");
    await page.keyboard.press("Enter");
    await form.getByRole("button", { name: "Add guest" }).click();
    await form.getByLabel("Name 1", { exact: true }).fill("Grace");
    await form.getByLabel("Age 1").fill("85");
    const labels = fieldOf(form, "labels");
    await labels.getByRole("button", { name: "Add entry" }).click();
    await labels.getByLabel("Name of entry 1").fill("size");
    await labels.getByLabel("Value of entry 1").fill("5");
    await fieldOf(form, "kind").getByRole("combobox").click();
    await page.getByRole("option", { name: "Call" }).click();
    await form.getByLabel("Number").fill("0123");
    await form.getByLabel("Hologram").fill("shape");
    assert.equal(await form.getByText("Old secret").count(), 0);
    assert.equal(await form.getByLabel("Extra").count(), 0);
    await form.getByRole("button", { name: "Extra" }).click();
    await form.getByLabel("Extra").fill("more");
    await assertAccessible(page, "the form of an unknown node type");
    await screenshot(page, "form-unknown-type");
    const config = await savedConfig(page, id);
    assert.deepEqual(config, {
      secret: "kept",
      greeting: "Good morning",
      tone: "cold",
      reason: "winter",
      times: 3,
      loud: true,
      names: ["Ada"],
      guests: [{ name: "Grace", age: 85 }],
      labels: { size: 5 },
      kind: { type: "call", number: "0123" },
      hologram: "shape",
      extra: "more",
    });
    assert.ok(greeter.config.safeParse(config).success);
  });

  it("say what is wrong at the field, and unset what is emptied", async () => {
    const { id, page, form } = await openForm("greeter", { reason: "old", tone: "cold", times: 2 });
    await form.getByLabel("Times").fill("9");
    await fieldOf(form, "times").getByText("Must be at most 5.").waitFor();
    await form.getByLabel("Greeting").fill("Far too many words for this");
    await fieldOf(form, "greeting").getByText("Allows at most 20 characters.").waitFor();
    await assertAccessible(page, "a form with mistakes");
    await form.getByLabel("Times").fill("");
    await form.getByLabel("Reason").fill("");
    await form.getByRole("button", { name: "Reset Greeting to its default" }).click();
    assert.equal(await form.getByLabel("Greeting").inputValue(), "Hello");
    assert.deepEqual(await savedConfig(page, id), { tone: "cold" });
  });

  it("mark references, warn of those to nothing, and offer variables", async () => {
    const { id, page, form } = await openForm("greeter", { text: "Hi {{ nobody.knows }}" });
    const text = fieldOf(form, "text");
    await text.locator(".cm-reference-unknown", { hasText: "nobody" }).waitFor();
    await text.getByRole("textbox").click();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("To {{que");
    const question = page.getByRole("option", { name: /^question/ });
    await question.waitFor();
    // The editor ignores a choice in the first 75 ms, because nobody can have meant it.
    await page.waitForTimeout(150);
    await question.click();
    await text.locator(".cm-reference", { hasText: "question" }).waitFor();
    await text.getByRole("button", { name: "Insert a variable: Message" }).click();
    await page.getByRole("textbox", { name: "Search variables" }).fill("count");
    await page.getByRole("option", { name: /\$flow\.state\.count/ }).click();
    const config = await savedConfig(page, id);
    assert.equal(config.text, "To {{ question }}{{ $flow.state.count }}");
  });

  it("build a structured answer in rows that nest, and fall back on JSON for what rows cannot show", async () => {
    const { id, page, form } = await openForm("llm");
    await openTab(page, "Output");
    const output = fieldOf(form, "structuredOutput");
    await output.getByText("Fields", { exact: true }).click();
    await output.getByRole("button", { name: "Add property" }).click();
    await output.getByLabel("Name 1").fill("people");
    await output.getByRole("combobox", { name: "Type 1" }).click();
    await page.getByRole("option", { name: "List" }).click();
    await output.getByRole("combobox", { name: "Each item is" }).click();
    await page.getByRole("option", { name: "Object" }).click();
    const nested = output.getByRole("group", { name: "Properties of people" });
    await nested.getByRole("button", { name: "Add property" }).click();
    await nested.getByLabel("Name 1").fill("age");
    await nested.getByRole("combobox", { name: "Type 1" }).click();
    await page.getByRole("option", { name: "Number", exact: true }).click();
    await assertAccessible(page, "the schema editor");
    const config = await savedConfig(page, id);
    assert.deepEqual(config.structuredOutput, [
      {
        name: "people",
        type: "array",
        description: "",
        required: true,
        items: "object",
        schema: { type: "object", properties: { age: { type: "number" } }, required: ["age"] },
      },
    ]);

    const schema = { type: "object", properties: { a: { oneOf: [{ type: "string" }] } } };
    const other = await openForm("llm", { structuredOutput: schema });
    await openTab(other.page, "Output");
    const editor = fieldOf(other.form, "structuredOutput").locator(".cm-content");
    await editor.filter({ hasText: "oneOf" }).waitFor();
    assert.deepEqual((await savedConfigAfterTyping(other.page, other.id)).structuredOutput, schema);
  });

  /** Something else is changed, so that there is something to save. */
  async function savedConfigAfterTyping(page: Page, id: string): Promise<Config> {
    const form = page.getByRole("complementary", { name: "Step", exact: true });
    await openTab(page, "Setup");
    await form.getByRole("textbox", { name: "Instructions" }).click();
    await page.keyboard.type("Be brief.");
    return savedConfig(page, id);
  }

  it("write the instructions into the first system message, and leave the other messages as they are", async () => {
    const others = [
      { role: "user", content: "Hello?" },
      { role: "system", content: "Never mention prices." },
    ];
    const { id, page, form } = await openForm("agent", {
      messages: [others[0], { role: "system", content: "Be kind." }, others[1]],
    });
    const instructions = form.getByRole("textbox", { name: "Instructions" });
    await instructions.getByText("Be kind.").waitFor();
    assert.equal(await button(page, "Publish").isDisabled(), true, "looking changes nothing");
    await instructions.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("Be brief.");
    await form.getByRole("button", { name: "More messages (2)" }).click();
    await form.getByRole("textbox", { name: "Text 3" }).getByText("Never mention prices.").waitFor();
    await form.getByRole("button", { name: "Add message" }).click();
    await page.keyboard.type("Hi");
    await assertAccessible(page, "instructions");
    const written = { role: "system", content: "Be brief." };
    const added = { role: "user", content: "Hi" };
    assert.deepEqual((await savedConfig(page, id)).messages, [others[0], written, others[1], added]);
    await instructions.click();
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    // Without the first, the next system message is the instructions.
    await instructions.getByText("Never mention prices.").waitFor();
    assert.deepEqual((await savedConfig(page, id)).messages, [...others, added]);
  });

  it("say which model answers in one line, and open what is behind it", async () => {
    const { id, page, form } = await openForm("agent", { model: { provider: "openai", model: "gpt-4o-mini" } });
    const line = form.getByRole("button", { name: /^Model gpt-4o-mini \$0\.15 \/ \$0\.60/ });
    await line.waitFor();
    assert.equal(await form.getByLabel("Credential").count(), 0);
    await line.press("Enter");
    await form.getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "Anthropic" }).click();
    await assertAccessible(page, "the model of a step");
    await form.getByRole("button", { name: /^Model Anthropic Provider default/ }).click();
    await form.getByRole("combobox", { name: "Provider" }).waitFor({ state: "detached" });
    assert.deepEqual((await savedConfig(page, id)).model, { provider: "anthropic" });
  });

  it("choose tools with settings of their own: an integration, a stored tool and another agent", async () => {
    const { id: toolId } = await platform.call<{ id: string }>("POST", "/tools", { name: "get_weather" });
    const helper = { name: "Helper", flowData: flowOf("direct-reply", { message: "Hi" }) };
    const { id: helperId } = await platform.call<{ id: string }>("POST", "/chatflows", helper);
    const { id, page, form } = await openForm("agent");
    const tools = fieldOf(form, "tools");
    const add = async (name: string) => {
      await tools.getByRole("button", { name: "Add tool" }).click();
      await page.getByRole("textbox", { name: "Search tools" }).fill(name);
      await page.getByRole("option", { name }).first().click();
    };
    await add("GET request");
    await fieldOf(tools, "tools.0.config.url").getByRole("textbox").click();
    await page.keyboard.type("https://example.com/{{}id}");
    const parameters = fieldOf(tools, "tools.0.config.parameters");
    await parameters.getByRole("button", { name: "Add property" }).click();
    await parameters.getByLabel("Name 1").fill("id");
    await tools.getByLabel("Require approval").check();
    await add("get_weather");
    await add("Helper");
    await assertAccessible(page, "the tools of an agent");
    await screenshot(page, "form-tools");
    const config = await savedConfig(page, id);
    assert.deepEqual(config.tools, [
      {
        type: "request-get",
        config: { url: "https://example.com/{{}id}", parameters: { id: { type: "string", required: true } } },
        requiresApproval: true,
      },
      { type: "custom-tool", config: { toolId } },
      { type: "agent", config: { agentId: helperId, name: "Helper" } },
    ]);
  });

  it("make a credential where one is needed, and never show it again", async () => {
    const { id, page, form } = await openForm("http", { url: "https://example.com" });
    await form.getByRole("button", { name: "New credential" }).click();
    const dialog = page.getByRole("dialog", { name: "New credential" });
    // It takes the focus a moment after it is seen, from a list that is being opened.
    await dialog.locator(":focus").waitFor();
    await dialog.getByLabel("Name").fill("Their API");
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "HTTP bearer token" }).click();
    await dialog.getByLabel("Token").fill("secret-token");
    await assertAccessible(page, "a new credential");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.waitFor({ state: "detached" });
    const config = await savedConfig(page, id, "Allow and publish");
    const [credential] = await platform.call<{ id: string; name: string }[]>("GET", "/credentials");
    assert.deepEqual([config.credential, credential?.name], [credential?.id, "Their API"]);
    assert.doesNotMatch(await page.content(), /secret-token/);
  });

  it("compare values in branches that keep their ports when they are moved", async () => {
    const { id, page, form } = await openForm("condition");
    await form.getByRole("button", { name: "Add branch" }).click();
    await form.getByLabel("Title").fill("Old enough");
    await form.getByRole("combobox", { name: "Compare as 1" }).click();
    await page.getByRole("option", { name: "Number" }).click();
    await form.getByRole("combobox", { name: "Operation 1" }).click();
    await page.getByRole("option", { name: "≥" }).click();
    await form.getByRole("textbox", { name: "Compare with 1" }).click();
    await page.keyboard.type("18");
    await form.getByRole("button", { name: "Add branch" }).click();
    const before = (await savedConfig(page, id)).branches as { id: string; title?: string; conditions: Config[] }[];
    assert.deepEqual(before[0]?.conditions, [{ type: "number", operation: "larger-or-equal", right: "18" }]);
    await form.getByRole("button", { name: "Actions for Branch 2" }).click();
    await page.getByRole("menuitem", { name: "Move up" }).click();
    const moved = (await savedConfig(page, id)).branches as { id: string }[];
    assert.deepEqual(
      moved.map((branch) => branch.id),
      before.map((branch) => branch.id).toReversed(),
    );
    await assertAccessible(page, "branches");
  });
});
