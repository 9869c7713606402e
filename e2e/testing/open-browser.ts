import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { delayAnswers, mostDelayMs } from "./delay-answers.ts";

/** Debian's Chromium: first the one without a window, which draws the same pages in two thirds of the time. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/**
 * A browser without anything that reaches out by itself. Each page has a profile of its own. Its microphone beeps, and
 * pages may use it without asking, or never.
 */
export async function openBrowser({ microphone = "allow" }: { microphone?: "allow" | "deny" } = {}): Promise<Browser> {
  const executablePath = browsers.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error(`Install Chromium: none of ${browsers.join(", ")} exists.`);
  const browser = await chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
      // Pages live for seconds: what compiling their scripts for speed costs, they never earn back.
      "--js-flags=--no-opt --no-maglev --single-threaded-gc",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--use-fake-device-for-media-stream",
      microphone === "deny" ? "--use-fake-ui-for-media-stream=deny" : "--use-fake-ui-for-media-stream",
    ],
  });
  return mostDelayMs === 0 ? browser : delayAnswers(browser, mostDelayMs);
}
