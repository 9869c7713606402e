import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, it } from "node:test";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { button } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

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
