import { apiKeyField } from "@weft/schema";
import { z } from "zod";
import { reader, type SearchProvider, text } from "./search-provider.ts";

/** Source: docs.exa.ai, POST /search. Semantic search; requests the pages' texts for excerpts. */
export const exa: SearchProvider = {
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
    body: JSON.stringify({ query, numResults: count, contents: { text: { maxCharacters: excerptCharacters } } }),
  }),
  parse: reader(z.object({ results: z.array(z.object({ title: text, url: z.string(), text })) }), (answer) =>
    answer.results.map((result) => ({ title: result.title, url: result.url, snippet: result.text })),
  ),
};

const excerptCharacters = 1_000;
