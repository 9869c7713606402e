import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";

/** Debian's Chromium: first the one without a window, which draws the same pages in two thirds of the time. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/**
 * A browser without anything that reaches out by itself. Each page has a profile of its own. Its microphone beeps, and
 * pages may use it without asking, or never.
 */
export function openBrowser({ microphone = "allow" }: { microphone?: "allow" | "deny" } = {}): Promise<Browser> {
  const executablePath = browsers.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error(`Install Chromium: none of ${browsers.join(", ")} exists.`);
  return chromium.launch({
    executablePath,
    args: [
      "--no-sandbox",
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
}
