import type { LoadedPart } from "@weft/engine/ports/document-loader";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import { normaliseUrl } from "@weft/knowledge";
import { type Json, type JsonObject, parseJson, WeftError } from "@weft/schema";
import { z } from "zod";
import { defineLoader, toFailure } from "../define-loader.ts";
import { unreadable } from "../file/index.ts";
import { findValue, toValueText } from "../json-pointer.ts";
import { type Exchange, fetchSuccess, openExchange } from "../web/fetch-answer.ts";
import { readAnswer } from "../web/read-page.ts";
import { requestFields, urlField } from "../web/request-fields.ts";

export const httpApi = defineLoader({
  name: "http-api",
  title: "HTTP API",
  summary: "The response of an API: as a whole, or each item of its lists, page by page.",
  group: "web",
  config: z.object({
    url: urlField.meta({ title: "Address", ref: "address" }),
    method: z.enum(["GET", "POST"]).default("GET").meta({ title: "Method" }),
    body: z
      .union([z.record(z.string(), z.json()), z.string().max(1_000_000)])
      .optional()
      .meta({ title: "Body", help: "JSON, sent with POST.", widget: "json" }),
    itemsPointer: z.string().max(500).optional().meta({
      title: "Where the items are",
      help: "A JSON pointer to a list, such as /data. Each item becomes a document. / is the response itself.",
    }),
    textPointer: z.string().max(500).optional().meta({
      title: "Text of an item",
      help: "A JSON pointer within an item, such as /body. If empty, the whole item.",
    }),
    paging: z.enum(["none", "page", "next"]).default("none").meta({
      title: "Further pages",
      help: "By a page number in the query, or by an address in the response.",
      advanced: true,
    }),
    pageParameter: z.string().min(1).max(100).default("page").meta({ title: "Query name of the page", advanced: true }),
    firstPage: z.number().int().min(0).max(1_000_000).default(1).meta({ title: "First page", advanced: true }),
    nextPointer: z.string().max(500).optional().meta({
      title: "Next address",
      help: "A JSON pointer to it, such as /links/next. If empty, the response's Link header is used.",
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

type ApiSettings = {
  method: string;
  body?: JsonObject | string | undefined;
  itemsPointer?: string | undefined;
  textPointer?: string | undefined;
  paging: "none" | "page" | "next";
  pageParameter: string;
  firstPage: number;
  nextPointer?: string | undefined;
  maxPages: number;
};

/** The documents of an API, a page at a time. Rejects at the first page that cannot be read. */
async function* loadApi(source: string, settings: ApiSettings, exchange: Exchange): AsyncGenerator<LoadedPart> {
  const asked = new Set<string>();
  let url: string | undefined = settings.paging === "page" ? toPageUrl(source, settings, 0) : source;
  for (let page = 0; url !== undefined && page < settings.maxPages; page += 1) {
    asked.add(url);
    const response = await fetchSuccess(toRequest(url, settings), exchange);
    const answer = parseJson(new TextDecoder().decode(response.body));
    const parts = await partsOf({ source, response, answer, page }, settings, exchange);
    yield* parts;
    const next = parts.length === 0 ? undefined : nextUrl({ source, response, answer, page }, settings);
    url = next !== undefined && asked.has(next) ? undefined : next;
  }
}

/** One page of an API. `answer` is the part of it that is JSON. */
type ApiPage = { source: string; response: HttpResponse; answer: Json | undefined; page: number };

async function partsOf(
  { source, response, answer, page }: ApiPage,
  settings: ApiSettings,
  { services, signal }: Exchange,
): Promise<LoadedPart[]> {
  if (settings.itemsPointer === undefined) {
    const { parts } = await readAnswer(source, response, { settings: { mainContent: true }, services, signal });
    return parts;
  }
  if (answer === undefined) throw unreadable(source, "its response is not JSON; leave the item path empty");
  const items = itemsOf(source, answer, settings.itemsPointer);
  return items.map((item, index) => toPart(source, item, { settings, page, index }));
}

function toRequest(url: string, { method, body }: ApiSettings) {
  if (method === "GET" || body === undefined)
    return { method, url, headers: { accept: "application/json, */*;q=0.5" } };
  const headers = { accept: "application/json, */*;q=0.5", "content-type": "application/json" };
  return { method, url, headers, body: typeof body === "string" ? body : JSON.stringify(body) };
}

function itemsOf(source: string, answer: Json, pointer: string): Json[] {
  const items = findValue(answer, pointer === "/" ? "" : pointer);
  if (Array.isArray(items)) return items;
  throw unreadable(source, `its response has no list at ${pointer}; correct the item path`);
}

type ItemPlace = { settings: ApiSettings; page: number; index: number };

function toPart(source: string, item: Json, { settings, page, index }: ItemPlace): LoadedPart {
  const value = settings.textPointer === undefined ? item : findValue(item, settings.textPointer);
  const number = settings.paging === "page" ? settings.firstPage + page : page + 1;
  const metadata = { source, item: index + 1, ...(settings.paging !== "none" && { page: number }) };
  if (value !== undefined) return { type: "document", source, text: toValueText(value), metadata };
  const message = `Item ${index + 1} of page ${number} has nothing at ${settings.textPointer}. Correct the text of an item.`;
  return { type: "failure", source: `${source}#${number}.${index + 1}`, code: "document-unreadable", message };
}

function nextUrl({ source, response, answer, page }: ApiPage, settings: ApiSettings): string | undefined {
  if (settings.paging === "none") return undefined;
  if (settings.paging === "page") return toPageUrl(source, settings, page + 1);
  const named = settings.nextPointer
    ? findValue(answer ?? null, settings.nextPointer)
    : nextLink(response.headers.link ?? "");
  if (typeof named !== "string" || named === "") return undefined;
  const url = URL.parse(named, response.url);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href;
  const reason = `the next page it refers to is not a valid address: ${named.slice(0, 100)}`;
  throw new WeftError("egress-failed", { params: { url: source, reason }, retryable: false });
}

function toPageUrl(source: string, { pageParameter, firstPage }: ApiSettings, page: number): string {
  const url = new URL(source);
  url.searchParams.set(pageParameter, String(firstPage + page));
  return url.href;
}

/** The target of `rel="next"` (RFC 8288). */
function nextLink(header: string): string | undefined {
  for (const [, target, parameters = ""] of header.matchAll(/<([^<>]{1,8000})>([^<]{0,2000})/g)) {
    // linear: parameters have 2,000 characters at most
    if (/;\s*rel\s*=\s*"?[^";]*\bnext\b/i.test(parameters)) return target;
  }
  return undefined;
}
