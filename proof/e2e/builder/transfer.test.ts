import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { readDownload } from "../testing/read-download.ts";
import { assertAccessibleInBoth } from "./testing/assert-accessible-in-both.ts";
import { at, flowOf, start, step } from "./testing/canvas-page.ts";
import { lookAt } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { createAgent } from "./testing/stored-agents.ts";

type Agent = { id: string; name: string };

describe("export and import in the settings", () => {
  let world: BuilderWorld;

  before(async () => {
    world = await startBuilder();
  });
  after(() => world?.close());

  const agents = async () => await world.platform.call<Agent[]>("GET", "/chatflows");

  it("download a file, say what its import would do, and do it when told to", async () => {
    const flow = flowOf(
      [start, { ...at(344, 0), ...step("step_0", { config: { message: "Hello" } }) }],
      [{ source: "start_0", target: "step_0" }],
    );
    const id = await createAgent(world.platform, flow, "Greeter");
    const page = await world.open("/settings");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download export" }).click();
    const file = await download;
    assert.match(file.suggestedFilename(), /^weft-export-\d{4}-\d{2}-\d{2}\.json$/);
    const text = await readDownload(file);
    assert.equal(JSON.parse(text).agents[0].name, "Greeter");

    const input = page.locator('input[type="file"]');
    const choose = (name: string, content: Buffer | string) =>
      input.setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
    const submit = page.getByRole("button", { name: "Import", exact: true });

    await choose("same.json", text);
    await page.getByText("An import of same.json would change nothing here.").waitFor();
    assert.ok(await submit.isDisabled());

    await world.platform.call("PUT", `/chatflows/${id}`, { name: "Renamed" });
    await choose("changed.json", text);
    await page.getByText("Kept as is: Greeter").waitFor();
    assert.ok(await submit.isDisabled());
    await page.getByRole("radio", { name: "Overwrite with the file" }).check();
    await page.getByText("Overwritten: Greeter").waitFor();
    assert.equal((await agents())[0]?.name, "Renamed", "a preview writes nothing");
    await assertAccessibleInBoth(page, "import preview");
    await lookAt(page, "settings-import");
    await submit.click();
    await page.getByText("changed.json was imported.").waitFor();
    assert.equal((await agents())[0]?.name, "Greeter");
    await page.getByRole("button", { name: "Done" }).click();

    await world.platform.call("DELETE", `/chatflows/${id}`);
    await choose("gone.json", text);
    await page.getByText("Added: Greeter").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.deepEqual(await agents(), []);
    await choose("gone.json", text);
    await submit.click();
    await page.getByText("gone.json was imported.").waitFor();
    assert.deepEqual(
      (await agents()).map(({ id }) => id),
      [id],
    );
    await page.close();
  });

  it("say what is wrong with a file, and write nothing", async () => {
    const before = await agents();
    const page = await world.open("/settings", { width: 390 });
    const input = page.locator('input[type="file"]');
    const choose = (name: string, content: string) =>
      input.setInputFiles({ name, mimeType: "application/json", buffer: Buffer.from(content) });
    await choose("notes.json", "Buy milk.");
    await page.getByRole("alert").filter({ hasText: "notes.json is not valid JSON." }).waitFor();
    await choose("other.json", '{"format":"something-else"}');
    await page.getByRole("alert").filter({ hasText: "format" }).waitFor();
    assert.ok(await page.getByRole("button", { name: "Import", exact: true }).isDisabled());
    assert.deepEqual(await agents(), before);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "nothing is cut off");
    await page.close();
  });
});
