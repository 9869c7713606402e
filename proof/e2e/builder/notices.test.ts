import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { after, before, describe, it } from "node:test";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { lookAt, settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

type Notices = { total: number };

describe("notices", () => {
  let world: BuilderWorld;
  const bodies: string[] = [];
  const hook = createServer(async (request, response) => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(bodies.length === 1 ? 404 : 200).end(bodies.length === 1 ? "no_service" : "ok");
  });
  let url = "";

  before(async () => {
    hook.listen(0, "127.0.0.1");
    await once(hook, "listening");
    url = `http://127.0.0.1:${(hook.address() as { port: number }).port}/hook`;
    world = await startBuilder({ env: { EGRESS_ALLOW: new URL(url).host, OPENAI_API_KEY: "" } });
    const nodes = [
      { id: "start", type: "start" },
      { id: "node", type: "http", config: { method: "GET", url: "https://127.0.0.1:9/nothing" } },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start", target: "node" }] });
    const { call } = world.platform;
    const { id } = await call<{ id: string }>("POST", "/chatflows", { name: "Support", flowData });
    for (let count = 0; count < 6; count += 1)
      await call("POST", `/prediction/${id}`, { question: "Hi" }).catch(() => undefined);
    const deadline = Date.now() + 120_000;
    while ((await call<Notices>("GET", "/notices")).total === 0 && Date.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 500));
  });
  after(async () => {
    await world?.close();
    hook.close();
    hook.closeAllConnections();
  });

  it("are counted at the bell, which opens them by keyboard, and lead to what they are about", async () => {
    const page = await world.open("/");
    const bell = page.getByRole("button", { name: /^Notices 1 new notice$/ });
    await bell.waitFor();
    await settled(page);
    await lookAt(page, "notices-bell");
    await bell.focus();
    await page.keyboard.press("Enter");
    const panel = page.getByRole("dialog", { name: "Notices" });
    const notice = panel.getByRole("link", { name: /Support/ });
    await notice.waitFor();
    assert.match((await notice.textContent()) ?? "", /6 of 6 runs failed in the last hour/);
    await settled(page);
    await assertAccessibleInBoth(page, "notices-panel");
    await lookAt(page, "notices-panel");
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    // What was shown is seen.
    await page.getByRole("button", { name: "Notices", exact: true }).click();
    await notice.click();
    await page.getByRole("heading", { level: 1, name: "Executions" }).waitFor();
    assert.match(page.url(), /state=ERROR/);
    await page.close();
  });

  it("are shown on a phone, too", async () => {
    const page = await world.open("/", { width: 390, height: 800 });
    await page.getByRole("button", { name: "More" }).click();
    await page.getByRole("button", { name: /^Notices/ }).click();
    const notice = page.getByRole("dialog", { name: "Notices" }).getByRole("link", { name: /Support/ });
    await notice.waitFor();
    await settled(page);
    await lookAt(page, "notices-phone");
    await page.close();
  });

  it("are sent to channels, which are set up, tested and deleted in the settings", async () => {
    const page = await world.open("/settings");
    await page.getByRole("link", { name: "Open notice settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Notices" }).waitFor();
    await page.getByText("No channels yet").waitFor();
    await settled(page);
    await assertAccessibleInBoth(page, "channels-empty");
    await page.getByRole("button", { name: "Add a channel" }).first().click();
    const dialog = page.getByRole("dialog", { name: "Add a channel" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("On call");
    await dialog.getByRole("radio", { name: "Webhook" }).check();
    assert.match(await dialog.getByRole("textbox", { name: "Signing secret" }).inputValue(), /^whsec_.{44}$/);
    await dialog.getByRole("textbox", { name: "Webhook address" }).fill(url);
    await dialog.getByRole("checkbox", { name: "Budget nearly spent" }).uncheck();
    await dialog.getByRole("switch", { name: "Quiet hours" }).check();
    await settled(page);
    await assertAccessibleInBoth(page, "channel-dialog");
    await lookAt(page, "channel-dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "On call Webhook" }).waitFor();

    const test = async () => {
      await page.getByRole("button", { name: "Actions of On call" }).click();
      await page.getByRole("menuitem", { name: "Send a test" }).click();
    };
    await test();
    await page.getByText("The test failed: 404 no_service").waitFor();
    await test();
    await page.getByText("The other end took the test: 200 ok").waitFor();
    assert.match(bodies[0] ?? "", /"type":"notices".*This is a test/);
    await settled(page);
    await assertAccessibleInBoth(page, "channels");
    await lookAt(page, "channels");

    await page.getByRole("button", { name: "Actions of On call" }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const edit = page.getByRole("dialog", { name: "Edit channel" });
    assert.equal(await edit.getByRole("textbox", { name: "Webhook address" }).inputValue(), "");
    assert.equal(await edit.getByRole("checkbox", { name: "Budget nearly spent" }).isChecked(), false);
    await edit.getByRole("textbox", { name: "Name" }).fill("Operators");
    await edit.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Actions of Operators" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No channels yet").waitFor();
    await page.close();
  });
});
