import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { BrowserContext } from "playwright-core";
import { settled } from "../builder/testing/look-at.ts";
import { admin } from "../builder/testing/open-builder.ts";
import { openBrowser } from "../testing/open-browser.ts";
import { startScriptedPlatform } from "../testing/scripted-platform.ts";
import { signIn } from "../testing/sign-in.ts";
import { answerAsModel, fillDemonstration, type Subject } from "./demonstration.ts";

/**
 * `./weft screenshots [FOLDER] [WORD]`: pictures of every page of the builder, or of those with WORD in their name,
 * in both colour schemes and three widths, from a real server with demonstration data. Default folder:
 * `.cache/screenshots`. It needs Chromium, like the browser tests.
 */
const [folder = ".cache/screenshots", word = ""] = process.argv.slice(2);
const schemes = ["light", "dark"] as const;
const widths = [1_440, 1_024, 390];
/** Pages spend most of their time waiting for the network to be quiet. */
const pagesAtOnce = 4;

await mkdir(folder, { recursive: true });
const env = {
  ADMIN_EMAIL: admin.email,
  ADMIN_PASSWORD: admin.password,
  MODEL_PRICES: '{"openai-compatible/scripted":{"input":0.4,"output":1.6}}',
};
const { platform, close } = await startScriptedPlatform(answerAsModel, env);
const browser = await openBrowser();
try {
  const all = await fillDemonstration(platform);
  const subjects = all.filter(({ name }) => name.includes(word));
  if (subjects.length === 0) {
    const names = all.map(({ name }) => name).join(", ");
    throw new Error(`No page has "${word}" in its name. There are: ${names}.`);
  }
  for (const colorScheme of schemes) {
    for (const width of widths) {
      const options = { colorScheme, viewport: { width, height: width === 390 ? 844 : 900 } };
      const member = await signIn(browser, platform, options);
      const visitor = await browser.newContext({ ...options, reducedMotion: "reduce", baseURL: platform.url });
      const queue = subjects.values();
      const worker = async () => {
        for (const subject of queue) {
          const context = subject.isOpenToVisitors ? visitor : member;
          const name = `${subject.name}-${colorScheme}-${width}`;
          await picture(context, subject, name).catch((cause: unknown) => {
            throw new Error(`No picture of ${name}`, { cause });
          });
        }
      };
      await Promise.all(Array.from({ length: pagesAtOnce }, worker));
      await Promise.all([member.close(), visitor.close()]);
    }
  }
  console.log(`${subjects.length * schemes.length * widths.length} pictures in ${resolve(folder)}`);
} finally {
  await browser.close();
  await close();
}

async function picture(context: BrowserContext, { path, press, shows }: Subject, name: string): Promise<void> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  await page.goto(path);
  await page.locator("h1, h2, .react-flow__node").first().waitFor();
  await settled(page);
  if (press) await page.locator(".react-flow__node").filter({ hasText: press }).click();
  if (press) await page.getByRole("complementary", { name: "Step" }).getByRole("textbox").first().waitFor();
  if (shows) await page.locator(shows).first().waitFor();
  // Those of hidden tabs wait until they are shown.
  await page.waitForFunction(() =>
    [...document.querySelectorAll(".mantine-Skeleton-root")].every((skeleton) => !skeleton.checkVisibility()),
  );
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  await page.screenshot({ path: join(folder, `${name}.png`) });
  await page.close();
}
