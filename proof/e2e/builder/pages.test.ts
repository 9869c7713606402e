import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessible } from "./testing/assert-accessible.ts";
import { lookAt, settled } from "./testing/look-at.ts";
import { admin, type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { screenshot } from "./testing/screenshot.ts";

const attack = '<img src=x onerror="globalThis.attacked=true"><script>globalThis.attacked=true</script>';

const pages: readonly { path: string; heading: string; emptyTitle?: string }[] = [
  { path: "/agents", heading: "Agents", emptyTitle: "No agents yet" },
  { path: "/variables", heading: "Variables", emptyTitle: "No variables yet" },
  { path: "/credentials", heading: "Credentials", emptyTitle: "No credentials yet" },
  { path: "/api-keys", heading: "API keys", emptyTitle: "No API keys yet" },
  { path: "/models", heading: "Models" },
  { path: "/settings", heading: "Settings" },
];

const headingOf = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const menuOf = (page: Page, name: string) => page.getByRole("button", { name: `Actions of ${name}` });

async function lookAtAll(world: BuilderWorld, state: "empty" | "full"): Promise<void> {
  for (const { path, heading, emptyTitle } of pages) {
    const page = await world.open(path);
    await headingOf(page, heading).waitFor();
    await settled(page);
    if (state === "empty" && emptyTitle !== undefined) await page.getByText(emptyTitle).waitFor();
    await lookAt(page, `${path.slice(1)}-${state}`);
    await page.close();
  }
}

describe("the simple pages", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  it("say what to do where there is nothing yet, and are accessible", () => lookAtAll(world, "empty"));

  it("keep variables", async () => {
    const page = await world.open("/variables");
    await page.getByRole("button", { name: "New variable" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New variable" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("city");
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Number" }).click();
    await dialog.getByRole("textbox", { name: "Value" }).fill("many");
    await dialog.getByRole("button", { name: "Create" }).click();
    await dialog.getByRole("alert").waitFor();
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "Text", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Value" }).fill(attack);
    await assertAccessible(page, "variable dialog");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("cell", { name: attack, exact: true }).waitFor();

    await menuOf(page, "city").click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const editor = page.getByRole("dialog", { name: "Edit variable" });
    await editor.getByRole("textbox", { name: "Value" }).fill("London");
    await editor.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "London", exact: true }).waitFor();
    const [stored] = await world.platform.call<{ name: string; value: string }[]>("GET", "/variables");
    assert.deepEqual([stored?.name, stored?.value], ["city", "London"]);

    await menuOf(page, "city").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No variables yet").waitFor();
  });

  it("store credentials without ever showing them again", async () => {
    const page = await world.open("/credentials");
    await page.getByRole("button", { name: "New credential" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New credential" });
    await dialog.getByRole("combobox", { name: "Type" }).click();
    await page.getByRole("option", { name: "HTTP basic authentication" }).click();
    await dialog.getByRole("textbox", { name: "Name", exact: true }).fill("Shop");
    await dialog.getByLabel("User name").fill("weft");
    await dialog.getByLabel("Password", { exact: true }).fill("first secret");
    await assertAccessible(page, "credential dialog");
    await dialog.getByRole("button", { name: "Create" }).click();
    await page.getByRole("cell", { name: "Shop", exact: true }).waitFor();

    await menuOf(page, "Shop").click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const editor = page.getByRole("dialog", { name: "Edit credential" });
    assert.equal(await editor.getByLabel("Password", { exact: true }).inputValue(), "");
    await editor.getByRole("textbox", { name: "Name", exact: true }).fill("Shop of the south");
    await editor.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "Shop of the south", exact: true }).waitFor();
    const [stored] = await world.platform.call<{ fields: string[] }[]>("GET", "/credentials");
    assert.deepEqual(stored?.fields.toSorted(), ["basicAuthPassword", "basicAuthUsername"]);
    assert.doesNotMatch(await page.content(), /first secret/);
  });

  it("show a new API key once, and revoke it", async () => {
    const page = await world.open("/api-keys");
    await page.getByRole("button", { name: "New API key" }).first().click();
    const dialog = page.getByRole("dialog", { name: "New API key" });
    await dialog.getByRole("textbox", { name: "Name" }).fill("Reports");
    await dialog.getByRole("radio", { name: "Choose each permission" }).check();
    await dialog.getByRole("checkbox", { name: "Executions: Read" }).check();
    await assertAccessible(page, "API key dialog");
    await screenshot(page, "api-key-dialog");
    await dialog.getByRole("button", { name: "Create key" }).click();

    const shown = page.getByRole("dialog", { name: "Copy the key now" });
    const key = await shown.getByLabel("New key").inputValue();
    const ask = (path: string) =>
      fetch(`${world.platform.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal((await ask("/executions")).status, 200);
    assert.equal((await ask("/chatflows")).status, 403);
    await shown.getByRole("button", { name: "I have copied it" }).click();
    await page.getByText("1 permission", { exact: true }).waitFor();
    await page.reload();
    await page.getByRole("cell", { name: "Reports", exact: true }).waitFor();
    assert.ok(!(await page.content()).includes(key));

    await menuOf(page, "Reports").click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByText("No API keys yet").waitFor();
    assert.equal((await ask("/executions")).status, 401);
  });

  it("choose and test the default model", async () => {
    const page = await world.open("/models");
    await page.getByText("No real model is connected.").waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Choose the default model" });
    await dialog.getByRole("combobox", { name: "Provider" }).click();
    const anthropic = page.getByRole("option", { name: "Anthropic" });
    const mark = anthropic.locator("use");
    await retry(async () =>
      assert.ok((await mark.evaluate((drawn) => (drawn as SVGGraphicsElement).getBBox().width)) > 0),
    );
    await anthropic.click();
    await assertAccessible(page, "default model dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Test connection" }).click();
    await page.getByRole("status").filter({ hasText: "needs an API key" }).waitFor();
    await page.getByRole("button", { name: "Use server configuration" }).click();
    await page.getByText("No real model is connected.").waitFor();
  });

  it("create, find, duplicate, tag and delete agents", async () => {
    const page = await world.open("/agents");
    await page.getByRole("link", { name: "New agent" }).first().click();
    await page.getByRole("button", { name: /^Blank/ }).click();
    const dialog = page.getByRole("dialog", { name: "New agent" });
    await dialog.getByRole("textbox", { name: "Name" }).fill(attack);
    await assertAccessible(page, "new agent dialog");
    await dialog.getByRole("button", { name: "Create and open" }).click();
    await page.waitForURL(/\/agents\/[0-9a-f-]{36}/);
    await page.goto(`${world.platform.url}/agents`);
    await menuOf(page, attack).click();
    await page.getByRole("menuitem", { name: "Name and tags" }).click();
    const tags = page.getByRole("dialog", { name: "Name and tags" }).getByRole("combobox", { name: "Tags" });
    await tags.fill("Sales");
    await tags.press("Enter");
    await assertAccessible(page, "agent dialog");
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("link", { name: attack, exact: true }).waitFor();

    await menuOf(page, attack).click();
    await page.getByRole("menuitem", { name: "Duplicate" }).click();
    await page.getByRole("link", { name: `${attack} (copy)`, exact: true }).waitFor();
    await menuOf(page, `${attack} (copy)`).click();
    await page.getByRole("menuitem", { name: "Name and tags" }).click();
    const editor = page.getByRole("dialog", { name: "Name and tags" });
    await editor.getByRole("textbox", { name: "Name" }).fill("Second");
    await editor.getByRole("button", { name: "Save" }).click();
    await page.getByRole("link", { name: "Second", exact: true }).waitFor();

    await page.getByRole("searchbox", { name: "Search agents" }).fill("second sales");
    await page.getByRole("status").filter({ hasText: "1 agent" }).waitFor();
    await page.getByRole("searchbox", { name: "Search agents" }).fill("nobody");
    await page.getByText("No results for “nobody”.").waitFor();
    await page.getByRole("button", { name: "Clear search" }).click();
    await menuOf(page, "Second").click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("status").filter({ hasText: "1 agent" }).waitFor();
    assert.equal(await page.evaluate(() => "attacked" in globalThis), false, "text stays text");
  });

  it("are accessible with things in them", async () => {
    await world.platform.call("POST", "/variables", { name: "limit", value: "5", type: "number" });
    await world.platform.call("POST", "/apikey", { keyName: "Everything", permissions: ["*"] });
    await lookAtAll(world, "full");
  });

  it("can be used without a mouse", async () => {
    const page = await world.open("/agents");
    await headingOf(page, "Agents").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.id), "content");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/new");
    await page.getByRole("button", { name: /^Blank/ }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("dialog", { name: "New agent" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page
      .getByRole("button", { name: /^Blank/ })
      .and(page.locator(":focus"))
      .waitFor();
  });

  it("say what went wrong, and go on when it works again", async () => {
    const page = await world.open("/settings");
    await page.route("**/api/v1/variables", (route) => route.abort());
    await page.getByRole("link", { name: "Variables" }).click();
    const alert = page.getByRole("alert");
    await alert.filter({ hasText: "Cannot reach the server." }).waitFor();
    await assertAccessible(page, "a page that failed");
    await page.unroute("**/api/v1/variables");
    await alert.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("cell", { name: "limit", exact: true }).waitFor();
    await page.goto(`${world.platform.url}/no-such-page`);
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
  });

  it("lead back from what is not there, or never can be", async () => {
    const page = await world.open("/");
    for (const list of ["agents", "executions", "document-stores"]) {
      for (const id of ["nonsense", "00000000-0000-4000-8000-000000000000"]) {
        await page.goto(`/${list}/${id}`);
        const alert = page.getByRole("alert");
        await alert.getByText(/There is nothing at this address\.|No .* exists\./).waitFor();
        assert.equal(await alert.getByRole("button", { name: "Try again" }).count(), 0);
        await alert.getByRole("link", { name: "Back to the list" }).click();
        await page.waitForURL(`**/${list}`);
      }
    }
    await page.close();
  });

  it("sign out everywhere, and back in to where one was", async () => {
    const here = await world.open("/settings", { colours: "dark" });
    const there = await world.open("/variables");
    const form = here.locator("section", { hasText: "Lost a device" });
    await form.getByRole("button", { name: "Sign out everywhere" }).click();
    await headingOf(here, "Sign in to Weft").waitFor();
    await screenshot(here, "sign-in-dark");
    await assertAccessible(here, "sign in");
    await there.goto(`${world.platform.url}/credentials`);
    await headingOf(there, "Sign in to Weft").waitFor();
    await there.getByLabel("E-mail").fill(admin.email);
    await there.getByLabel("Password", { exact: true }).fill(admin.password);
    await there.getByRole("button", { name: "Sign in" }).click();
    await headingOf(there, "Credentials").waitFor();
  });
});
