import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";
import type { PlatformProcess } from "../../packages/server/src/testing/platform-process.ts";

const hourMs = 3_600_000;

/** A browser profile of its own, in which the operator is signed in and was welcomed. Pages are opened by their paths. */
export async function signIn(
  browser: Browser,
  { url, token }: Pick<PlatformProcess, "url" | "token">,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const now = Date.now();
  const session = JSON.stringify({ token, expiresAtMs: now + hourMs, renewAtMs: now + hourMs });
  const localStorage = [
    { name: "weft.session", value: session },
    { name: "weft.welcomed", value: "true" },
  ];
  const storageState = { cookies: [], origins: [{ origin: url, localStorage }] };
  const context = await browser.newContext({ baseURL: url, reducedMotion: "reduce", ...options, storageState });
  context.setDefaultTimeout(20_000);
  return context;
}
