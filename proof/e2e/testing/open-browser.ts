import { existsSync } from "node:fs";
import { type Browser, type BrowserServer, chromium, type LaunchOptions } from "playwright-core";
import { delayAnswers, mostDelayMs } from "./delay-answers.ts";

/** Debian's Chromium: first the one without a window, which draws the same pages in two thirds of the time. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** Whether pages may use the microphone, which beeps. */
export type BrowserOptions = { microphone?: "allow" | "deny" };

/**
 * A browser without anything that reaches out by itself, which closes with all pages that were opened in it. Each page has a
 * profile of its own. The runner's browser, where it offers one, serves all files: a start costs two processor seconds.
 */
export async function openBrowser({ microphone = "allow" }: BrowserOptions = {}): Promise<Browser> {
  const offered = microphone === "allow" ? process.env[offeredIn] : undefined;
  const browser = await (offered === undefined
    ? chromium.launch(launchOptions(microphone))
    : chromium.connect(offered));
  return mostDelayMs === 0 ? browser : delayAnswers(browser, mostDelayMs);
}

const offeredIn = "TEST_BROWSER";

/** Starts a browser that `openBrowser` connects to, in this process and in those that it starts from now on. */
export async function offerBrowser(): Promise<BrowserServer> {
  const server = await chromium.launchServer(launchOptions("allow"));
  process.env[offeredIn] = server.wsEndpoint();
  return server;
}

function launchOptions(microphone: "allow" | "deny"): LaunchOptions {
  const executablePath = browsers.find((path) => existsSync(path));
  if (executablePath === undefined) throw new Error(`Install Chromium: none of ${browsers.join(", ")} exists.`);
  return {
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
  };
}
