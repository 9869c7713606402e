import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import {
  client,
  type ScriptedProvider,
  startScriptedProvider,
} from "../../../packages/server/src/identity/testing/scripted-provider.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { lookAt, settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

const grace = { sub: "grace", email: "grace@corp.example", email_verified: true, name: "Grace" };

describe("single sign-on", () => {
  const ends: (() => Promise<void>)[] = [];
  let world: BuilderWorld;
  let provider: ScriptedProvider;

  before(async () => {
    provider = await startScriptedProvider({ after: (end) => void ends.push(end) });
    world = await startBuilder({ env: { EGRESS_ALLOW: new URL(provider.issuer).host } });
    await world.platform.call("POST", "/identity-providers", {
      ...{ slug: "corp", name: "Corp", issuer: provider.issuer, clientId: client.id, clientSecret: client.secret },
      ...{ domains: ["corp.example"], signUp: "domains", defaultRole: "viewer" },
    });
  });
  after(async () => {
    await world?.close();
    for (const end of ends) await end();
  });

  it("signs someone in at their provider, who goes on to where they wanted to", async () => {
    provider.state.visitor = grace;
    const page = await world.openVisitor("/variables");
    const button = page.getByRole("button", { name: "Continue with Corp" });
    await button.waitFor();
    await settled(page);
    await assertAccessibleInBoth(page, "sign-in-providers");
    await lookAt(page, "sign-in-providers");
    await button.click();
    await page.getByRole("heading", { level: 1, name: "Variables" }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/variables");
    const cookies = await page.context().cookies();
    const session = cookies.find(({ name }) => name.startsWith("weft_session"));
    assert.deepEqual([session?.httpOnly, session?.sameSite], [true, "Strict"]);
    await page.goto(`${world.platform.url}/settings`);
    await page.getByText("grace@corp.example").first().waitFor();
    await page.close();
  });

  it("says why someone does not get in, and leaves nothing of the answer in the address", async () => {
    provider.state.visitor = { ...grace, sub: "eve", email: "eve@other.example" };
    const page = await world.openVisitor("/sign-in");
    await page.getByRole("button", { name: "Continue with Corp" }).click();
    await page.getByText("Corp knows you, but you have no account here.").waitFor();
    assert.equal(page.url(), `${world.platform.url}/sign-in/corp`);
    await assertAccessibleInBoth(page, "sign-in-refused");
    await lookAt(page, "sign-in-refused");
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Continue with Corp" }).waitFor();
    await page.close();
  });

  it("refuses an answer that another browser asked for", async () => {
    const response = await fetch(`${world.platform.url}/api/v1/auth/oidc/corp/start`, { method: "POST" });
    const { url } = (await response.json()) as { url: string };
    const answer = provider.answer(url, { claims: grace });
    const page = await world.openVisitor(`/sign-in/corp?${answer}`);
    await page.getByText("began in another browser").waitFor();
    assert.ok((await page.context().cookies()).every(({ name }) => !name.startsWith("weft_session")));
    await page.close();
  });

  it("is connected with an account, and disconnected", async () => {
    provider.state.visitor = { ...grace, sub: "ada at corp", email: "ada@corp.example" };
    const page = await world.open("/settings");
    await page.getByRole("button", { name: "Connect Corp" }).click();
    const disconnect = page.getByRole("button", { name: "Disconnect Corp" });
    await disconnect.waitFor();
    await settled(page);
    await assertAccessibleInBoth(page, "connected-sign-ins");
    await lookAt(page, "connected-sign-ins");
    await disconnect.click();
    await page.getByRole("button", { name: "Connect Corp" }).waitFor();
    await page.close();
  });

  it("is set up, tried, and deleted by who may manage people", async () => {
    const page = await world.open("/settings");
    await page.getByRole("link", { name: "Open sign-in settings" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign-in" }).waitFor();
    await page.getByRole("button", { name: "Add a provider" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a provider" });
    const fill = (name: string, text: string) => dialog.getByRole("textbox", { name, exact: true }).fill(text);
    await fill("Name", "Second");
    await fill("Short name", "second");
    assert.equal(
      await dialog.getByRole("textbox", { name: "Redirect URI" }).inputValue(),
      `${world.platform.url}/sign-in/second`,
    );
    await fill("Issuer", provider.issuer);
    await fill("Client ID", client.id);
    await dialog.getByLabel("Client secret", { exact: true }).fill(client.secret);
    await fill("Claim with roles", "groups");
    await dialog.getByRole("button", { name: "Add a rule" }).click();
    await dialog.getByRole("textbox", { name: "Value 1" }).fill("weft-viewers");
    await assertAccessibleInBoth(page, "provider-dialog");
    await lookAt(page, "provider-dialog");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "Second", exact: true }).waitFor();
    await settled(page);
    await lookAt(page, "providers");

    provider.state.visitor = { ...grace, groups: ["weft-viewers"] };
    await page.getByRole("button", { name: "Actions of Second" }).click();
    await page.getByRole("menuitem", { name: "Test “Second”" }).click();
    await page.getByRole("heading", { name: "What the provider says of you" }).waitFor();
    await page.getByText("weft-viewers").waitFor();
    await page.getByText("Viewer", { exact: true }).waitFor();
    await assertAccessibleInBoth(page, "provider-trial");
    await lookAt(page, "provider-trial");
    await page.getByRole("link", { name: "Back to the providers" }).click();
    await page.getByRole("button", { name: "Actions of Second" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("cell", { name: "Second", exact: true }).waitFor({ state: "detached" });
    await page.close();
  });
});
