import { answerFile, readIfThere, toTagged } from "./answer-file.ts";

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
  svg: "image/svg+xml",
  txt: "text/plain; charset=utf-8",
  woff2: "font/woff2",
};

/**
 * Only our own scripts, nothing from elsewhere, no framing. Styles may be inline because the component library writes
 * its colours into a style element; texts never become markup, so nobody else can.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "media-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

const pageHeaders = {
  "Cache-Control": "no-cache",
  "Content-Security-Policy": contentSecurityPolicy,
  "Cross-Origin-Opener-Policy": "same-origin",
  // An API client that mistook the address gets a readable error instead of a page.
  Vary: "Accept",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=(self)",
};

/**
 * The builder's files, open to everyone: those of the build by their names, and its page at `/` and wherever a browser
 * requests a page outside the API; the page itself shows if it does not exist. Files with a hash in their name may be
 * cached forever. `folder`: URL of what `vite build` wrote, with a trailing slash. `reserved`: first path segments that
 * belong to the API, so no path below them is a page.
 */
export function createBuilderFiles(folder: URL, reserved: ReadonlySet<string>) {
  return async (request: Request): Promise<Response | undefined> => {
    const { pathname } = new URL(request.url);
    if (isPage(pathname, request)) {
      return reserved.has(pathname.split("/")[1] ?? "") ? undefined : answerPage(folder, request);
    }
    const name = /^\/((?:assets\/)?[\w-][\w.-]*\.(\w+))$/.exec(pathname);
    const contentType = contentTypes[name?.[2] ?? ""];
    if (name?.[1] === undefined || contentType === undefined || name[1] === "index.html") return undefined;
    const file = new URL(name[1], folder);
    const cacheControl = name[1].startsWith("assets/") ? "public, max-age=31536000, immutable" : "no-cache";
    const headers = { "Cache-Control": cacheControl, "Content-Type": contentType };
    return answerFile(file, { asked: request.headers, headers });
  };
}

function isPage(pathname: string, request: Request): boolean {
  if (pathname === "/") return true;
  const asksForPage = request.headers.get("accept")?.includes("text/html") ?? false;
  return asksForPage && !/\.[^/.]*$|^\/assets(\/|$)/.test(pathname);
}

async function answerPage(folder: URL, request: Request): Promise<Response> {
  const html = await readIfThere(new URL("index.html", folder));
  const headers = { ...pageHeaders, "Content-Type": "text/html; charset=utf-8" };
  if (html === undefined) return new Response(notBuiltPage, { status: 503, headers });
  return toTagged(html, { asked: request.headers, headers });
}

/** Shown if the builder has not been built, as in a clone started without npm. */
const notBuiltPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>Weft: the builder is not built</title>
    <style>
      body { margin: 12vh auto; max-width: 34rem; padding: 0 1.5rem; font: 1rem/1.6 system-ui, sans-serif; }
      code { padding: 0.1em 0.4em; border-radius: 0.3em; background: color-mix(in srgb, currentColor 10%, transparent); }
    </style>
  </head>
  <body>
    <h1>The builder is not built yet</h1>
    <p>The server runs and its API answers. Its web interface is made by a build step that was not taken.</p>
    <p>Stop the server and start it with <code>npm start</code>, which builds the interface when it is missing; or run
      <code>npm run builder</code> and reload this page.</p>
    <p><a href="/docs">API documentation</a></p>
  </body>
</html>
`;
