import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "@weft/schema";
import { type Answer, sendJson, startBench } from "./testing/bench.ts";

const page = {
  title: "Weft &amp; warp",
  url: "https://example.com/weft",
  text: "The <strong>weft</strong> crosses\n the warp.",
};

/** Answers as the services document them. */
const answers: Record<string, Json> = {
  tavily: {
    query: "weft",
    response_time: 0.5,
    answer: null,
    results: [{ title: page.title, url: page.url, content: page.text, score: 0.9, raw_content: null }],
  },
  brave: {
    type: "search",
    query: { original: "weft" },
    web: { type: "search", results: [{ title: page.title, url: page.url, description: page.text, age: "1 day" }] },
  },
  serper: {
    searchParameters: { q: "weft", type: "search" },
    organic: [{ title: page.title, link: page.url, snippet: page.text, position: 1 }],
  },
  searxng: {
    query: "weft",
    number_of_results: 0,
    results: [{ title: page.title, url: page.url, content: page.text, engine: "mojeek", category: "general" }],
    answers: [],
  },
  google: {
    kind: "customsearch#search",
    searchInformation: { totalResults: "1" },
    items: [{ title: page.title, link: page.url, snippet: page.text, displayLink: "example.com" }],
  },
  serpapi: {
    search_metadata: { id: "1", status: "Success" },
    organic_results: [{ position: 1, title: page.title, link: page.url, snippet: page.text, source: "Example" }],
  },
  searchapi: {
    search_metadata: { id: "1", status: "Success" },
    organic_results: [{ position: 1, title: page.title, link: page.url, snippet: page.text, domain: "example.com" }],
  },
  exa: {
    requestId: "1",
    results: [{ id: page.url, title: page.title, url: page.url, text: page.text, publishedDate: "2026-01-01" }],
  },
};

const text = "1. Weft & warp\nhttps://example.com/weft\nThe weft crosses the warp.";

const answering =
  (body: Json, status = 200): Answer =>
  (_request, response) =>
    sendJson(response, status, body);

for (const provider of ["tavily", "brave", "serper", "searxng", "google", "serpapi", "searchapi", "exa"]) {
  test(`${provider}: asks as documented, and the model reads titles, addresses and excerpts`, async (t) => {
    const bench = await startBench(t, answering(answers[provider] ?? null));
    const config = { provider, baseUrl: `${bench.base}/`, maxResults: 3, credential: "c" };
    const { content, isError, details } = await bench.call("web-search", config, { query: "weft & warp" });
    assert.equal(isError, undefined);
    assert.equal(content, text);
    assert.ok(!JSON.stringify(details).includes("s3cret"));
    const [request] = bench.received;
    assert.ok(request && bench.received.length === 1);
    const { method, url, headers, body } = request;
    const sent = { method, url, body: body === "" ? undefined : (JSON.parse(body) as Json) };
    const expected: Record<string, object> = {
      tavily: { method: "POST", url: "/search", body: { query: "weft & warp", max_results: 3 } },
      brave: { method: "GET", url: "/res/v1/web/search?q=weft+%26+warp&count=3", body: undefined },
      serper: { method: "POST", url: "/search", body: { q: "weft & warp", num: 3 } },
      searxng: { method: "GET", url: "/search?q=weft+%26+warp&format=json", body: undefined },
      google: { method: "GET", url: "/customsearch/v1?q=weft+%26+warp&cx=engine&num=3", body: undefined },
      serpapi: {
        method: "GET",
        url: "/search.json?engine=google&q=weft+%26+warp&num=3&api_key=s3cret",
        body: undefined,
      },
      searchapi: { method: "GET", url: "/api/v1/search?engine=google&q=weft+%26+warp&num=3", body: undefined },
      exa: {
        method: "POST",
        url: "/search",
        body: { query: "weft & warp", numResults: 3, contents: { text: { maxCharacters: 1000 } } },
      },
    };
    assert.deepEqual(sent, expected[provider]);
    const keyHeader: Record<string, string | string[] | undefined> = {
      tavily: headers.authorization,
      brave: headers["x-subscription-token"],
      serper: headers["x-api-key"],
      searxng: headers.authorization,
      google: headers["x-goog-api-key"],
      serpapi: new URL(url, bench.base).searchParams.get("api_key") ?? undefined,
      searchapi: headers.authorization,
      exa: headers["x-api-key"],
    };
    assert.match(String(keyHeader[provider]), /^(Bearer )?s3cret$/);
  });

  test(`${provider}: an answer that is none is an error result, an empty one says so`, async (t) => {
    let body: Json = { message: "hello" };
    const bench = await startBench(t, (_request, response) => sendJson(response, 200, body));
    const config = { provider, baseUrl: bench.base, credential: "c" };
    // Without hits Brave leaves `web` out, so that any object is an answer of it.
    const broken = provider === "brave" ? [{ web: { results: 5 } }, "text"] : [{ message: "hello" }, "text"];
    for (body of broken) {
      const { content, isError } = await bench.call("web-search", config, { query: "x" });
      assert.deepEqual([content, isError], ["The search service answered something else than search results.", true]);
    }
    body = { kind: "customsearch#search", results: [], organic: [], search_metadata: { status: "Success" } };
    assert.deepEqual(
      (await bench.call("web-search", config, { query: "x" })).content,
      "Nothing was found. Try other words.",
    );
  });
}

