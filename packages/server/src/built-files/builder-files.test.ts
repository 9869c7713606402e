import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { pathToFileURL } from "node:url";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { createTestApp } from "../../../http/src/testing/test-app.ts";
import { createBuilderFiles } from "./builder-files.ts";

const html = "<!doctype html><title>Builder</title>";
const script = "export const answer = 42;";

async function createFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "weft-builder-files-"));
  t.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A server whose builder was built, in a folder with a secret beside it. */
async function open(t: TestContext, isBuilt = true) {
  const folder = await createFolder(t);
  const dist = join(folder, "dist");
  await mkdir(join(dist, "assets"), { recursive: true });
  await mkdir(join(dist, ".vite"));
  await writeFile(join(folder, "secret.js"), "secret");
  if (isBuilt) {
    await writeFile(join(dist, "index.html"), html);
    await writeFile(join(dist, "color-scheme.js"), script);
    await writeFile(join(dist, ".vite/manifest.json"), "{}");
    await writeFile(join(dist, ".built-from"), "hash");
    await writeFile(join(dist, "assets/page-B1.js"), script);
    await writeFile(join(dist, "assets/page-B1.js.br"), brotliCompressSync(script));
    await writeFile(join(dist, "assets/page-B1.js.gz"), gzipSync(script));
    await writeFile(join(dist, "assets/page-B1.js.map"), "{}");
  }
  const serveFile = createBuilderFiles(pathToFileURL(`${dist}/`), new Set(["api", "v1", "docs"]));
  const { fetch } = createTestApp([], { serveFile });
  return (path: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(new Request(`http://test${path}`, { method, headers }));
}

const asPage = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };

describe("the builder's page", () => {
  it("is at the root for everyone, and for browsers wherever the API has nothing", async (t) => {
    const get = await open(t);
    for (const response of [await get("/"), await get("/agents/1", asPage), await get("/unknown/page", asPage)]) {
      assert.equal(response.status, 200);
      assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
      assert.equal(await response.text(), html);
    }
    for (const path of ["/api/v1/nothing", "/v1/nothing", "/docs/nothing", "/v1"]) {
      assert.equal((await get(path, asPage)).status, 404, path);
    }
    const unknown = await get("/agents/1", { accept: "application/json, text/plain, */*" });
    assert.equal(unknown.status, 404);
    assert.equal((await get("/", {}, "POST")).status, 404);
  });

  it("runs no script but its own files, stands in nobody's frame, and is asked for anew", async (t) => {
    const get = await open(t);
    const { headers } = await get("/");
    const policy = headers.get("content-security-policy") ?? "";
    for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'"]) {
      assert.ok(policy.split("; ").includes(rule), rule);
    }
    assert.doesNotMatch(policy, /https?:|unsafe-eval|script-src[^;]*unsafe/);
    assert.equal(headers.get("x-content-type-options"), "nosniff");
    assert.equal(headers.get("referrer-policy"), "no-referrer");
    assert.equal(headers.get("cache-control"), "no-cache");
    const again = await get("/", { "if-none-match": headers.get("etag") ?? "" });
    assert.equal(again.status, 304);
    assert.equal(again.headers.get("content-security-policy"), policy);
    const head = await get("/", {}, "HEAD");
    assert.equal(head.status, 200);
    assert.equal(head.headers.get("etag"), headers.get("etag"));
    assert.equal(await head.text(), "");
  });

  it("says how to build it where nobody has", async (t) => {
    const get = await open(t, false);
    const response = await get("/agents", asPage);
    assert.equal(response.status, 503);
    assert.match(await response.text(), /npm run builder/);
    assert.match(response.headers.get("content-security-policy") ?? "", /script-src 'self'/);
  });
});

describe("the builder's files", () => {
  it("are kept for ever where their names say what is in them", async (t) => {
    const get = await open(t);
    const asset = await get("/assets/page-B1.js");
    assert.equal(asset.headers.get("cache-control"), "public, max-age=31536000, immutable");
    assert.equal(asset.headers.get("content-type"), "text/javascript; charset=utf-8");
    assert.equal(await asset.text(), script);
    const other = await get("/color-scheme.js");
    assert.equal(other.headers.get("cache-control"), "no-cache");
    assert.equal((await get("/color-scheme.js", { "if-none-match": other.headers.get("etag") ?? "" })).status, 304);
  });

  it("come packed as the client takes them", async (t) => {
    const get = await open(t);
    const encodings: [offer: string, expected: string | null, bytes: Buffer][] = [
      ["gzip, deflate, br, zstd", "br", brotliCompressSync(script)],
      ["gzip", "gzip", gzipSync(script)],
      ["br;q=0, gzip;q=0.5", "gzip", gzipSync(script)],
      ["br;q=0.0", null, Buffer.from(script)],
      ["identity", null, Buffer.from(script)],
    ];
    for (const [offer, expected, bytes] of encodings) {
      const response = await get("/assets/page-B1.js", { "accept-encoding": offer });
      assert.equal(response.headers.get("content-encoding"), expected, offer);
      assert.equal(response.headers.get("vary"), "Accept-Encoding");
      assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), offer);
    }
    const unpacked = await get("/color-scheme.js", { "accept-encoding": "br, gzip" });
    assert.equal(unpacked.headers.get("content-encoding"), null);
  });

  it("are those of the build alone", async (t) => {
    const get = await open(t);
    const others = [
      "/assets/unknown.js",
      "/assets/page-B1.js.map",
      "/assets/page-B1.js.br",
      "/assets/",
      "/assets/..%2fsecret.js",
      "/..%2fsecret.js",
      "/%2e%2e/secret.js",
      "/assets/%00.js",
      "/.vite/manifest.json",
      "/.built-from",
      "/.env",
      "/index.html",
      "/favicon.ico",
    ];
    for (const path of others) {
      for (const headers of [{}, asPage]) assert.equal((await get(path, headers)).status, 404, path);
    }
  });
});
