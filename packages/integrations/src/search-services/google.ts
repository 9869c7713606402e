import { apiKeyField } from "@weft/schema";
import { z } from "zod";
import { reader, type SearchProvider, text } from "./search-provider.ts";

/**
 * Source: developers.google.com/custom-search/v1, GET /customsearch/v1. At most ten results; without hits no `items`.
 * The key is a header, so that no URL shows it.
 */
export const google: SearchProvider = {
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
