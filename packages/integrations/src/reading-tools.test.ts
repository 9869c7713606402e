import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type Answer, sendJson, startBench } from "./testing/bench.ts";

const feed = (entries: string) => `<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">ArXiv Query: x</title>${entries}</feed>`;

const entry = `<entry>
  <id>http://arxiv.org/abs/1706.03762v7</id><updated>2023-08-02T00:41:18Z</updated>
  <published>2017-06-12T17:57:34Z</published>
  <title>Attention Is All
  You Need</title>
  <summary>  Sequence models &lt; transformers &amp; more.
  </summary>
  <author><name>Ashish Vaswani</name></author><author><name>Noam Shazeer</name></author>
</entry>`;

const atom =
  (text: string, status = 200): Answer =>
  (_request, response) =>
    response.writeHead(status, { "content-type": "application/atom+xml" }).end(text);

describe("arXiv", () => {
  it("gives titles, authors, dates, addresses and abstracts", async (t) => {
    const bench = await startBench(t, atom(feed(entry)));
    const { content, isError } = await bench.call("arxiv", { baseUrl: `${bench.base}/` }, { query: "attention need" });
    assert.equal(isError, undefined);
    assert.equal(
      content,
      "1. Attention Is All You Need\nAshish Vaswani, Noam Shazeer, 2017-06-12\nhttp://arxiv.org/abs/1706.03762v7\nSequence models < transformers & more.",
    );
  });

  it("asks for words, for ids, and in the service's own words", async (t) => {
    const bench = await startBench(t, atom(feed("")));
    const asked = async (query: string) => {
      await bench.call("arxiv", { baseUrl: bench.base, maxResults: 2 }, { query });
      const { searchParams } = new URL(bench.received.at(-1)?.url ?? "", bench.base);
      assert.equal(searchParams.get("max_results"), "2");
      return searchParams.get("search_query") ?? searchParams.get("id_list");
    };
    assert.equal(await asked('quantum "error (correction)'), "all:quantum AND all:error AND all:correction");
    assert.equal(await asked("1706.03762v7, hep-th/9901001"), "1706.03762v7,hep-th/9901001");
    assert.equal(await asked("au:vaswani AND ti:attention"), "au:vaswani AND ti:attention");
  });

  it("says when there is nothing, and when the answer is none", async (t) => {
    let answer = atom(feed(""));
    const bench = await startBench(t, (request, response) => answer(request, response));
    const call = () => bench.call("arxiv", { baseUrl: bench.base }, { query: "x" });
    assert.equal((await call()).content, "Nothing was found. Try other words.");
    answer = atom("<html>Maintenance</html>");
    assert.deepEqual(
      [(await call()).content, (await call()).isError],
      ["The service answered something else than texts.", true],
    );
    answer = atom("Rate exceeded.", 429);
    assert.match((await call()).content, /answered 429/);
  });
});

const pages = {
  batchcomplete: true,
  query: {
    pages: [
      { pageid: 2, title: "Warp", index: 2, fullurl: "https://en.wikipedia.org/wiki/Warp", extract: "" },
      { pageid: 1, title: "Weft", index: 1, fullurl: "https://en.wikipedia.org/wiki/Weft", extract: "Weft crosses.\n" },
    ],
  },
};

describe("Wikipedia", () => {
  it("gives titles, addresses and introductions in the order of the search", async (t) => {
    const bench = await startBench(t, (_request, response) => sendJson(response, 200, pages));
    const { content } = await bench.call("wikipedia", { baseUrl: bench.base, maxResults: 2 }, { query: "weft & warp" });
    assert.equal(
      content,
      "1. Weft\nhttps://en.wikipedia.org/wiki/Weft\nWeft crosses.\n\n2. Warp\nhttps://en.wikipedia.org/wiki/Warp",
    );
    const { pathname, searchParams } = new URL(bench.received[0]?.url ?? "", bench.base);
    assert.equal(pathname, "/w/api.php");
    assert.deepEqual([searchParams.get("gsrsearch"), searchParams.get("gsrlimit")], ["weft & warp", "2"]);
  });

  it("says when there is nothing, and when the answer is none", async (t) => {
    let body: object = { batchcomplete: true };
    const bench = await startBench(t, (_request, response) => sendJson(response, 200, body as never));
    const call = () => bench.call("wikipedia", { baseUrl: bench.base }, { query: "x" });
    assert.equal((await call()).content, "Nothing was found. Try other words.");
    body = { error: { code: "badvalue" } };
    assert.equal((await call()).isError, true);
  });
});

describe("both", () => {
  it("have the name and description that the settings give them, and are cut where they say", async (t) => {
    const bench = await startBench(t, atom(feed(entry)));
    const own = { name: "papers of ours", description: "Use it.", baseUrl: bench.base, maxCharacters: 10 };
    const [tool] = await bench.build("arxiv", own);
    assert.deepEqual([tool?.name, tool?.description, tool?.kind], ["papers_of_ours", "Use it.", "read"]);
    assert.match((await bench.call("arxiv", own, { query: "x" })).content, /^1\. Attenti\n\[Cut here/);
  });

  it("refuse settings that cannot work, and calls without a query", async (t) => {
    const bench = await startBench(t);
    const message = /not an absolute http or https address/;
    for (const type of ["arxiv", "wikipedia"]) {
      await assert.rejects(bench.build(type, { baseUrl: "ftp://x" }), { code: "tool-invalid", message });
      assert.equal((await bench.call(type, { baseUrl: bench.base }, {})).isError, true);
    }
    await assert.rejects(bench.build("wikipedia", { language: "en.evil.example/" }), { code: "tool-invalid" });
    assert.equal(bench.received.length, 0);
  });
});
