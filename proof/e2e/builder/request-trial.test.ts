import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { at, button, flowOf, nodeOf, shows, start } from "./testing/canvas-page.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";
import { createAgent } from "./testing/stored-agents.ts";

const text = { type: "string", required: true };
const edges = [{ source: "start_0", target: "step_0" }];

describe("a test request", () => {
  const received: string[] = [];
  const api = createServer((request, response) => {
    received.push(`${request.method} ${request.url}`);
    if (request.url?.endsWith("/9")) response.writeHead(404).end('{"error":"Event not found"}');
    else response.setHeader("content-type", "application/json").end('{"name":"Fair"}');
  });
  let world: BuilderWorld;
  let base = "";

  before(async () => {
    await new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve));
    const host = `127.0.0.1:${(api.address() as AddressInfo).port}`;
    base = `http://${host}`;
    world = await startBuilder({ env: { EGRESS_ALLOW: host } });
  });
  after(async () => {
    await world?.close();
    api.close();
    api.closeAllConnections();
  });

  const openStep = async (node: object): Promise<Page> => {
    const step = { id: "step_0", label: "Step", ...at(344, 0), ...node };
    const page = await world.open(`/agents/${await createAgent(world.platform, flowOf([start, step], edges))}`);
    await shows(page, ["start_0", "step_0"]);
    await nodeOf(page, "step_0").click();
    return page;
  };
  const dialog = (page: Page) => page.getByRole("dialog", { name: "Send a test request" });

  it("of a PATCH is filled in by hand, asks first, and shows status, time and body", async () => {
    const config = {
      method: "PATCH",
      url: `${base}/events/{id}`,
      name: "update_event",
      bodySchema: { id: text, name: text },
    };
    const page = await openStep({ type: "agent", config: { tools: [{ type: "request-put", config }] } });
    await button(page, /update_event/)
      .first()
      .click();
    await button(page, "Send a test request").click();
    await dialog(page).getByLabel("id").fill("9");
    await dialog(page).getByLabel("name").fill("Fair");
    await dialog(page).getByRole("button", { name: "Send", exact: true }).click();
    await dialog(page).getByText("update_event may change data").waitFor();
    assert.deepEqual(received, []);
    await dialog(page).getByRole("button", { name: "Send anyway" }).click();
    await dialog(page)
      .getByText(/^Status 404 · /)
      .waitFor();
    await dialog(page)
      .getByText(/Event not found/)
      .waitFor();
    assert.deepEqual(received.splice(0), ["PATCH /events/9"]);
    await screenshot(page, "request-trial");
    await assertAccessible(page, "a test request");
    await page.close();
  });

  it("of an HTTP step asks for what its templates stand for", async () => {
    const page = await openStep({ type: "http", config: { url: `${base}/events/{{ question }}` } });
    await button(page, "Send a test request").click();
    await dialog(page).getByLabel("{{ question }}").fill("7");
    await dialog(page).getByRole("button", { name: "Send", exact: true }).click();
    await dialog(page)
      .getByText(/^Status 200 · /)
      .waitFor();
    assert.deepEqual(received.splice(0), ["GET /events/7"]);
    await page.close();
  });
});
