import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { buildPdf } from "@weft/documents/testing";
import type { LoadedPart } from "@weft/engine/ports/document-loader";
import { parseRobots } from "./crawl/crawl-frontier.ts";
import { openLoaderBench } from "./testing/open-loader-bench.ts";

const bench = await openLoaderBench();
const { site } = bench;

type Answer = { status?: number; type?: string; body?: string | Uint8Array; headers?: Record<string, string> };

/** Answers by path and query; anything else is not found. */
function serve(pages: Record<string, string | Answer>): void {
  bench.serve((request, response) => answer(pages[request.url ?? ""], response));
}

function answer(page: string | Answer | undefined, response: ServerResponse): void {
  const {
    status = 200,
    type = "text/html; charset=utf-8",
    body = "",
    headers = {},
  } = page === undefined ? { status: 404 } : typeof page === "string" ? { body: page } : page;
  response.writeHead(status, { "content-type": type, ...headers }).end(body);
}

const shown = (parts: LoadedPart[]) =>
  parts.map((part) => [part.source.replace(site, ""), part.type === "document" ? part.text : part.code]);
const messageOf = (parts: LoadedPart[]) =>
  parts.map((part) => (part.type === "failure" ? part.message : "")).join("\n");
const asked = () => bench.requests.map(({ url }) => url);
const page = (text: string, ...links: string[]) =>
  `<title>${text}</title><body><p>${text}</p>${links.map((link) => `<a href="${link}"></a>`).join("")}`;

const article = `<!doctype html><html><head><title>Our &amp; house</title><script>var x = "<p>no</p>"</script></head><body>
  <header><nav><a href="/a">Menu</a></nav></header>
  <main><h1>Rules</h1><p>Shoes stay <b>outside</b>. See <a href="more?x=1#y">more</a>.</p><aside>Advert</aside>
  <ul><li>one</li><li>two</li></ul><p>${"A long paragraph. ".repeat(10)}</p></main><footer>Imprint</footer></body></html>`;

