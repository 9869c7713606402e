import { access } from "node:fs/promises";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import {
  type PlatformProcess,
  type PlatformProcessOptions,
  startPlatformProcess,
} from "../../../../packages/server/src/testing/platform-process.ts";
import { openBrowser } from "../../testing/open-browser.ts";
import { openSignedIn } from "../../testing/sign-in.ts";

export const admin = { email: "ada@example.com", password: "correct horse battery" };

/** How a page is looked at. */
export type Look = { colours?: "light" | "dark"; width?: number; height?: number; locale?: string; timeZone?: string };

/** The real server with the built builder, and a browser. */
export type BuilderWorld = {
  platform: PlatformProcess;
  browser: Browser;
  /** A page of a new visitor, who is not signed in. Default: light, 1280 × 800, English, UTC. */
  openVisitor(path: string, look?: Look): Promise<Page>;
  /** A page of a visitor who is signed in and was welcomed. All share one session, until one signs out everywhere. */
  open(path: string, look?: Look): Promise<Page>;
  close(): Promise<void>;
};

export type BuilderOptions = PlatformProcessOptions & {
  /** Whether the account exists from the start. Default true. */
  withAccount?: boolean;
};

const dist = new URL("../../../../packages/builder/dist/index.html", import.meta.url);

/** Starts both. Rejects where the builder was not built: `npm run test:browser` does that first. */
export async function startBuilder({
  withAccount = true,
  env,
  ...options
}: BuilderOptions = {}): Promise<BuilderWorld> {
  await access(dist);
  const account = withAccount ? { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password } : {};
  const platform = await startPlatformProcess({ ...options, env: { ...account, ...env } });
  const browser = await openBrowser();
  let session: Promise<string> | undefined;
  const openVisitor: BuilderWorld["openVisitor"] = async (path, look = {}) => {
    const page = await browser.newPage({ ...toOptions(look), reducedMotion: "reduce" });
    page.setDefaultTimeout(90_000);
    await page.goto(`${platform.url}${path}`);
    return page;
  };
  return {
    platform,
    browser,
    openVisitor,
    async open(path, look = {}) {
      const { url } = platform;
      session ??= logIn(url);
      return openSignedIn(browser, { url, token: await session }, path, toOptions(look));
    },
    async close() {
      await browser.close();
      await platform.remove();
    },
  };
}

function toOptions(look: Look): BrowserContextOptions {
  const { colours = "light", width = 1_280, height = 800, locale = "en-US", timeZone = "UTC" } = look;
  return { colorScheme: colours, viewport: { width, height }, locale, timezoneId: timeZone };
}

async function logIn(url: string): Promise<string> {
  const response = await fetch(`${url}/api/v1/auth/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(admin),
  });
  return ((await response.json()) as { token: string }).token;
}
