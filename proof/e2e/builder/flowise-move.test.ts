import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type BuiltFlowise, buildFlowiseDatabase } from "@weft/flowise-source/testing";
import type { FlowiseImport } from "@weft/schema";
import type { Page } from "playwright-core";
import type { PlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";
import { openSignedIn } from "../testing/sign-in.ts";
import { lookAt } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

/** Enough to be looked at while it goes on. */
const sizes = { messages: 30_000 };

describe("the move from Flowise", { timeout: 400_000 }, () => {
  let world: BuilderWorld;
  let folder: string;
  let flowise: BuiltFlowise;

  before(async () => {
    world = await startBuilder();
    folder = await mkdtemp(join(tmpdir(), "weft-flowise-"));
    flowise = await buildFlowiseDatabase({ folder, sizes });
  });
  after(async () => {
    await world?.close();
    await rm(folder, { recursive: true, force: true });
  });

  const choose = async (page: Page, button: string, file: string | { name: string; content: string }) => {
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: button, exact: true }).click();
    const chosen =
      typeof file === "string"
        ? file
        : { name: file.name, mimeType: "application/octet-stream", buffer: Buffer.from(file.content) };
    await (await chooser).setFiles(chosen);
  };
  const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();
  const status = (page: Page, text: RegExp | string) => page.getByRole("status").filter({ hasText: text });

  it("refuses a file that Flowise did not write, and a key that opens nothing", async () => {
    const page = await world.open("/settings");
    await page.getByRole("link", { name: "Start the move" }).click();
    await page.getByRole("heading", { name: "Move from Flowise", level: 1 }).waitFor();
    await lookAt(page, "flowise-move-start");
    await choose(page, "Choose file", { name: "notes.json", content: "Buy milk." });
    await page.getByRole("alert").filter({ hasText: "notes.json is not" }).waitFor();
    await choose(page, "Choose file", { name: "empty.sqlite", content: "" });
    await page.getByRole("alert").filter({ hasText: "empty.sqlite is empty." }).waitFor();

    await choose(page, "Choose file", flowise.database);
    await page.getByText(/^database\.sqlite \(.*\) is uploaded\.$/).waitFor({ timeout: 60_000 });
    await page.getByLabel("Encryption key").fill("another key of 32 characters ...");
    await lookAt(page, "flowise-move-choices");
    await press(page, "Start dry run");
    const wrong = page.getByRole("alert").filter({ hasText: "the key opens none of the credentials" });
    await wrong.waitFor({ timeout: 60_000 });
    await page.getByText("The server has the key.").waitFor();
    assert.equal(await page.getByRole("button", { name: "Import", exact: true }).count(), 0);
    await press(page, "Remove uploaded file");
    await page.getByRole("button", { name: "Choose file", exact: true }).waitFor();
    await page.close();
  });

  it("says so to who may not import", async () => {
    const permissions = ["agents:read"];
    const { apiKey } = await world.platform.call<{ apiKey: string }>("POST", "/apikey", { keyName: "r", permissions });
    const { url } = world.platform;
    const page = await openSignedIn(world.browser, { url, token: apiKey }, "/settings/flowise", {});
    await page.getByRole("heading", { name: "You may not import" }).waitFor();
    await page.getByText("needs the permission installation:import").waitFor();
    await page.close();
  });

  it("keeps what arrived of an upload that is stopped, beyond the page", async () => {
    const page = await world.open("/settings/flowise");
    const isLater = (url: URL) =>
      url.pathname.endsWith("/flowise-import/file") && url.searchParams.get("offset") !== "0";
    await page.route(isLater, () => undefined);
    await choose(page, "Choose file", flowise.database);
    await page.getByText(/^524 kB of .* uploaded$/).waitFor();
    await page.getByRole("link", { name: "Settings", exact: true }).first().click();
    await page.goBack();
    await press(page, "Stop upload");
    await page.getByText(/^524 kB of .* of database\.sqlite have been uploaded\. Choose the same file/).waitFor();
    await page.unroute(isLater);
    const first = page.waitForRequest(/flowise-import\/file/);
    await choose(page, "Choose file to continue", flowise.database);
    assert.match((await first).url(), /offset=524288/);
    await page.getByText(/is uploaded\.$/).waitFor({ timeout: 60_000 });
    await press(page, "Remove uploaded file");
    await page.getByRole("button", { name: "Choose file", exact: true }).waitFor();
    await page.close();
  });

  it("goes from the upload over the dry run to agents that open, beyond a lost connection and a reload", async () => {
    const page = await world.open("/settings/flowise");
    let lost = 0;
    await page.route(/flowise-import\/file/, async (route) => {
      if (!route.request().url().includes("offset=0") && lost < 2) {
        lost += 1;
        await route.abort("connectionreset");
      } else await route.continue();
    });
    await choose(page, "Choose file", flowise.database);
    await page.getByText(/is uploaded\.$/).waitFor({ timeout: 60_000 });
    assert.equal(lost, 2);
    await choose(page, "Read from file", flowise.keyFile);
    await press(page, "Start dry run");
    await status(page, /^An import would add [\d,]+ entries\. Nothing has been written yet\.$/).waitFor({
      timeout: 120_000,
    });
    await page.getByRole("heading", { name: "What to do" }).waitFor();
    assert.equal((await world.platform.call<unknown[]>("GET", "/chatflows")).length, 0);
    await lookAt(page, "flowise-move-dry-run");

    const submit = page.getByRole("button", { name: "Import", exact: true });
    await page.getByRole("radio", { name: /^Let everyone ask/ }).check();
    await page.getByText("The choices have changed since the last dry run.").waitFor();
    assert.ok(await submit.isDisabled());
    await page.getByRole("radio", { name: "Require an API key" }).check();
    await page.reload();
    await page.getByRole("checkbox", { name: "Let credentials go where the flows send them" }).check();
    const letGoOn = await workWhenAsked(world.platform, page);
    await submit.click();

    const bar = page.getByRole("progressbar", { name: "Import" });
    await bar.waitFor();
    await page.reload();
    await bar.waitFor();
    await status(page, /^[A-Z][a-z ]+: [\d,]+ of [\d,]+ read$/).waitFor();
    await letGoOn();
    await status(page, /^[\d,]+ entries were imported\.$/).waitFor({ timeout: 180_000 });
    await lookAt(page, "flowise-move-imported");
    const { run } = await world.platform.call<FlowiseImport>("GET", "/flowise-import");
    assert.equal(run?.confirmDestinations, true);
    await page.getByRole("list", { name: "Agents" }).getByRole("link", { name: "Agent 1", exact: true }).click();
    await page.getByRole("button", { name: "Publish" }).waitFor();
    await page.goBack();
    await press(page, "Close report");
    await page.getByRole("button", { name: "Choose file", exact: true }).waitFor();
    await page.close();
  });

  it("a second run writes nothing, and says so before", async () => {
    const page = await world.open("/settings/flowise", { width: 390 });
    await choose(page, "Choose file", flowise.database);
    await page.getByText(/is uploaded\.$/).waitFor({ timeout: 60_000 });
    await press(page, "Start dry run");
    await status(page, "Everything in this file is here already. An import would write nothing.").waitFor({
      timeout: 120_000,
    });
    await page.close();
  });

  it("an import is stopped when asked, and another one refused meanwhile", async () => {
    const other = await startBuilder();
    try {
      const page = await other.open("/settings/flowise");
      await choose(page, "Choose file", flowise.database);
      await page.getByText(/is uploaded\.$/).waitFor({ timeout: 60_000 });
      await press(page, "Start dry run");
      const submit = page.getByRole("button", { name: "Import", exact: true });
      await submit.waitFor({ timeout: 120_000 });
      const letGoOn = await workWhenAsked(other.platform, page);
      await submit.click();
      await page.getByRole("progressbar", { name: "Import" }).waitFor();
      const second = await page.evaluate(async (token) => {
        const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
        const body = JSON.stringify({ dryRun: true });
        return (await fetch("/api/v1/flowise-import", { method: "POST", headers, body })).status;
      }, other.platform.token);
      assert.equal(second, 409);
      const state = (address: URL) => address.pathname.endsWith("/api/v1/flowise-import");
      await page.route(state, (route) => route.abort("connectionrefused"));
      const notice = page.getByRole("alert").filter({ hasText: "The server cannot be reached at the moment." });
      await notice.waitFor();
      await page.unroute(state);
      await notice.waitFor({ state: "detached" });
      await press(page, "Stop");
      const dialog = page.getByRole("dialog");
      await dialog.getByText(/^What was imported so far stays\./).waitFor();
      await dialog.getByRole("button", { name: "Stop", exact: true }).click();
      await page.getByRole("button", { name: "Choose file", exact: true }).waitFor();
      await letGoOn();
    } finally {
      await other.close();
    }
  });
});

/** Lets the server work only while the page waits for it, so that an import goes on for as long as it is looked at. */
async function workWhenAsked(platform: PlatformProcess, page: Page): Promise<() => Promise<void>> {
  let waiting = 0;
  let isHeld = true;
  await page.route("**", async (route) => {
    if (waiting++ === 0) platform.thaw();
    const response = await route.fetch();
    if (--waiting === 0 && isHeld) platform.freeze();
    await route.fulfill({ response });
  });
  platform.freeze();
  return async () => {
    isHeld = false;
    await page.unroute("**");
    platform.thaw();
  };
}
