import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { readDownload } from "../testing/read-download.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { lookAt, settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

describe("the audit log", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
    const { call } = world.platform;
    const { id } = await call<{ id: string }>("POST", "/variables", { name: "city", value: "Rome", type: "string" });
    await call("PUT", `/variables/${id}`, { value: "Oslo" });
    const credential = { name: "Key", credentialName: "httpBasicAuth", plainDataObj: { basicAuthUsername: "ada" } };
    await call("POST", "/credentials", credential);
    for (let n = 0; n < 55; n += 1) await call("PUT", "/prices", { prices: {} });
  });
  after(() => world?.close());

  it("lists who did what, is narrowed by what is typed, and shows older entries", async () => {
    const page = await world.open("/settings");
    await page.getByRole("link", { name: "Open the audit log" }).click();
    await page.getByRole("heading", { level: 1, name: "Audit log" }).waitFor();
    const rows = page.getByRole("table", { name: "Audit log" }).getByRole("row");
    await rows.filter({ hasText: "setPrices" }).first().waitFor();
    await settled(page);
    await page.getByRole("button", { name: "Show older entries" }).click();
    await rows.filter({ hasText: "createVariable" }).waitFor();
    await page.getByLabel("What").fill("updateVariable");
    await rows.filter({ hasText: "setPrices" }).first().waitFor({ state: "detached" });
    await rows.filter({ hasText: "updateVariable" }).waitFor();
    assert.equal(await rows.count(), 2);
    assert.equal(new URL(page.url()).searchParams.get("action"), "updateVariable");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await rows.filter({ hasText: "setPrices" }).first().waitFor();
    await settled(page);
    await assertAccessibleInBoth(page, "audit");
    await lookAt(page, "audit");
    await page.getByLabel("What").fill("nothingOfTheKind");
    await page.getByText("No entries match").waitFor();
    await lookAt(page, "audit-nothing");
    await page.close();
  });

  it("leads from an entry to the thing and to everything that the same caller did", async () => {
    const page = await world.open("/settings/audit?action=createCredential");
    await page.getByRole("link", { name: "Credential", exact: true }).waitFor();
    const who = page.getByRole("table").getByRole("link").first();
    await who.click();
    await page.getByRole("row").filter({ hasText: "setPrices" }).first().waitFor();
    assert.ok(new URL(page.url()).searchParams.get("actor"));
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export CSV" }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), "weft-audit.csv");
    assert.match(await readDownload(download), /^seq,date,actorKind.*createCredential/s);
    await page.close();
  });

  it("says who can help someone without the right", async () => {
    const link = { email: "vera@example.com", role: "viewer" };
    const { token } = await world.platform.call<{ token: string }>("POST", "/invitations", link);
    const password = "correct horse battery staple";
    await world.platform.call("POST", "/invitations/accept", { token, password });
    const page = await world.openVisitor("/settings/audit");
    await page.getByLabel("E-mail").fill(link.email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("You cannot read the audit log").waitFor();
    await settled(page);
    await assertAccessibleInBoth(page, "audit-denied");
    await lookAt(page, "audit-denied");
    await page.close();
  });
});
