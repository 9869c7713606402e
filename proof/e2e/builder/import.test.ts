import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, button, flowOf, shows, start, step } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent, type StoredFlow, storedFlow } from "./testing/stored-agents.ts";

const workflow = `kind: workflow
name: Returns
trigger:
  kind: OnConversationStart
  id: begin
  actions:
    - kind: Question
      id: ask_order
      prompt:
        kind: Message
        text: ["Which order?"]
      variable: Local.Order
      entity:
        kind: StringPrebuiltEntity
    - kind: InvokeAzureAgent
      id: sort
      agent:
        name: Sorter
    - kind: HttpRequestAction
      id: fetch
      url: https://shop.example/orders
      headers:
        Authorization: Bearer tok-51423412341234
      response: Local.Orders
    - kind: SendActivity
      id: bye
      activity: "Done: {Local.Order}"
`;
const sorter = `kind: Prompt
name: Sorter
instructions: Sort it.
model:
  id: gpt-4o
`;
const foreignNode = (name: string, label: string, x: number, inputs: object) => ({
  id: `${name}_0`,
  type: "agentFlow",
  position: { x, y: 0 },
  data: { id: `${name}_0`, name, label, category: "Agent Flows", version: 1, inputs },
});
const foreignFlow = JSON.stringify({
  nodes: [
    foreignNode("startAgentflow", "Begin", 0, { startInputType: "chatInput" }),
    foreignNode("agentAgentflow", "Desk", 300, {
      agentModel: "chatAnthropic",
      agentModelConfig: { modelName: "claude-sonnet-4-0" },
      agentKnowledgeDocumentStores: [
        { documentStore: "25429b8f-0377-4762-9cda-0d5366cf022c:Manual", docStoreDescription: "How things are done" },
      ],
    }),
  ],
  edges: [{ id: "a", source: "startAgentflow_0", target: "agentAgentflow_0", type: "agentFlow" }],
});
/** Names a tool, a document store, a credential and an agent that no server has, and a model without a key. */
const homelessFlow = flowOf(
  [
    start,
    step("desk", {
      ...at(300, 0),
      type: "agent",
      label: "Desk",
      config: {
        model: { provider: "anthropic", model: "claude-sonnet-4-0" },
        tools: [{ type: "custom-tool", config: { toolId: "gone" } }],
        knowledge: [{ storeId: "gone", name: "manual" }],
      },
    }),
    step("fetch", {
      ...at(600, 0),
      type: "http",
      label: "Fetch",
      config: { url: "https://shop.example/orders", credential: "gone" },
    }),
    step("pass", { ...at(900, 0), type: "execute-flow", label: "Pass on", config: { agentId: "gone" } }),
  ],
  [
    { source: "start_0", target: "desk" },
    { source: "desk", target: "fetch" },
    { source: "fetch", target: "pass" },
  ],
);
const file = (name: string, text: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

describe("import in the builder", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  it("shows the flow, what is to be known and chosen, and stores it when told to", async () => {
    const page = await world.open("/agents");
    await page.getByRole("link", { name: "New agent" }).first().click();
    await page.getByRole("link", { name: /^Import/ }).click();
    await page.getByRole("heading", { name: "Import an agent" }).waitFor();
    const input = page.locator('input[type="file"]');
    await input.setInputFiles([file("returns.workflow.yaml", workflow)]);
    await page.getByText("Agent Sorter", { exact: true }).waitFor();
    await page.locator(".react-flow__node").first().waitFor();
    await input.setInputFiles([file("Sorter.yaml", sorter)]);
    await page.getByText("Agent Sorter", { exact: true }).waitFor({ state: "detached" });
    await page.getByText("sent to shop.example only").waitFor();
    assert.ok(!(await page.content()).includes("tok-51423412341234"));
    await screenshot(page, "import-preview");
    await assertAccessible(page, "an import");
    await page.getByLabel("Name").fill("Returns desk");
    await button(page, "Import").click();
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}$/);
    await page.locator(".react-flow__node").first().waitFor();
    await page.goto(`${world.platform.url}/agents`);
    await page.getByRole("link", { name: "Returns desk", exact: true }).waitFor();
    await page.close();
  });

  it("lets one choose what the server lacks, or make it, and the agent has it", async () => {
    const store = await world.platform.call<{ id: string }>("POST", "/document-store/store", { name: "Handbook" });
    const page = await world.open("/agents/import");
    await page.locator('input[type="file"]').setInputFiles([file("desk.json", foreignFlow)]);
    const step = page.getByRole("listitem", { name: "Desk" });
    const findings = page.getByRole("region", { name: "What to know" });
    await findings.getByText(/Its document store .* does not exist/).waitFor();
    await findings.getByText(/it needs an API key/).waitFor();
    await assertAccessibleInBoth(page, "an import with choices");

    await step.getByRole("combobox", { name: "Document store" }).click();
    await page.getByRole("option", { name: "Handbook" }).click();
    await findings.getByText(/does not exist/).waitFor({ state: "detached" });
    await findings.getByText(/it needs an API key/).waitFor();
    await step.getByRole("button", { name: "New credential" }).click();
    const dialog = page.getByRole("dialog", { name: "New credential" });
    await dialog.getByRole("textbox", { name: "API key" }).fill("sk-ant-test");
    await dialog.getByRole("button", { name: "Create" }).click();
    await findings.getByText(/it needs an API key/).waitFor({ state: "detached" });
    await page.getByRole("textbox", { name: /^Name/ }).fill("Desk");
    await button(page, "Import").click();
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}$/);
    const { nodes } = await storedFlow(world.platform, page.url().split("/").at(-1) ?? "");
    const agent = nodes.find(({ type }) => type === "agent")?.config as Record<string, unknown>;
    const [credential] = await world.platform.call<{ id: string }[]>("GET", "/credentials?credentialName=anthropic");
    assert.ok(credential);
    assert.deepEqual(agent.model, { provider: "anthropic", model: "claude-sonnet-4-0", credential: credential.id });
    assert.ok(JSON.stringify(agent).includes(store.id), JSON.stringify(agent));
    await page.close();
  });

  it("lets one choose what is missing in the editor's dialog, and the draft has it", async () => {
    const { call } = world.platform;
    const create = async (path: string, body: object) => (await call<{ id: string }>("POST", path, body)).id;
    const storeId = await create("/document-store/store", { name: "Returns" });
    const toolId = await create("/tools", {
      name: "orders",
      description: "Lists orders",
      schema: "[]",
      func: "return 1;",
    });
    const helper = await createAgent(world.platform, flowOf([start]), "Helper");
    const credential = await create("/credentials", {
      name: "Shop",
      credentialName: "httpBearerToken",
      plainDataObj: { token: "tk-of-the-shop-4711" },
      hosts: ["shop.example"],
    });
    const id = await createAgent(world.platform, flowOf([start, step("old", at(300, 0))]), "Replaced");
    const page = await world.open(`/agents/${id}`);
    await button(page, "More actions").click();
    await page.getByRole("menuitem", { name: /^Import/ }).click();
    const dialog = page.getByRole("dialog", { name: "Import a flow" });
    await dialog.getByLabel("Or paste the flow as text").fill(homelessFlow);
    await dialog.getByText("A flow with 4 steps and 3 connections.").waitFor();
    const findings = dialog.getByRole("region", { name: "Import notes" });
    const isResolved = (text: RegExp) => findings.getByText(text).waitFor({ state: "detached" });
    await retry(async () => assert.equal(await findings.getByRole("listitem").count(), 5));
    await assertAccessibleInBoth(page, "the import dialog with choices");

    const choose = async (label: string, field: string, option: string) => {
      const of = dialog.getByRole("region", { name: "Choose" }).getByRole("listitem", { name: label });
      await of.getByRole("combobox", { name: field, exact: true }).click();
      await page.getByRole("option", { name: option, exact: true }).click();
    };
    await choose("Desk", "Document store", "Returns");
    await isResolved(/document store gone does not exist/);
    await choose("Desk", "Tool", "orders");
    await isResolved(/tool gone does not exist/);
    await choose("Fetch", "Credential", "Shop");
    await isResolved(/credential gone does not exist/);
    await choose("Pass on", "Agent", "Helper");
    await isResolved(/agent gone that it calls does not exist/);
    const desk = dialog.getByRole("listitem", { name: "Desk" });
    await desk.getByRole("combobox", { name: "Model", exact: true }).fill("claude-opus-4-1");
    await findings.getByText(/claude-opus-4-1 cannot be used: it needs an API key/).waitFor();
    await desk.getByRole("button", { name: "New credential" }).click();
    const made = page.getByRole("dialog", { name: "New credential" });
    await made.getByRole("textbox", { name: "Name" }).fill("Key of the desk");
    await made.getByRole("textbox", { name: "API key" }).fill("sk-ant-test");
    await made.getByRole("button", { name: "Create" }).click();

    await findings.waitFor({ state: "detached" });

    await button(page, "Replace canvas").click();
    await shows(page, ["start_0", "desk", "fetch", "pass"]);
    await page.getByRole("status").filter({ hasText: "Draft saved" }).waitFor();
    const { flowData } = await call<{ flowData: string }>("GET", `/chatflows/${id}/draft`);
    const { nodes }: StoredFlow = JSON.parse(flowData);
    const configOf = (nodeId: string) => nodes.find((node) => node.id === nodeId)?.config ?? {};
    const keys = await call<{ id: string; name: string }[]>("GET", "/credentials?credentialName=anthropic");
    const key = keys.find(({ name }) => name === "Key of the desk")?.id;
    assert.ok(key);
    const { model, tools, knowledge } = configOf("desk");
    assert.deepEqual(model, { provider: "anthropic", model: "claude-opus-4-1", credential: key });
    assert.deepEqual(tools, [{ type: "custom-tool", config: { toolId } }]);
    assert.deepEqual(knowledge, [{ storeId, name: "manual" }]);
    assert.equal(configOf("fetch").credential, credential);
    assert.equal(configOf("pass").agentId, helper);
    assert.equal((await storedFlow(world.platform, id)).nodes.length, 2, "what is published stays");
    await page.close();
  });

  it("says what it cannot read, and takes the file back", async () => {
    const page = await world.open("/agents/import");
    await page.locator('input[type="file"]').setInputFiles([file("notes.txt", "Buy milk.")]);
    await page.getByText(/None of these files is/).waitFor();
    await button(page, "Remove notes.txt").click();
    await page.getByText("The flow appears here before anything is stored.").waitFor();
    await page
      .getByLabel("Or paste the text of one file")
      .fill(await readFile("flows/event-assistant-requests.flow.json", "utf8"));
    await page.locator(".react-flow__node").first().waitFor();
    await page.close();
  });
});
