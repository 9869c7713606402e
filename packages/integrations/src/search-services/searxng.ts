import type { SearchProvider } from "./search-provider.ts";
import { tavily } from "./tavily.ts";

/** Source: docs.searxng.org, "Search API". The instance must allow the format json. */
export const searxng: SearchProvider = {
  baseUrl: undefined,
  toCall: (baseUrl, { query, apiKey }) => ({
    method: "GET",
    url: `${baseUrl}/search?${new URLSearchParams({ q: query, format: "json" })}`,
    headers: apiKey === "" ? {} : { authorization: `Bearer ${apiKey}` },
  }),
  parse: tavily.parse,
};
