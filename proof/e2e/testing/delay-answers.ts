import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Route } from "playwright-core";

/** Milliseconds that an API request of a page is held back at most: `E2E_DELAY_MS`, 0 by default. */
export const mostDelayMs = Number(process.env.E2E_DELAY_MS ?? 0);

/** One request in this many waits for up to the whole delay; the others for up to a tenth of it. */
const longDelayEvery = 3;

/**
 * Holds each API request of the browser's pages back for a time of its own, so that answers come late and in another order. A
 * test that goes on before the page has what it needs fails by chance on a busy machine; here it fails nearly always.
 */
export function delayAnswers(browser: Browser, mostMs: number): Browser {
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options?: BrowserContextOptions) => {
    const context = await newContext(options);
    await context.route(/\/api\//, (route) => delayed(route, mostMs));
    return context;
  };
  return browser;
}

async function delayed(route: Route, mostMs: number): Promise<void> {
  const isLong = Math.random() * longDelayEvery < 1;
  await sleep(Math.random() * (isLong ? mostMs : mostMs / 10));
  // Its page may be gone by now.
  await route.continue().catch(() => undefined);
}
