import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext } from "playwright-core";
import { startPlatformProcess } from "../../packages/server/src/testing/platform-process.ts";
import { openBrowser } from "../e2e/testing/open-browser.ts";
import { signIn } from "../e2e/testing/sign-in.ts";
import { fill } from "./fill.ts";

// `node proof/bench/executions-page.ts`: from the click on "Executions" to the rows of the first page, in Chromium, with 10,000
// stored runs, beside the same with a hundred. Each time in a page that was just loaded and has come to rest: the list
// is fetched anew, its code was fetched ahead.

const repetitions = 12;

const browser = await openBrowser();
try {
  const few = await measureWith(100);
  const many = await measureWith(10_000);
  console.log(`10,000 runs take ${(many / few).toFixed(2)} times as long; aim: 300 ms at most`);
} finally {
  await browser.close();
}

/** The median, in milliseconds. */
async function measureWith(count: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), "weft-filled-"));
  await fill(dataDir, count);
  const platform = await startPlatformProcess({ dataDir });
  try {
    const context = await signIn(browser, platform);
    const measured: number[] = [];
    while (measured.length < repetitions) measured.push(await measureOpening(context));
    await context.close();
    const sorted = measured.toSorted((a, b) => a - b);
    const median = sorted[Math.floor(repetitions / 2)] ?? 0;
    const range = `${sorted[0]?.toFixed(0)} to ${sorted.at(-1)?.toFixed(0)} ms`;
    console.log(`${count} runs: median ${median.toFixed(0)} ms, ${range}; load ${loadavg()[0]?.toFixed(1)}`);
    return median;
  } finally {
    await platform.remove();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measureOpening(context: BrowserContext): Promise<number> {
  const page = await context.newPage();
  await page.goto("/variables");
  await page.getByRole("link", { name: "Executions" }).waitFor();
  await page.waitForLoadState("networkidle");
  const ms = await page.evaluate(async () => {
    const from = performance.now();
    document.querySelector<HTMLElement>('a[href="/executions"]')?.click();
    while (document.querySelectorAll("tbody tr td a").length < 25) await new Promise(requestAnimationFrame);
    return performance.now() - from;
  });
  await page.close();
  return ms;
}
