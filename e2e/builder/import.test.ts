import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { button } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { storedFlow } from "./testing/stored-agents.ts";

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
