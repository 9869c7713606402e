import { apiKeyField } from "@weft/schema";
import { z } from "zod";
import { reader, type SearchProvider, text } from "./search-provider.ts";

/**
 * Source: serpapi.com/search-api, GET /search.json. Without hits no `organic_results`. The service accepts its key only
 * in the URL, so traces show another one.
 */
export const serpapi: SearchProvider = {
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
