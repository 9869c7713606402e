import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { after, before, describe, it } from "node:test";
import { fillInstallation, type Visit } from "./testing/fill-installation.ts";
import { findCutTexts, widenIdeographs } from "./testing/find-cut-texts.ts";
import { settled } from "./testing/look-at.ts";
import { type BuilderWorld, startBuilder } from "./testing/open-builder.ts";
import { retry } from "./testing/retry.ts";

type Language = { code: string; locale: string; signIn: string; agents: string };

/** The longest words, and none between which a line could break. */
const looked: Language[] = [
  { code: "de", locale: "de-DE", signIn: "Anmelden", agents: "Agenten" },
  { code: "ja", locale: "ja-JP", signIn: "サインイン", agents: "エージェント" },
];

const exists = ({ code }: Language) =>
  existsSync(new URL(`../../../packages/builder/messages/${code}.json`, import.meta.url));

describe("languages of the builder", () => {
  let world: BuilderWorld;
  let visits: Visit[];

  before(async () => {
    world = await startBuilder();
    visits = await fillInstallation(world.platform, "Bestellungen und Erstattungen");
  });
  after(() => world?.close());

  for (const { code, locale, signIn, agents } of looked.filter(exists)) {
    it(`speaks ${code} with a browser that asks for ${locale}`, async () => {
      const visitor = await world.openVisitor("/sign-in", { locale });
      await visitor.getByRole("button", { name: signIn, exact: true }).waitFor();
      assert.equal(await visitor.getAttribute("html", "lang"), code);
      await visitor.close();
      const page = await world.open("/agents", { locale });
      await page.getByRole("heading", { name: agents, level: 1 }).waitFor();
      await page.close();
    });

    it(`cuts no text in ${code}, on a phone or a large screen`, { timeout: 400_000 }, async () => {
      const page = await world.open("/", { locale });
      const look = async (name: string) => {
        for (const width of [390, 1_440]) {
          await page.setViewportSize({ width, height: 900 });
          await settled(page);
          // A page follows the width of its window some turns later.
          await retry(async () => {
            if (code === "ja") await widenIdeographs(page);
            assert.deepEqual(await findCutTexts(page), [], `${name} at ${width} px`);
          });
        }
      };
      for (const { name, path } of [{ name: "home", path: "/" }, ...visits]) {
        await page.goto(path);
        await look(name);
        const tabs = page.getByRole("tab");
        for (let at = 1; at < (await tabs.count()); at += 1) {
          await tabs.nth(at).click();
          await look(`${name}, tab ${at + 1}`);
        }
      }
      await page.close();
    });
  }

  it("speaks the language that was chosen, and the browser's when the choice is withdrawn", async () => {
    const page = await world.open("/settings");
    await page.getByRole("combobox", { name: "Language" }).click();
    await page.getByRole("option", { name: "Browser language (English)" }).waitFor();
    await page.getByRole("option", { name: "Deutsch" }).click();
    await page.getByRole("heading", { name: "Einstellungen", level: 1 }).waitFor();
    assert.equal(await page.getAttribute("html", "lang"), "de");
    await page.goto("/agents");
    await page.getByRole("heading", { name: "Agenten", level: 1 }).waitFor();
    await page.goto("/settings");
    await page.getByRole("combobox", { name: "Sprache" }).click();
    await page.getByRole("option", { name: "Wie im Browser (English)" }).click();
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.close();
  });

  it("stays in English when the texts of the language do not load", async () => {
    const page = await world.openVisitor("/", { locale: "de-DE" });
    await page.getByRole("button", { name: "Anmelden", exact: true }).waitFor();
    await page.waitForLoadState("networkidle");
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    await page.close();
    const english = await world.openVisitor("/sign-in");
    await english.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    const known = await english.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    await english.close();
    const texts = loaded.filter((name) => name.endsWith(".js") && !known.includes(name));
    assert.equal(texts.length, 2, `the texts of the builder and of the server, in German alone: ${texts.join()}`);
    const context = await world.browser.newContext({ locale: "de-DE" });
    const broken = await context.newPage();
    for (const address of texts) await broken.route(address, (route) => route.abort());
    await broken.goto(`${world.platform.url}/sign-in`);
    await broken.getByRole("button", { name: "Sign in", exact: true }).waitFor();
    assert.equal(await broken.getAttribute("html", "lang"), "en");
    await context.close();
  });
});
