import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, flowOf, start, step } from "./testing/canvas-page.ts";
import { admin, type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";
import { createAgent } from "./testing/stored-agents.ts";

describe("a session that ends while a page is open", () => {
  let world: BuilderWorld;
  let page: Page;
  let agentId: string;

  before(async () => {
    world = await startBuilder();
    const flow = flowOf(
      [start, step("step_0", { config: { message: "Hello" }, ...at(344, 0) })],
      [{ source: "start_0", target: "step_0" }],
    );
    agentId = await createAgent(world.platform, flow, "Greeter");
  });
  beforeEach(async () => {
    const context = await world.browser.newContext({ reducedMotion: "reduce", baseURL: world.platform.url });
    context.setDefaultTimeout(90_000);
    page = await context.newPage();
    await page.goto(`/sign-in?from=${encodeURIComponent(`/agents/${agentId}?step=step_0`)}`);
    await page.evaluate(() => localStorage.setItem("weft.welcomed", "true"));
    await page.getByLabel("E-mail").fill(admin.email);
    await signIn(page);
    await name(page).waitFor();
  });
  after(() => world?.close());

  const name = (where: Page) => where.getByRole("textbox", { name: "Step name" });
  const dialog = (where: Page) => where.getByRole("dialog", { name: "Your session ended" });

  async function signIn(where: Page): Promise<void> {
    await where.getByLabel("Password", { exact: true }).fill(admin.password);
    await where.getByRole("button", { name: "Sign in" }).click();
  }

  /** Voids every token of the account. */
  async function endSessions(): Promise<void> {
    const send = async (method: string, path: string, body: object, token = "") => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const url = `${world.platform.url}/api/v1/auth/${path}`;
      const response = await fetch(url, { method, headers, body: JSON.stringify(body) });
      assert.ok(response.ok, `${path}: ${response.status}`);
      return response;
    };
    const { token } = (await (await send("POST", "login", admin)).json()) as { token: string };
    await send("PUT", "password", { currentPassword: admin.password, newPassword: admin.password }, token);
  }

  const draft = () => world.platform.call<{ flowData: string }>("GET", `/chatflows/${agentId}/draft`);

  it("keeps what was entered, and saves it once one has signed in again", async () => {
    await endSessions();
    await name(page).fill("Typed too late");
    await dialog(page).getByText("Nothing on this page is lost.").waitFor();
    await assertAccessibleInBoth(page, "session ended");
    assert.equal(await dialog(page).getByLabel("E-mail").inputValue(), admin.email);
    await page.keyboard.press("Escape");
    await dialog(page).getByLabel("Password", { exact: true }).fill("wrong password");
    await dialog(page).getByRole("button", { name: "Sign in" }).click();
    await dialog(page).getByRole("alert").waitFor();
    await signIn(page);
    await dialog(page).waitFor({ state: "detached" });
    assert.equal(await name(page).inputValue(), "Typed too late");
    await retry(async () => assert.match((await draft()).flowData, /Typed too late/));
    await page.context().close();
  });

  it("sends a message that was typed meanwhile", async () => {
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill("Anybody there?");
    await endSessions();
    await message.press("Enter");
    await dialog(page).waitFor();
    await signIn(page);
    await page.getByRole("log").getByText("Hello", { exact: true }).waitFor();
    await page.getByRole("log").getByText("Anybody there?").waitFor();
    await page.context().close();
  });

  it("goes on in every window after one sign-in, and can be left", async () => {
    const other = await page.context().newPage();
    await other.goto(`/agents/${agentId}?step=step_0`);
    await name(other).waitFor();
    await endSessions();
    await name(page).fill("Here");
    await name(other).fill("There");
    await dialog(page).waitFor();
    await dialog(other).waitFor();
    await signIn(page);
    await dialog(other).waitFor({ state: "detached" });
    await endSessions();
    await name(other).fill("There again");
    await dialog(other).getByRole("button", { name: "Sign out" }).click();
    await other.getByRole("heading", { name: "Sign in to Weft" }).waitFor();
    await page.getByRole("heading", { name: "Sign in to Weft" }).waitFor();
    await page.context().close();
  });

  it("is noticed by the clock, and leads on to the page that one asked for", async () => {
    await page.evaluate(() => {
      const session = JSON.parse(localStorage.getItem("weft.session") ?? "{}");
      localStorage.setItem("weft.session", JSON.stringify({ ...session, expiresAtMs: Date.now() - 1 }));
    });
    await page.getByRole("link", { name: "Variables" }).click();
    await dialog(page).waitFor();
    await signIn(page);
    await page.getByRole("heading", { name: "Variables", level: 1 }).waitFor();
    await page.context().close();
  });
});
