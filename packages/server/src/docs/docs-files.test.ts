import assert from "node:assert/strict";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { createTestApp } from "../../../http/src/testing/test-app.ts";
import { createDocsFiles } from "./docs-files.ts";

const { fetch } = createTestApp([], { serveFile: createDocsFiles() });
const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(new Request(`http://test${path}`, { method, headers }));

/** Paths of scripts, style sheets and the icon. */
async function assetPaths(): Promise<string[]> {
  const html = await (await get("/docs")).text();
  return [...html.matchAll(/(?:src|href)="(\/docs[^"]*)"/g)].map(([, path = ""]) => path);
}

test("the page loads nothing from elsewhere and runs nothing inline", async () => {
  for (const path of ["/docs", "/docs/"]) {
    const response = await get(path);
    const html = await response.text();
    assert.equal(response.status, 200);
    assert.equal(response.headers.get("content-type"), "text/html; charset=utf-8");
    assert.equal(response.headers.get("cache-control"), "no-cache");
    assert.match(response.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self';/);
    assert.doesNotMatch(html, /https?:\/\/|<script>|<style|\son\w+=/);
  }
});

test("its files are there, typed, and may be kept for ever", async () => {
  const paths = await assetPaths();
  assert.equal(paths.length, 5);
  for (const path of paths) {
    const plain = await get(path);
    assert.equal(plain.status, 200, path);
    assert.match(plain.headers.get("content-type") ?? "", /^(text\/(css|javascript); charset=utf-8|image\/png)$/);
    assert.equal(plain.headers.get("x-content-type-options"), "nosniff");
    assert.equal(plain.headers.get("cache-control"), "public, max-age=31536000, immutable");
    const zipped = await get(path, { "accept-encoding": "br, gzip" });
    assert.equal(zipped.headers.get("content-encoding"), "gzip");
    const unzipped = gunzipSync(new Uint8Array(await zipped.arrayBuffer()));
    assert.ok(unzipped.equals(Buffer.from(await plain.arrayBuffer())), path);
    assert.equal(await (await get(path, {}, "HEAD")).text(), "");
  }
});

test("nothing else is served", async () => {
  const [asset = ""] = await assetPaths();
  const folder = asset.slice(0, asset.lastIndexOf("/"));
  const others = [
    `${folder}/page.html`,
    `${folder}/../docs-files.ts`,
    `${folder}/%2e%2e/docs-files.ts`,
    `${folder}/constructor`,
    `${folder}/`,
    "/docs/000000000000/page.js",
    "/docsx",
  ];
  for (const path of others) assert.equal((await get(path)).status, 404, path);
  assert.equal((await get("/docs", {}, "POST")).status, 404);
});
