import assert from "node:assert/strict";
import { test } from "node:test";
import { type Answer, startBench } from "./testing/bench.ts";

const html = `<!doctype html><title>Weft &amp; warp</title><nav><a href="/home">Home</a></nav>
  <main><h1>Weaving</h1><p>The <b>weft</b> crosses the <a href="warp">warp</a>.</p><script>no()</script></main>
  <footer>Imprint</footer>`;

/** Answers with a body of a type. */
const page =
  (body: string | Uint8Array, type = "text/html; charset=utf-8", status = 200): Answer =>
  (_request, response) =>
    response.writeHead(status, type === "" ? {} : { "content-type": type }).end(body);

test("a page is read as Markdown, with its title and links, without what stands beside it", async (t) => {
  const bench = await startBench(t, page(html));
  const { content, isError, details } = await bench.call("web-page", {}, { url: `${bench.base}/a/page` });
  assert.equal(isError, undefined);
  assert.equal(content, `# Weft & warp\n\n# Weaving\n\nThe **weft** crosses the [warp](${bench.base}/a/warp).`);
  assert.deepEqual(details, { method: "GET", url: `${bench.base}/a/page`, status: 200 });
  const whole = await bench.call("web-page", { mainContent: false }, { url: bench.base });
  assert.match(whole.content, /Home[\s\S]*Imprint/);
});

test("a long page is read part by part", async (t) => {
  const bench = await startBench(t, page("x".repeat(25), "text/plain"));
  const read = (from?: number) =>
    bench.call("web-page", { maxCharacters: 10 }, { url: bench.base, ...(from !== undefined && { from }) });
  assert.equal((await read()).content, `${"x".repeat(10)}\n[Cut here, at character 10 of 25. Read on with from: 10.]`);
  assert.equal((await read(20)).content, "xxxxx");
  assert.equal((await read(25)).content, "The page ends at character 25.");
});

test("text in other formats and encodings is read as it is", async (t) => {
  let answer = page('{"a":1}', "application/ld+json");
  const bench = await startBench(t, (request, response) => answer(request, response));
  const content = async () => (await bench.call("web-page", {}, { url: bench.base })).content;
  assert.equal(await content(), '{"a":1}');
  answer = page(Buffer.from("<p>Gr\xfc\xdfe", "latin1"), "text/html; charset=iso-8859-1");
  assert.equal(await content(), "Grüße");
  answer = page("<html><p>untyped", "");
  assert.equal(await content(), "untyped");
});

test("what cannot be read is an error in words", async (t) => {
  let answer = page("no", "text/html", 404);
  const bench = await startBench(t, (request, response) => answer(request, response));
  const cases: [Answer, RegExp][] = [
    [page("no", "text/html", 404), /^The page answered 404 Not Found\./],
    [page("%PDF", "application/pdf"), /^The address leads to a file \(application\/pdf\), not to a page/],
    [page(""), /^The page is empty\.$/],
    [page("<html><script>render()</script></html>"), /has no text; it may be made by scripts/],
    [page("<div>".repeat(600)), /nested too deeply/],
  ];
  for (const [given, message] of cases) {
    answer = given;
    const { content, isError } = await bench.call("web-page", {}, { url: bench.base });
    assert.equal(isError, true);
    assert.match(content, message);
  }
});

test("addresses that the platform must not call are refused", async (t) => {
  const bench = await startBench(t);
  for (const url of ["http://169.254.169.254/latest", "http://127.0.0.1:1/", "file:///etc/passwd", "nonsense"]) {
    const { content, isError } = await bench.call("web-page", {}, { url });
    assert.equal(isError, true);
    assert.match(content, /not allowed|only http and https|not an absolute/, url);
  }
  assert.equal(bench.received.length, 0);
});

test("a huge page is read as far as the limit, and a cancelled call ends", async (t) => {
  const bench = await startBench(t, page(`<p>${"word ".repeat(100_000)}`));
  const { content } = await bench.call("web-page", { maxBytes: 1_000, maxCharacters: 100_000 }, { url: bench.base });
  assert.ok(content.length < 1_100);
  const [tool] = await bench.build("web-page", {});
  const aborted = AbortSignal.abort(new Error("enough"));
  await assert.rejects(async () => tool?.call({ url: bench.base }, bench.context({ signal: aborted })), /enough/);
});
