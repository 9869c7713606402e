import { apiKeyField } from "@weft/schema";
import { z } from "zod";
import { reader, type SearchProvider, text } from "./search-provider.ts";

/** Source: serper.dev, POST /search. */
export const serper: SearchProvider = {
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
