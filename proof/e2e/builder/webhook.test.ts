import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, describe, it } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { at, flowOf } from "./testing/canvas-page.ts";
import { lookAt } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { createAgent } from "./testing/stored-agents.ts";

const run = promisify(execFile);

describe("a webhook in the builder", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const create = (webhook: object) => {
    const start = { id: "start_0", type: "start", label: "Start", config: { input: "webhook", webhook }, ...at(0, 0) };
    const config = { message: "Got {{ $webhook.body.text }}" };
    const reply = { id: "reply_0", type: "direct-reply", label: "Reply", config, ...at(344, 0) };
    return createAgent(world.platform, flowOf([start, reply], [{ source: "start_0", target: "reply_0" }]), "Hook");
  };
  const access = (page: Page) => page.getByRole("region", { name: "Webhook access" });

  /** Runs the example as it is shown. */
  async function runExample(page: Page): Promise<{ text?: string; code?: string }> {
    await access(page).getByRole("button", { name: "Example request" }).click();
    const script = await access(page).getByRole("group", { name: "Example request" }).textContent();
    const { stdout } = await run("sh", ["-c", `${script} -sS`]);
    return JSON.parse(stdout);
  }

  it("has an address, a secret that is shown once, and an example that works as it is", async () => {
    const id = await create({});
    const page = await world.open(`/agents/${id}?step=start_0`);
    await access(page).getByText(`POST ${world.platform.url}/webhook/${id}`).waitFor();
    await access(page).getByText("Requests are refused until this agent has a secret.").waitFor();
    await access(page).getByRole("button", { name: "Create secret" }).click();
    await access(page).getByText("It is shown only once.").waitFor();
    const secret =
      (await access(page)
        .getByText(/^whsec_/)
        .textContent()) ?? "";
    assert.equal((await runExample(page)).text, "Got Hello!");
    await lookAt(page, "webhook-access");
    await page.reload();
    await access(page).getByText("It cannot be shown again.").waitFor();
    assert.ok(!(await page.content()).includes(secret));
    await page.close();
  });

  it("gets another secret, beside which the old one works for a time", async () => {
    const id = await create({ auth: { type: "plain-token" } });
    const page = await world.open(`/agents/${id}?step=start_0`);
    await access(page).getByRole("button", { name: "Create secret" }).click();
    const secret = access(page).getByText(/^whsec_/);
    const old = (await secret.textContent()) ?? "";
    await access(page).getByRole("button", { name: "Replace secret" }).click();
    const dialog = page.getByRole("dialog", { name: "Replace the secret?" });
    await dialog.getByRole("button", { name: "Replace secret" }).click();
    await access(page)
      .getByText(/^The previous secret works until /)
      .waitFor();
    const status = async (token: string) => {
      const headers = { "content-type": "application/json", "x-webhook-signature": token };
      return (await fetch(`${world.platform.url}/webhook/${id}`, { method: "POST", headers, body: "{}" })).status;
    };
    assert.deepEqual(
      [await status(old), await status((await secret.textContent()) ?? ""), await status("x")],
      [200, 200, 401],
    );
    assert.equal((await runExample(page)).text, "Got Hello!");
    await page.close();
  });

  it("shows how to sign the body alone, for the method and the content type that its settings name", async () => {
    const auth = { type: "hmac-sha256", header: "x-signed" };
    const id = await create({ auth, method: "PUT", contentType: "application/x-www-form-urlencoded" });
    const page = await world.open(`/agents/${id}?step=start_0`);
    await access(page).getByRole("button", { name: "Create secret" }).click();
    await access(page).getByText("It is shown only once.").waitFor();
    assert.equal((await runExample(page)).text, "Got Hello!");
    await page.close();
  });

  it("is what is shared of an agent that it starts", async () => {
    const id = await create({ auth: { type: "none" } });
    const page = await world.open(`/agents/${id}`);
    await page.getByRole("button", { name: "Share" }).click();
    await access(page).getByText("Anyone who knows the address can start this agent.").waitFor();
    assert.equal(await page.getByRole("tab", { name: "Link" }).count(), 0);
    assert.equal(await access(page).getByRole("button", { name: "Create secret" }).count(), 0);
    assert.equal((await runExample(page)).text, "Got Hello!");
    await page.close();
  });
});
