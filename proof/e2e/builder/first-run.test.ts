import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import type { Page } from "playwright-core";
import { freePort } from "../../../packages/server/src/testing/free-port.ts";
import { admin, type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { screenshot } from "./testing/screenshot.ts";

const key = "sk-first-run-secret";

/** The address that the server printed. */
function setUpAddress({ platform }: BuilderWorld): URL {
  const printed = /http:\/\/\S+\/setup#\S+/.exec(platform.output())?.[0];
  assert.ok(printed, platform.output());
  return new URL(printed);
}

/** Counts what a person presses. */
async function countClicks(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const counter = globalThis as unknown as { clicks: number };
    counter.clicks = 0;
    addEventListener("click", () => (counter.clicks += 1), { capture: true });
  });
  return () => page.evaluate(() => (globalThis as unknown as { clicks: number }).clicks);
}

async function createAccount(page: Page): Promise<void> {
  await page.getByLabel("Your name").fill("Ada");
  await page.getByLabel("E-mail").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Which model should answer?" }).waitFor();
}

describe("an empty installation", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder({
      withAccount: false,
      env: { EVENT_API: "true", EVENT_API_PORT: String(await freePort()) },
    });
  });
  after(() => world?.close());

  it("tells visitors how the first account is made, offers no sign-in, and refuses a wrong token", async () => {
    const page = await world.openVisitor("/variables");
    await page.getByRole("heading", { name: "Create the first account" }).waitFor();
    await page.getByText(`${world.platform.url}/setup#`).waitFor();
    assert.equal(await page.getByRole("button", { name: "Sign in" }).count(), 0, "nothing is offered that cannot work");
    assert.match(page.url(), /\/sign-in\?from=/);
    await page.goto(`${world.platform.url}/setup#wrong`);
    await page.getByLabel("E-mail").fill(admin.email);
    await page.getByLabel("Password", { exact: true }).fill(admin.password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").filter({ hasText: "token" }).waitFor();
  });

  it("leads from the printed address to a first streamed answer, in three clicks at most", async () => {
    const { pathname, hash } = setUpAddress(world);
    const page = await world.openVisitor(`${pathname}${hash}`);
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    await screenshot(page, "setup-light");
    await createAccount(page);
    assert.doesNotMatch(page.url(), /#/, "the token does not stay in the address");
    await screenshot(page, "welcome-light");

    const clicks = await countClicks(page);
    await page.getByRole("button", { name: "Try it without a key" }).click();
    const suggestions = page.getByRole("list", { name: "Suggested messages" });
    await suggestions.getByRole("button", { name: "List all events" }).click();
    await page.getByText(/rehearsal model: rules, not an AI.*Jazz by the River/s).waitFor();
    assert.ok((await clicks()) <= 3, `${await clicks()} clicks`);
    await screenshot(page, "first-answer-light");
  });

  it("is set up once", async () => {
    const { pathname, hash } = setUpAddress(world);
    const page = await world.openVisitor(`${pathname}${hash}`);
    await page.getByLabel("E-mail").fill("eve@example.com");
    await page.getByLabel("Password", { exact: true }).fill("let me in please");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("alert").filter({ hasText: "An account already exists" }).waitFor();
  });
});

describe("the first sign-in", () => {
  it("offers to connect a model, says why one does not answer, and uses the one that does", async (t) => {
    const model = await createScriptedOpenAiServer({ script: () => ({ text: "Hello from the connected model" }) });
    const { host } = new URL(model.url);
    const world = await startBuilder({ env: { EGRESS_ALLOW: `${host},127.0.0.1:1` } });
    t.after(async () => {
      await world.close();
      await model.close();
    });
    const page = await world.openVisitor("/");
    await page.getByLabel("E-mail").fill(admin.email);
    await page.getByLabel("Password", { exact: true }).fill("wrong password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Password", { exact: true }).fill(admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();

    await page.getByRole("heading", { name: "Which model should answer?" }).waitFor();
    await page.getByRole("combobox", { name: "Provider" }).click();
    await page.getByRole("option", { name: "OpenAI-compatible server" }).click();
    await page.getByLabel("API key (optional)").fill(key);
    await page.getByLabel("Base URL").fill("http://127.0.0.1:1/v1");
    await page.getByRole("combobox", { name: "Model", exact: true }).fill("m-1");
    await page.getByRole("button", { name: "Connect and open the demo" }).click();
    await page.getByRole("alert").filter({ hasText: "The model did not answer" }).waitFor();
    assert.deepEqual(await world.platform.call("GET", "/credentials"), [], "nothing of the attempt stays behind");

    await page.getByLabel("Base URL").fill(model.url);
    await page.getByRole("button", { name: "Connect and open the demo" }).click();
    await page.waitForURL("**/agents");
    const chosen = await world.platform.call<{ provider: string; model: string }>("GET", "/models/default");
    assert.deepEqual([chosen.provider, chosen.model], ["openai-compatible", "m-1"]);
    assert.doesNotMatch(await page.content(), new RegExp(key));
    assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), new RegExp(key));
  });
});
