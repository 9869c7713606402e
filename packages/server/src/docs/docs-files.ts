import { hash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { gzip } from "node:zlib";

type Asset = { contentType: string; plain: Buffer; zipped: Buffer };
type Page = { html: Buffer; assetsPath: string; assets: ReadonlyMap<string, Asset> };

const assetUrls: Readonly<Record<string, string>> = {
  "swagger-ui.css": import.meta.resolve("swagger-ui-dist/swagger-ui.css"),
  "swagger-ui-bundle.js": import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"),
  "favicon-32x32.png": import.meta.resolve("swagger-ui-dist/favicon-32x32.png"),
  "page.css": import.meta.resolve("./page.css"),
  "page.js": import.meta.resolve("./page.js"),
};

const contentTypes: Readonly<Record<string, string>> = {
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  png: "image/png",
};

/** Nothing from elsewhere, nothing inline. The viewer's style sheet holds its icons as data. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

/**
 * The documentation page at `/docs` and its files, open to everyone. The files' paths contain a hash of their content,
 * so they may be cached forever.
 */
export function createDocsFiles(): (request: Request) => Promise<Response | undefined> {
  let page: Promise<Page> | undefined;
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (!/^\/docs(\/|$)/.test(pathname)) return undefined;
    page ??= loadPage();
    const { html, assetsPath, assets } = await page;
    if (/^\/docs\/?$/.test(pathname)) return toPageResponse(html);
    const asset = pathname.startsWith(`${assetsPath}/`) && assets.get(pathname.slice(assetsPath.length + 1));
    return asset ? toAssetResponse(asset, request) : undefined;
  };
}

async function loadPage(): Promise<Page> {
  const assets = await Promise.all(Object.entries(assetUrls).map(([name, url]) => loadAsset(name, url)));
  const version = hash("sha256", Buffer.concat(assets.map(([, { plain }]) => plain)), "hex").slice(0, 12);
  const assetsPath = `/docs/${version}`;
  const template = await readFile(new URL("page.html", import.meta.url), "utf8");
  return { html: Buffer.from(template.replaceAll("{assets}", assetsPath)), assetsPath, assets: new Map(assets) };
}

async function loadAsset(name: string, url: string): Promise<[string, Asset]> {
  const plain = await readFile(new URL(url));
  const contentType = contentTypes[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
  return [name, { contentType, plain, zipped: await promisify(gzip)(plain) }];
}

function toPageResponse(html: Buffer): Response {
  return new Response(new Uint8Array(html), {
    headers: {
      "Cache-Control": "no-cache",
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": contentSecurityPolicy,
    },
  });
}

function toAssetResponse({ contentType, plain, zipped }: Asset, request: Request): Response {
  const isZipped = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
  return new Response(new Uint8Array(isZipped ? zipped : plain), {
    headers: {
      "Cache-Control": "public, max-age=31536000, immutable",
      "Content-Type": contentType,
      Vary: "Accept-Encoding",
      ...(isZipped && { "Content-Encoding": "gzip" }),
    },
  });
}