test("shows as many results as configured, and excerpts of bounded length", async (t) => {
  const results = Array.from({ length: 30 }, (_, index) => ({
    title: index === 0 ? "" : `Page ${index}`,
    url: `https://example.com/${index}`,
    content: index === 1 ? null : "x".repeat(5_000),
  }));
  const bench = await startBench(t, answering({ results }));
  const { content } = await bench.call(
    "web-search",
    { provider: "searxng", baseUrl: bench.base, maxResults: 4 },
    { query: "x" },
  );
  assert.equal(content.match(/https:/g)?.length, 4);
  assert.match(content, /^1\. \nhttps:\/\/example\.com\/0\nx{600}\n\n2\. Page 1\nhttps:\/\/example\.com\/1\n\n3\. /);
  assert.ok(content.length < 2_200);
});

test("errors of the service are results that the model can read", async (t) => {
  let status = 401;
  const bench = await startBench(t, (_request, response) => sendJson(response, status, { detail: "Unauthorized" }));
  const config = { provider: "tavily", baseUrl: bench.base, credential: "c" };
  const refused = await bench.call("web-search", config, { query: "x" });
  assert.equal(refused.isError, true);
  assert.match(refused.content, /answered 401 Unauthorized: .*Unauthorized/);
  status = 503;
  bench.received.length = 0;
  assert.match((await bench.call("web-search", config, { query: "x" })).content, /503/);
  assert.equal(bench.received.length, 3);
});

test("a private address is refused unless the operator allowed it", async (t) => {
  const bench = await startBench(t);
  const config = { provider: "searxng", baseUrl: "http://127.0.0.1:1" };
  const { content, isError } = await bench.call("web-search", config, { query: "x" });
  assert.equal(isError, true);
  assert.match(content, /is not allowed/);
});

test("settings that cannot work are refused in words", async (t) => {
  const bench = await startBench(t);
  const refusals: [JsonObject, RegExp][] = [
    [{ provider: "tavily" }, /tavily needs a credential/],
    [{ provider: "brave", credential: "c" }, /brave needs a credential/],
    [{ provider: "google", credential: "c" }, /google needs a credential with a field apiKey/],
    [{ provider: "searxng" }, /searxng needs an address/],
    [{ provider: "searxng", baseUrl: "ftp://x" }, /not an absolute http or https address/],
    [{ provider: "searxng", baseUrl: "http://x/?q=1" }, /without a query/],
    [{ provider: "altavista" }, /provider/],
  ];
  for (const [config, message] of refusals) {
    const building = bench.build("web-search", config, { readCredential: async () => ({ apiKey: "" }) });
    await assert.rejects(building, { code: "tool-invalid", message });
  }
});

test("keys of existing credentials are read", async (t) => {
  const bench = await startBench(t, answering({ results: [] }));
  for (const [provider, field] of [
    ["tavily", "tavilyApiKey"],
    ["brave", "braveApiKey"],
    ["serper", "serperApiKey"],
    ["google", "googleCustomSearchApiKey"],
    ["serpapi", "serpApiKey"],
    ["searchapi", "searchApiKey"],
    ["exa", "exaSearchApiKey"],
  ] as const) {
    const config = { provider, credential: "c", baseUrl: bench.base };
    const readCredential = async () => ({ [field]: "k-1", googleCustomSearchApiId: "e-1" });
    const [tool] = await bench.build("web-search", config, { readCredential });
    await tool?.call({ query: "x" }, bench.context());
    assert.ok(JSON.stringify(bench.received.at(-1)).includes("k-1"), provider);
  }
});

test("a query must be there and short", async (t) => {
  const bench = await startBench(t);
  const config = { provider: "searxng", baseUrl: bench.base };
  for (const args of [{}, { query: "" }, { query: "x".repeat(401) }] as JsonObject[]) {
    assert.equal((await bench.call("web-search", config, args)).isError, true);
  }
  assert.equal(bench.received.length, 0);
});
