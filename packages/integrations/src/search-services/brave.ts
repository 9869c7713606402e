import { apiKeyField } from "@weft/schema";
import { z } from "zod";
import { reader, type SearchProvider, text } from "./search-provider.ts";

/** Source: api-dashboard.search.brave.com, GET /res/v1/web/search. Without hits the response has no `web`. */
export const brave: SearchProvider = {
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
