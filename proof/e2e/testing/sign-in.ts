import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";
import type { PlatformProcess } from "../../../packages/server/src/testing/platform-process.ts";

type Signed = Pick<PlatformProcess, "url" | "token">;

const hourMs = 3_600_000;
const timeoutMs = 90_000;

/** Of a browser profile in which the operator is signed in and was welcomed. Pages are opened by their paths. */
function signedIn({ url, token }: Signed, options: BrowserContextOptions): BrowserContextOptions {
  const now = Date.now();
  const session = JSON.stringify({ expiresAtMs: now + hourMs, renewAtMs: now + hourMs });
  const localStorage = [
    { name: "weft.session", value: session },
    { name: "weft.welcomed", value: "true" },
  ];
  const { port, hostname } = new URL(url);
  const kept = { httpOnly: true, secure: false, sameSite: "Strict", path: "/", expires: -1 } as const;
  const cookies = [{ ...kept, name: `weft_session_${port}`, value: token, domain: hostname }];
  const storageState = { cookies, origins: [{ origin: url, localStorage }] };
  return { baseURL: url, reducedMotion: "reduce", ...options, storageState };
}

/** Such a profile, for many pages. */
export async function signIn(
  browser: Browser,
  signed: Signed,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext(signedIn(signed, options));
  context.setDefaultTimeout(timeoutMs);
  await context.addInitScript(saveData);
  return context;
}

/** One page in such a profile of its own, which goes with it. */
export async function openSignedIn(
  browser: Browser,
  signed: Signed,
  path: string,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await browser.newPage(signedIn(signed, options));
  page.setDefaultTimeout(timeoutMs);
  await page.addInitScript(saveData);
  await page.goto(path);
  return page;
}

/** Keeps pages from preloading the code of other pages, which every test would pay for. */
function saveData(): void {
  Object.defineProperty(navigator, "connection", { value: { saveData: true } });
}
