import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { lookAt, settled } from "./testing/look-at.ts";
import { admin, type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

const password = "a good long password";

/** Places in the navigation. */
async function placesOf(page: Page): Promise<string[]> {
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "Agents" }).waitFor();
  return (await navigation.getByRole("link").allInnerTexts()).map((text) => text.trim());
}

describe("people", () => {
  let world: BuilderWorld;
  let link = "";
  let agentId = "";

  before(async () => {
    world = await startBuilder();
    const nodes = [
      { id: "start", type: "start" },
      { id: "reply", type: "direct-reply", config: { message: "Hello from an agent." } },
    ];
    const flowData = JSON.stringify({ weft: 1, nodes, edges: [{ id: "e", source: "start", target: "reply" }] });
    agentId = (await world.platform.call<{ id: string }>("POST", "/chatflows", { name: "Greeter", flowData })).id;
  });
  after(() => world?.close());

  it("are invited by a link, which is shown once", async () => {
    const page = await world.open("/people");
    await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
    await page.getByRole("cell", { name: `${admin.email} You` }).waitFor();
    await settled(page);
    await lookAt(page, "people");
    await page.getByRole("button", { name: "Invite someone" }).click();
    const dialog = page.getByRole("dialog", { name: "Invite someone" });
    await dialog.getByRole("textbox", { name: "E-mail" }).fill("grace@example.com");
    await dialog.getByRole("radio", { name: "Viewer" }).check();
    await assertAccessibleInBoth(page, "invitation");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const shown = page.getByRole("dialog", { name: "Send this link" });
    link = await shown.getByRole("textbox", { name: "Link" }).inputValue();
    assert.match(link, /\/join#[\w-]{43}$/);
    await shown.getByRole("button", { name: "I have copied it" }).click();
    const open = page.getByRole("table", { name: "Open links" });
    await open.getByRole("cell", { name: "grace@example.com Invitation" }).waitFor();
    assert.ok(!(await page.content()).includes(new URL(link).hash.slice(1)));
    await lookAt(page, "people-invited");
    await page.close();
  });

  it("choose a password, and see what their role may do", async () => {
    const page = await world.openVisitor(link.slice(world.platform.url.length));
    await page.getByRole("heading", { name: "Join Weft" }).waitFor();
    assert.equal(await page.getByRole("textbox", { name: "E-mail" }).inputValue(), "grace@example.com");
    await assertAccessibleInBoth(page, "join");
    await page.getByRole("textbox", { name: "Your name" }).fill("Grace");
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
    await page.getByRole("link", { name: "Credentials" }).waitFor({ state: "detached" });
    const places = await placesOf(page);
    for (const hidden of ["People", "Credentials", "API keys", "System", "Inbox", "Models"])
      assert.ok(!places.includes(hidden), hidden);
    for (const shown of ["Agents", "Tools", "Executions", "Settings"]) assert.ok(places.includes(shown), shown);
    await page.goto(`${world.platform.url}/variables`);
    await page.getByText("No variables yet").waitFor();
    assert.equal(await page.getByRole("button", { name: "New variable" }).count(), 0);
    await page.goto(`${world.platform.url}/agents/${agentId}`);
    await page.getByText("View only").waitFor();
    assert.equal(await page.getByRole("button", { name: "Publish" }).count(), 0);
    await page.getByRole("button", { name: "Chat", exact: true }).click();
    const chat = page.getByRole("complementary", { name: "Chat" });
    await chat.getByRole("textbox", { name: "Message" }).fill("Good morning");
    await chat.getByRole("textbox", { name: "Message" }).press("Enter");
    await chat.getByText("Hello from an agent.").waitFor();
    // An address that somebody sent says what is missing.
    await page.goto(`${world.platform.url}/people`);
    await page.getByText("people:read").first().waitFor();
    await page.close();
  });

  it("get another role, and are removed with their keys", async () => {
    const page = await world.open("/people");
    const menu = page.getByRole("button", { name: "Actions of Grace" });
    await menu.click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    const editor = page.getByRole("dialog", { name: "grace@example.com" });
    await editor.getByRole("radio", { name: "Admin" }).check();
    await editor.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /Grace.*Admin/ }).waitFor();

    await menu.click();
    await page.getByRole("menuitem", { name: "Create password link" }).click();
    await page
      .getByRole("dialog", { name: "Send this password link" })
      .getByRole("textbox", { name: "Link" })
      .waitFor();
    await page.getByRole("button", { name: "I have copied it" }).click();

    await menu.click();
    await page.getByRole("menuitem", { name: "Remove" }).click();
    const question = page.getByRole("dialog", { name: "Remove this person?" });
    await question.getByRole("radio", { name: "Revoke them" }).waitFor();
    await assertAccessibleInBoth(page, "removal");
    await question.getByRole("button", { name: "Remove" }).click();
    await page.getByRole("row", { name: /Grace/ }).waitFor({ state: "detached" });
    const accounts = await world.platform.call<{ email: string }[]>("GET", "/accounts");
    assert.deepEqual(
      accounts.map(({ email }) => email),
      [admin.email],
    );
    await page.close();
  });

  it("with a used or wrong link learn that it is over", async () => {
    for (const path of [link.slice(world.platform.url.length), "/join#%E0%A4%A", "/join"]) {
      const page = await world.openVisitor(path);
      await page.getByRole("heading", { name: "This link no longer works" }).waitFor();
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("heading", { name: "Sign in to Weft" }).waitFor();
      await page.close();
    }
  });
});
