import { apiKeyField } from "@weft/schema";
import { z } from "zod";
import { reader, type SearchProvider, text } from "./search-provider.ts";

/** Source: docs.tavily.com, POST /search. */
export const tavily: SearchProvider = {
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