test("a page is read as Markdown, its main content and its title", async () => {
  serve({ "/house/": article });
  const [part, ...others] = await bench.load("web-page", { url: `${site}/house/#top` });
  assert.deepEqual(others, []);
  assert.ok(part?.type === "document");
  assert.equal(
    part.text,
    `# Rules\n\nShoes stay **outside**. See [more](${site}/house/more?x=1#y).\n\n- one\n- two\n\n${"A long paragraph. ".repeat(10).trim()}`,
  );
  assert.deepEqual(part.metadata, { source: `${site}/house/`, title: "Our & house" });
  const [whole] = await bench.load("web-page", { url: `${site}/house/`, mainContent: "false" });
  assert.match(whole?.type === "document" ? whole.text : "", /Menu.*# Rules.*Advert.*Imprint/s);
});

test("a selector takes parts of a page", async () => {
  serve({ "/": '<div class="a b"><p>one</p><p id="x">two</p></div><p>three</p><h2 data-k="v">four</h2>' });
  const texts = async (selector: string) => shown(await bench.load("web-page", { url: site, selector }))[0]?.[1];
  assert.equal(await texts(".a #x, h2[data-k=v]"), "two\n\n## four");
  assert.equal(await texts("div.b p"), "one\n\ntwo");
  assert.equal(await texts("p.none"), "document-unreadable");
  assert.equal(await texts("p:first-child"), "parameters-invalid");
});

test("what is no page is read as a file, in the encoding that it says", async () => {
  serve({
    "/report.pdf": { type: "application/pdf", body: buildPdf([["one"], ["two"]]) },
    "/old": { type: "text/html; charset=iso-8859-2", body: Buffer.from("<p>\xb1</p>", "latin1") },
    "/notes": { type: "text/plain", body: "a < b" },
    "/picture.png": { type: "image/png", body: "\x89PNG" },
  });
  const load = async (path: string) =>
    shown(await bench.load("web-page", { url: site + path })).map(([, text]) => text);
  assert.deepEqual(await load("/report.pdf"), ["one", "two"]);
  assert.deepEqual(await load("/old"), ["ą"]);
  assert.deepEqual(await load("/notes"), ["a < b"]);
  assert.deepEqual(await load("/picture.png"), ["document-unsupported"]);
});

test("a page that cannot be read is a failure that says what to do", async () => {
  serve({
    "/away": { status: 302, headers: { location: "http://127.0.0.1:1/secret" } },
    "/metadata": { status: 302, headers: { location: "http://169.254.169.254/latest" } },
    "/locked": { status: 401 },
    "/app": "<body><div id=root></div><script>render()</script>",
    "/deep": "<b>".repeat(20_000),
    "/large": "x".repeat(2_000),
  });
  const failure = async (path: string, config = {}) => {
    const [part] = await bench.load("web-page", { url: site + path, ...config });
    return part?.type === "failure" ? `${part.code}: ${part.message}` : "";
  };
  assert.match(await failure("/away"), /^egress-refused: .*127\.0\.0\.1/);
  assert.match(await failure("/metadata"), /^egress-refused: .*169\.254/);
  assert.match(await failure("/none"), /^egress-failed: .*status 404, so the page does not exist: check the address/);
  assert.match(await failure("/locked"), /status 401, so it requires authentication: choose a credential/);
  assert.match(await failure("/app"), /generated by scripts, which are not run/);
  assert.match(await failure("/deep"), /nested too deeply/);
  assert.match(await failure("/large", { maxBytes: 1_000 }), /^egress-too-large: .*1000 bytes/);
});

test("a site is read by its links: same origin, each page once, no further than it may", async () => {
  serve({
    "/": page("home", "/a", "b/", "#top", "/a#x", "mailto:x@y", "http://other.example/", "/pic.png", "/data"),
    "/a": page("a", "/", "/deep1"),
    "/b/": page("b", "../a"),
    "/deep1": page("deep1", "/deep2"),
    "/deep2": page("deep2", "/deep3"),
    "/data": { type: "application/octet-stream", body: "\0\0" },
  });
  const parts = await bench.load("site-crawl", { url: site, maxPages: 20, maxDepth: 2, delayMs: 0 });
  assert.deepEqual(shown(parts), [
    ["/", "home"],
    ["/a", "a"],
    ["/b/", "b"],
    ["/deep1", "deep1"],
  ]);
  assert.deepEqual(asked(), ["/robots.txt", "/", "/a", "/b/", "/data", "/deep1"]);
  const few = await bench.load("site-crawl", { url: site, maxPages: 2, delayMs: 0 });
  assert.deepEqual(shown(few), [
    ["/", "home"],
    ["/a", "a"],
  ]);
});

test("a crawl keeps to its patterns, and goes on after a page that fails", async () => {
  serve({
    "/": page("home", "/docs/1", "/docs/2", "/docs/print/1", "/blog", "/docs/private"),
    "/docs/1": page("one"),
    "/docs/private": { status: 302, headers: { location: "http://10.0.0.1/" } },
  });
  const config = { url: site, include: ["/docs/*"], exclude: ["*/print/*"], delayMs: 0 };
  assert.deepEqual(shown(await bench.load("site-crawl", config)), [
    ["/", "home"],
    ["/docs/1", "one"],
    ["/docs/2", "egress-failed"],
    ["/docs/private", "egress-refused"],
  ]);
});

test("a crawl does as robots.txt, meta and rel ask", async () => {
  const robots =
    "User-agent: *\nDisallow: /private\n\nUser-agent: weft\nUser-agent: b\nDisallow: /secret*.html$\nCrawl-delay: 0.3";
  serve({
    "/robots.txt": { type: "text/plain", body: robots },
    "/": `${page("home", "/private", "/secret1.html", "/quiet")}<a rel="nofollow ugc" href="/no">`,
    "/private": page("private"),
    "/quiet": `<meta name="robots" content="noindex, nofollow">${page("quiet", "/hidden")}`,
  });
  const started = performance.now();
  const parts = await bench.load("site-crawl", { url: site, delayMs: 0 });
  assert.deepEqual(
    shown(parts).map(([path]) => path),
    ["/", "/private", "/quiet"],
  );
  assert.ok(performance.now() - started >= 590, "two pauses of the site's own length");
  assert.ok(!asked().includes("/secret1.html") && !asked().includes("/no") && !asked().includes("/hidden"));
  const refused = await bench.load("site-crawl", { url: `${site}/secret1.html` });
  assert.match(messageOf(refused), /robots\.txt asks programs not to read it/);
  await bench.load("site-crawl", { url: `${site}/secret1.html`, respectRobots: false });
  assert.equal(asked().at(-1), "/secret1.html");
});

test("a site whose robots.txt fails is not read", async () => {
  serve({ "/robots.txt": { status: 503 }, "/": page("home") });
  assert.match(messageOf(await bench.load("site-crawl", { url: site })), /status 503.*try again later/);
  assert.deepEqual(asked(), ["/robots.txt"]);
});

test("robots.txt: the longest rule decides, and the allowing one of two", () => {
  const { isAllowed, sitemaps } = parseRobots(
    "Sitemap: https://a.example/s.xml # here\nuser-agent: *\nDisallow: /\nAllow: /open\nDisallow: /open/*/x$\nAllow: /same\nDisallow: /same\nDisallow:",
    "weft",
  );
  assert.deepEqual(sitemaps, ["https://a.example/s.xml"]);
  assert.deepEqual(["/", "/open", "/open/1/x", "/open/1/xy", "/same"].map(isAllowed), [false, true, false, true, true]);
  assert.ok(parseRobots("", "weft").isAllowed("/x"));
});

test("a site is read by its sitemap, in parts and packed", async () => {
  const list = (...paths: string[]) =>
    `<urlset>${paths.map((path) => `<url><loc> ${site}${path} </loc></url>`).join("")}</urlset>`;
  serve({
    "/robots.txt": { type: "text/plain", body: `Sitemap: ${site}/index.xml` },
    "/index.xml": `<sitemapindex><sitemap><loc>${site}/1.xml.gz</loc></sitemap><sitemap><loc>${site}/gone.xml</loc></sitemap><sitemap><loc>${site}/2.xml</loc></sitemap></sitemapindex>`,
    "/1.xml.gz": { body: gzipSync(list("/a?x=1&amp;y=2", "/a?x=1&amp;y=2")) },
    "/2.xml": list("/b", "/c").replace("</urlset>", "<url><loc>http://other.example/</loc></url></urlset>"),
    "/a?x=1&y=2": page("a", "/linked"),
    "/b": page("b"),
    "/c": page("c"),
  });
  const parts = await bench.load("site-crawl", { url: site, follow: "sitemap", maxPages: 2, delayMs: 0 });
  assert.deepEqual(shown(parts), [
    ["/a?x=1&y=2", "a"],
    ["/b", "b"],
  ]);
  serve({ "/": page("home") });
  assert.match(messageOf(await bench.load("site-crawl", { url: site, follow: "sitemap" })), /sitemap\.xml.*status 404/);
});

test("scrapers of existing clients read one page, or as many as they say", async () => {
  serve({ "/": page("home", "/a", "/b"), "/a": page("a"), "/b": page("b") });
  assert.deepEqual(shown(await bench.load("cheerioWebScraper", { url: site })), [["/", "home"]]);
  const crawl = { url: site, relativeLinksMethod: "webCrawl", limit: "2", delayMs: 0 };
  assert.equal((await bench.load("puppeteerWebScraper", crawl)).length, 2);
  assert.equal((await bench.load("playwrightWebScraper", { ...crawl, limit: 0 })).length, 3);
  assert.equal(
    await bench.sourceOf("cheerioWebScraper", { url: `${site.toUpperCase().replace("HTTP", "http")}#x` }),
    `${site}/`,
  );
});

test("a crawl ends with its signal, in its pause too", async () => {
  serve({ "/": page("home", "/a") });
  const controller = new AbortController();
  const crawl = bench.load("site-crawl", { url: site, delayMs: 60_000 }, controller.signal);
  setTimeout(() => controller.abort(new Error("stopped")), 300);
  await assert.rejects(crawl, /stopped/);
});

const json = (value: unknown, headers?: Record<string, string>): Answer => ({
  type: "application/json",
  body: JSON.stringify(value),
  ...(headers && { headers }),
});

test("an API's answer is a document, or each of its items is", async () => {
  serve({
    "/all": json({ data: [{ body: "one" }, { body: "two", n: 1 }, { n: 2 }] }),
    "/text": { type: "text/plain", body: "plain" },
  });
  const load = (path: string, config: object) => bench.load("apiLoader", { url: site + path, ...config });
  assert.deepEqual(shown(await load("/text", { method: "GET" })), [["/text", "plain"]]);
  assert.equal((await load("/all", {})).length, 1);
  const items = await load("/all", { itemsPointer: "/data", textPointer: "body" });
  assert.deepEqual(shown(items), [
    ["/all", "one"],
    ["/all", "two"],
    ["/all#1.3", "document-unreadable"],
  ]);
  assert.match(messageOf(await load("/all", { itemsPointer: "/none" })), /no list at \/none; correct/);
  assert.match(messageOf(await load("/text", { itemsPointer: "/" })), /not JSON/);
});

test("an API is asked with its body, headers and credential", async () => {
  let received = "";
  bench.serve((request, response) => {
    request.on("data", (chunk) => {
      received += chunk;
    });
    request.on("end", () => answer(json(["ok"]), response));
  });
  const config = {
    method: "POST",
    url: `${site}/search`,
    headers: '{ "X-Team": "a" }',
    body: '{ "q": "é" }',
    credential: "c1",
  };
  assert.deepEqual(shown(await bench.load("http-api", { ...config, itemsPointer: "/" })), [["/search", "ok"]]);
  const { headers, method } = bench.requests[0] ?? {};
  assert.equal(method, "POST");
  assert.deepEqual(JSON.parse(received), { q: "é" });
  assert.equal(headers?.["x-team"], "a");
  assert.equal(headers?.authorization, "Bearer secret of c1");
});

test("an API is read page by page, by number or by the next address", async () => {
  serve({
    "/list?page=0": json(["a", "b"]),
    "/list?page=1": json(["c"]),
    "/list?page=2": json([]),
    "/next": json({ items: ["d"], next: "/next?c=2" }),
    "/next?c=2": json({ items: ["e"], next: "/next" }),
    "/link": json(["f"], { link: `<${site}/link?p=2>; title="x"; rel="prev next"` }),
    "/link?p=2": json(["g"], { link: `<${site}/link>; rel="first"` }),
  });
  const texts = async (config: object) => shown(await bench.load("http-api", config)).map(([, text]) => text);
  assert.deepEqual(await texts({ url: `${site}/list`, itemsPointer: "/", paging: "page", firstPage: 0 }), [
    "a",
    "b",
    "c",
  ]);
  assert.deepEqual(await texts({ url: `${site}/next`, itemsPointer: "/items", paging: "next", nextPointer: "/next" }), [
    "d",
    "e",
  ]);
  assert.deepEqual(await texts({ url: `${site}/link`, itemsPointer: "/", paging: "next" }), ["f", "g"]);
});

test("a failure on a later page keeps what was read before", async () => {
  serve({ "/list?page=1": json(["a"]), "/list?page=2": { status: 500 } });
  const parts = await bench.load("http-api", { url: `${site}/list`, itemsPointer: "/", paging: "page" });
  assert.deepEqual(shown(parts), [
    ["/list", "a"],
    ["/list", "egress-failed"],
  ]);
});

test("the credential does not go to another site", async () => {
  const other = await openLoaderBench();
  serve({ "/next": json(["a"], { link: `<${other.site}/next>; rel="next"` }) });
  const config = { url: `${site}/next`, itemsPointer: "/", paging: "next", credential: "c1" };
  assert.deepEqual(shown(await bench.load("http-api", config)).at(-1)?.[1], "egress-refused");
  assert.equal(other.requests.length, 0);
});
