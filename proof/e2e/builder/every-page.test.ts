import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Page } from "playwright-core";
import { fillInstallation, type Visit } from "./testing/fill-installation.ts";
import { assertFitsPhone, lookAt, settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";

const attack = '<img src=x onerror="globalThis.attacked=true"><script>globalThis.attacked=true</script>';

/** What a page shows, what stands in its fields included. */
const contains = (page: Page, text: string) =>
  page.waitForFunction((wanted) => {
    const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>("input, textarea")];
    return [document.body.textContent, ...fields.map(({ value }) => value)].some((shown) => shown.includes(wanted));
  }, text);

describe("every page", () => {
  let world: BuilderWorld;
  let visits: Visit[];

  before(async () => {
    world = await startBuilder();
    visits = await fillInstallation(world.platform, attack);
  });
  after(() => world?.close());

  async function look({ name, path, parts = [], isPlain = false }: Visit): Promise<void> {
    const page = await world.open(path);
    const errors: Error[] = [];
    page.on("pageerror", (error) => errors.push(error));
    // The line can rest before the page's own code has come.
    await page.getByRole("heading", { level: 1 }).first().waitFor({ state: "attached" });
    await settled(page);
    if (!isPlain) await contains(page, attack);
    await lookAt(page, `full-${name}`);
    for (const part of parts) {
      await page.getByRole(part.role, { name: part.name }).first().click();
      await settled(page);
      await assertFitsPhone(page);
      await page.setViewportSize({ width: 768, height: 900 });
    }
    assert.equal(await page.evaluate(() => "attacked" in globalThis), false, `${name} runs what it shows`);
    assert.deepEqual(errors, [], name);
    await page.close();
  }

  it("shows markup as text, is accessible in both colours, and fits narrow windows", async (t) => {
    for (const visit of visits) await t.test(visit.name, () => look(visit));
  });
});
