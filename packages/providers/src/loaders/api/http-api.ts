import { normaliseUrl } from "@weft/knowledge";
import { z } from "zod";
import { defineLoader } from "../define-loader.ts";
import { toFailure } from "../to-failure.ts";
import { openExchange } from "../web/fetch-answer.ts";
import { requestFields, urlField } from "../web/request-fields.ts";
import { loadApi } from "./load-api.ts";

export const httpApi = defineLoader({
  name: "http-api",
  title: "HTTP API",
  summary: "What an API answers: the whole of it, or each item of its lists, page by page.",
  group: "web",
  config: z.object({
    url: urlField.meta({ title: "Address" }),
    method: z.enum(["GET", "POST"]).default("GET").meta({ title: "Method" }),
    body: z
      .union([z.record(z.string(), z.json()), z.string().max(1_000_000)])
      .optional()
      .meta({ title: "Body", help: "JSON, sent with POST.", widget: "json" }),
    itemsPointer: z.string().max(500).optional().meta({
      title: "Where the items are",
      help: "A JSON pointer to a list, such as /data. Every item is a document. / is the answer itself.",
    }),
    textPointer: z.string().max(500).optional().meta({
      title: "Text of an item",
      help: "A JSON pointer within an item, such as /body. Left empty: the whole item.",
    }),
    paging: z.enum(["none", "page", "next"]).default("none").meta({
      title: "Further pages",
      help: "By a page number in the query, or by an address that the answer names.",
      advanced: true,
    }),
    pageParameter: z.string().min(1).max(100).default("page").meta({ title: "Query name of the page", advanced: true }),
    firstPage: z.number().int().min(0).max(1_000_000).default(1).meta({ title: "First page", advanced: true }),
    nextPointer: z.string().max(500).optional().meta({
      title: "Next address",
      help: "A JSON pointer to it, such as /links/next. Left empty: the answer's Link header.",
      advanced: true,
    }),
    maxPages: z.number().int().min(1).max(10_000).default(100).meta({ title: "Most pages", advanced: true }),
    ...requestFields,
  }),
  aliases: { names: ["apiLoader"], keys: {} },
  sourceOf: ({ url }) => normaliseUrl(url) ?? url,
  async *load(settings, services, { signal }) {
    const source = normaliseUrl(settings.url) ?? settings.url;
    try {
      yield* loadApi(source, settings, await openExchange(source, settings, { services, signal }));
    } catch (error) {
      signal.throwIfAborted();
      yield toFailure(source, error);
    }
  },
});
