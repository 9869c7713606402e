import { z } from "zod";

/** One page that was found. */
export type SearchResult = { title: string; url: string; snippet: string };

export type SearchRequest = { query: string; count: number; apiKey: string; engineId: string };

/** One web search service: how it is asked, and how its answer is read. */
export type SearchProvider = {
  /** Undefined: the operator runs the service and says where. */
  readonly baseUrl: string | undefined;
  readonly needsKey: boolean;
  /** Whether a key asks an engine that its owner made, whose id goes with it. */
  readonly needsEngine?: boolean;
  toCall(baseUrl: string, request: SearchRequest): SearchCall;
  /** Undefined when the answer is not what the service documents. */
  parse(answer: unknown): SearchResult[] | undefined;
};

export type SearchCall = { method: "GET" | "POST"; url: string; headers: Record<string, string>; body?: string };

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** Source: docs.tavily.com, POST /search. */
const tavily: SearchProvider = {
  baseUrl: "https://api.tavily.com",
  needsKey: true,
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "POST",
    url: `${baseUrl}/search`,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    body: JSON.stringify({ query, max_results: count }),
  }),
  parse: reader(z.object({ results: z.array(z.object({ title: text, url: z.string(), content: text })) }), (answer) =>
    answer.results.map(({ title, url, content }) => ({ title, url, snippet: content })),
  ),
};

/** Source: api-dashboard.search.brave.com, GET /res/v1/web/search. Without hits the answer has no `web`. */
const brave: SearchProvider = {
  baseUrl: "https://api.search.brave.com",
  needsKey: true,
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "GET",
    url: `${baseUrl}/res/v1/web/search?${new URLSearchParams({ q: query, count: String(count) })}`,
    headers: { "x-subscription-token": apiKey },
  }),
  parse: reader(
    z.object({
      web: z.object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) }).nullish(),
    }),
    ({ web }) => (web?.results ?? []).map(({ title, url, description }) => ({ title, url, snippet: description })),
  ),
};

/** Source: serper.dev, POST /search. */
const serper: SearchProvider = {
  baseUrl: "https://google.serper.dev",
  needsKey: true,
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "POST",
    url: `${baseUrl}/search`,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ q: query, num: count }),
  }),
  parse: reader(z.object({ organic: z.array(z.object({ title: text, link: z.string(), snippet: text })) }), (answer) =>
    answer.organic.map(({ title, link, snippet }) => ({ title, url: link, snippet })),
  ),
};

/** Source: docs.searxng.org, "Search API". The instance must allow the format json. */
const searxng: SearchProvider = {
  baseUrl: undefined,
  needsKey: false,
  toCall: (baseUrl, { query, apiKey }) => ({
    method: "GET",
    url: `${baseUrl}/search?${new URLSearchParams({ q: query, format: "json" })}`,
    headers: apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
  }),
  parse: tavily.parse,
};

/**
 * Source: developers.google.com/custom-search/v1, GET /customsearch/v1. Ten results at most; without hits no `items`.
 * The key is a header, so that no address shows it.
 */
const google: SearchProvider = {
  baseUrl: "https://customsearch.googleapis.com",
  needsKey: true,
  needsEngine: true,
  toCall: (baseUrl, { query, count, apiKey, engineId }) => ({
    method: "GET",
    url: `${baseUrl}/customsearch/v1?${new URLSearchParams({ q: query, cx: engineId, num: String(Math.min(count, 10)) })}`,
    headers: { "x-goog-api-key": apiKey },
  }),
  parse: reader(
    z.object({
      kind: z.literal("customsearch#search"),
      items: z.array(z.object({ title: text, link: z.string(), snippet: text })).nullish(),
    }),
    ({ items }) => (items ?? []).map(({ title, link, snippet }) => ({ title, url: link, snippet })),
  ),
};

export const searchProviders = { tavily, brave, serper, searxng, google } as const satisfies Record<
  string,
  SearchProvider
>;

function reader<T>(schema: z.ZodType<T>, toResults: (answer: T) => SearchResult[]): SearchProvider["parse"] {
  return (answer) => {
    const parsed = schema.safeParse(answer);
    return parsed.success ? toResults(parsed.data) : undefined;
  };
}
