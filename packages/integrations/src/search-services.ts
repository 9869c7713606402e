import { apiKeyField, type CredentialType } from "@weft/schema";
import { z } from "zod";

/** One page that was found. */
export type SearchResult = { title: string; url: string; snippet: string };

type SearchRequest = { query: string; count: number; apiKey: string; engineId: string };

/** A web search service: its requests, and the parser of its responses. */
export type SearchProvider = {
  /** Undefined: the operator hosts the service and sets its address. */
  readonly baseUrl: string | undefined;
  /**
   * Type of its key, with the id of a search engine if the key's owner created one. Absent: it needs no key, and uses
   * that of any credential.
   */
  readonly credential?: CredentialType;
  toCall(baseUrl: string, request: SearchRequest): SearchCall;
  /** Undefined if the response is not as documented. */
  parse(answer: unknown): SearchResult[] | undefined;
};

type SearchCall = {
  method: "GET" | "POST";
  url: string;
  /** The URL for traces. Absent: the whole URL. */
  shownUrl?: string;
  headers: Record<string, string>;
  body?: string;
};

/** An optional text. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** Creates a parser of responses of one form. */
function reader<T>(schema: z.ZodType<T>, toResults: (answer: T) => SearchResult[]): SearchProvider["parse"] {
  return (answer) => {
    const parsed = schema.safeParse(answer);
    return parsed.success ? toResults(parsed.data) : undefined;
  };
}

/** Source: docs.tavily.com, POST /search. */
const tavily: SearchProvider = {
  baseUrl: "https://api.tavily.com",
  credential: {
    name: "tavilyApi",
    title: "Tavily API",
    fields: [apiKeyField("tavilyApiKey")],
    hosts: ["api.tavily.com"],
  },
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

/** Source: api-dashboard.search.brave.com, GET /res/v1/web/search. Without hits the response has no `web`. */
const brave: SearchProvider = {
  baseUrl: "https://api.search.brave.com",
  credential: {
    name: "braveSearchApi",
    title: "Brave Search API",
    fields: [apiKeyField("braveApiKey")],
    hosts: ["api.search.brave.com"],
  },
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
  credential: {
    name: "serperApi",
    title: "Serper API",
    fields: [apiKeyField("serperApiKey")],
    hosts: ["google.serper.dev"],
  },
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
  toCall: (baseUrl, { query, apiKey }) => ({
    method: "GET",
    url: `${baseUrl}/search?${new URLSearchParams({ q: query, format: "json" })}`,
    headers: apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
  }),
  parse: tavily.parse,
};

/**
 * Source: developers.google.com/custom-search/v1, GET /customsearch/v1. At most ten results; without hits no `items`.
 * The key is a header, so that no URL shows it.
 */
const google: SearchProvider = {
  baseUrl: "https://customsearch.googleapis.com",
  credential: {
    name: "googleCustomSearchApi",
    title: "Google Programmable Search",
    fields: [
      apiKeyField("googleCustomSearchApiKey", ["apiKey", "token", "googleApiKey"]),
      {
        name: "googleCustomSearchApiId",
        aliases: ["engineId", "searchEngineId"],
        title: "Search engine ID",
        secret: false,
        required: true,
      },
    ],
    hosts: ["customsearch.googleapis.com"],
  },
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

/**
 * Source: serpapi.com/search-api, GET /search.json. Without hits no `organic_results`. The service accepts its key only
 * in the URL, so traces show another one.
 */
const serpapi: SearchProvider = {
  baseUrl: "https://serpapi.com",
  credential: { name: "serpApi", title: "SerpApi", fields: [apiKeyField("serpApiKey")], hosts: ["serpapi.com"] },
  toCall(baseUrl, { query, count, apiKey }) {
    const shownUrl = `${baseUrl}/search.json?${new URLSearchParams({ engine: "google", q: query, num: String(count) })}`;
    return { method: "GET", url: `${shownUrl}&${new URLSearchParams({ api_key: apiKey })}`, shownUrl, headers: {} };
  },
  parse: reader(
    z.object({
      search_metadata: z.object({ status: z.string() }),
      organic_results: z.array(z.object({ title: text, link: z.string(), snippet: text })).nullish(),
    }),
    ({ organic_results }) => (organic_results ?? []).map(({ title, link, snippet }) => ({ title, url: link, snippet })),
  ),
};

/** Source: www.searchapi.io/docs/google, GET /api/v1/search. */
const searchapi: SearchProvider = {
  baseUrl: "https://www.searchapi.io",
  credential: {
    name: "searchApi",
    title: "SearchApi",
    fields: [apiKeyField("searchApiKey")],
    hosts: ["www.searchapi.io"],
  },
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "GET",
    url: `${baseUrl}/api/v1/search?${new URLSearchParams({ engine: "google", q: query, num: String(count) })}`,
    headers: { authorization: `Bearer ${apiKey}` },
  }),
  parse: serpapi.parse,
};

/** Source: docs.exa.ai, POST /search. Semantic search; requests the pages' texts for excerpts. */
const exa: SearchProvider = {
  baseUrl: "https://api.exa.ai",
  credential: {
    name: "exaSearchApi",
    title: "Exa Search API",
    fields: [apiKeyField("exaSearchApiKey", ["ExaSearchApiKey", "exaApiKey", "apiKey", "token"])],
    hosts: ["api.exa.ai"],
  },
  toCall: (baseUrl, { query, count, apiKey }) => ({
    method: "POST",
    url: `${baseUrl}/search`,
    headers: { "x-api-key": apiKey, "content-type": "application/json" },
    body: JSON.stringify({ query, numResults: count, contents: { text: { maxCharacters: 1_000 } } }),
  }),
  parse: reader(z.object({ results: z.array(z.object({ title: text, url: z.string(), text })) }), (answer) =>
    answer.results.map((result) => ({ title: result.title, url: result.url, snippet: result.text })),
  ),
};

/** Every web search service by its name in flows. */
export const searchProviders = {
  tavily,
  brave,
  serper,
  searxng,
  google,
  serpapi,
  searchapi,
  exa,
} as const satisfies Record<string, SearchProvider>;
