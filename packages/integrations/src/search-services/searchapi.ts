import { apiKeyField } from "@weft/schema";
import type { SearchProvider } from "./search-provider.ts";
import { serpapi } from "./serpapi.ts";

/** Source: www.searchapi.io/docs/google, GET /api/v1/search. */
export const searchapi: SearchProvider = {
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
