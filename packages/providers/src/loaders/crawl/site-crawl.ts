import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import type { LoadedPart, LoaderServices } from "@weft/engine/ports/document-loader";
import type { HttpResponse } from "@weft/engine/ports/http-client";
import { normaliseUrl } from "@weft/knowledge";
import { elementsWithin, isHtml, type Page, type PageElement } from "@weft/knowledge/html";
import { type JsonObject, WeftError } from "@weft/schema";
import { z } from "zod";
import { defineLoader, type LoadOptions, toFailure } from "../define-loader.ts";
import { unreadable } from "../file/index.ts";
import { type Exchange, fetchAnswer, fetchSuccess, openExchange } from "../web/fetch-answer.ts";
import { readAnswer } from "../web/read-page.ts";
import { type PageSettings, pageFields, requestFields, urlField } from "../web/request-fields.ts";
import { type CrawlFrontier, createCrawlFrontier, parseRobots, type Robots } from "./crawl-frontier.ts";

const patterns = z.array(z.string().min(1).max(300)).max(100).optional();

const config = z.object({
  url: urlField.meta({
    title: "Address",
    ref: "address",
    help: "Where to start: a page or, with a sitemap, the site or the sitemap itself.",
  }),
  follow: z
    .enum(["links", "sitemap", "none"])
    .default("links")
    .meta({ title: "Find pages by", help: "The links on the pages, the site's sitemap, or this page only." }),
  maxPages: z.number().int().min(1).max(10_000).default(10).meta({ title: "Most pages" }),
  maxDepth: z.number().int().min(0).max(100).default(3).meta({ title: "Most links from the first page" }),
  include: patterns.meta({ title: "Only these paths", help: "For example /docs/*; * matches anything." }),
  exclude: patterns.meta({ title: "Not these paths", help: "For example */print." }),
  delayMs: z.number().int().min(0).max(60_000).default(200).meta({
    title: "Pause between pages (ms)",
    help: "Longer if the site's robots.txt asks for it, up to 30 seconds.",
    advanced: true,
  }),
  respectRobots: z.boolean().default(true).meta({
    title: "Respect robots.txt",
    help: "Only turn this off for your own sites.",
    advanced: true,
  }),
  ...pageFields,
  ...requestFields,
});

type SiteCrawlConfig = z.infer<typeof config>;

export const siteCrawl = defineLoader({
  name: "site-crawl",
  title: "Web site",
  summary: "The pages of a site, found through its links or sitemap. Other sites are not loaded.",
  group: "web",
  config,
  aliases: {
    names: ["cheerioWebScraper", "puppeteerWebScraper", "playwrightWebScraper"],
    keys: { relativeLinksMethod: "follow", limit: "maxPages", cssSelector: "selector" },
  },
  adapt: adaptScraper,
  sourceOf: ({ url }) => normaliseUrl(url) ?? url,
  async *load(settings, services, options) {
    const start = normaliseUrl(settings.url) ?? settings.url;
    try {
      yield* await startCrawl(start, settings, { services, ...options });
    } catch (error) {
      options.signal.throwIfAborted();
      yield toFailure(start, error);
    }
  },
});

/** A scraper of existing clients reads one page unless told how to find more; a limit of 0 means none. */
function adaptScraper({ relativeLinksMethod, limit, ...rest }: JsonObject): JsonObject {
  const follow = { webCrawl: "links", scrapeXMLSitemap: "sitemap" }[String(relativeLinksMethod)] ?? "none";
  return { ...rest, follow, ...(limit !== undefined && { maxPages: Number(limit) === 0 ? 10_000 : limit }) };
}

async function startCrawl(
  start: string,
  settings: SiteCrawlConfig,
  { services, signal }: LoadOptions & { services: LoaderServices },
) {
  const exchange = await openExchange(start, settings, { services, signal });
  const { origin } = new URL(start);
  const robots = settings.respectRobots ? await fetchRobots(origin, exchange) : parseRobots("", "");
  const { include = [], exclude = [], maxDepth } = settings;
  const frontier = createCrawlFrontier({ start, include, exclude, maxDepth });
  if (settings.follow === "sitemap") await offerSitemap(start, { robots, frontier, settings, exchange });
  return crawlSite({
    exchange,
    robots,
    frontier,
    settings: { ...settings, followsLinks: settings.follow === "links" },
  });
}

type SitemapVisit = {
  robots: Robots;
  frontier: ReturnType<typeof createCrawlFrontier>;
  settings: SiteCrawlConfig;
  exchange: Exchange;
};

/** The pages of the sitemap replace the address, which is the site's. */
async function offerSitemap(start: string, { robots, frontier, settings, exchange }: SitemapVisit): Promise<void> {
  const isSitemap = /\.xml(\.gz)?$/i.test(new URL(start).pathname);
  const sitemap = isSitemap ? start : (robots.sitemaps[0] ?? `${new URL(start).origin}/sitemap.xml`);
  const limits = { maxUrls: settings.maxPages, isWanted: frontier.isWanted };
  const pages = await readSitemap(sitemap, limits, exchange);
  frontier.take();
  for (const page of pages) frontier.offer(page, 0);
}

/** The name that robots.txt may use for this program: the start of its User-Agent header. */
const crawlerName = "weft";

/**
 * The robots.txt rules of a site. A site without the file allows everything; if it cannot be read, nothing may be
 * crawled (RFC 9309, 2.3.1), and this rejects with `egress-failed`.
 */
async function fetchRobots(origin: string, exchange: Exchange): Promise<Robots> {
  const url = `${origin}/robots.txt`;
  const { status, body } = await fetchAnswer({ url }, exchange);
  if (status >= 500) {
    const reason = `it answered with status ${status}, and a site whose robots.txt cannot be read is not read; try again later`;
    throw new WeftError("egress-failed", { params: { url, reason }, retryable: true });
  }
  const isThere = status >= 200 && status < 300;
  return parseRobots(isThere ? new TextDecoder().decode(body) : "", crawlerName);
}

type SitemapLimits = { maxUrls: number; isWanted(url: string): boolean };

/**
 * The page addresses in a sitemap and its nested ones (sitemaps.org), each once, at most `maxUrls`. Rejects if the
 * first one cannot be read; others are skipped.
 */
async function readSitemap(first: string, limits: SitemapLimits, exchange: Exchange): Promise<string[]> {
  const pages = new Set<string>();
  const waiting = [first];
  for (let read = 0; read < maxSitemaps && waiting.length > 0 && pages.size < limits.maxUrls; read += 1) {
    const url = waiting.shift() ?? first;
    const xml = await fetchXml(url, exchange).catch((error) => {
      exchange.signal.throwIfAborted();
      if (url === first) throw error;
      return "";
    });
    const isIndex = /<sitemapindex[\s>]/i.test(xml);
    for (const found of addressesIn(xml, url)) {
      if (isIndex) waiting.push(found);
      else if (pages.size < limits.maxUrls && limits.isWanted(found)) pages.add(found);
    }
  }
  if (pages.size === 0) throw unreadable(first, "it lists no pages of this site that the settings allow; check it");
  return [...pages];
}

const maxSitemaps = 50;
const maxUnpackedBytes = 50 * 1024 * 1024;

async function fetchXml(url: string, exchange: Exchange): Promise<string> {
  const response = await fetchSuccess({ url }, exchange);
  return new TextDecoder().decode(unpack(url, response));
}

/** A sitemap may be a gzip file. */
function unpack(url: string, { body }: HttpResponse): Uint8Array {
  if (body[0] !== 0x1f || body[1] !== 0x8b) return body;
  try {
    return gunzipSync(body, { maxOutputLength: maxUnpackedBytes });
  } catch {
    throw unreadable(url, `it is damaged, or larger than ${maxUnpackedBytes} bytes when unpacked`);
  }
}

function* addressesIn(xml: string, base: string): Generator<string> {
  for (const [, text = ""] of xml.matchAll(/<loc>\s*(?:<!\[CDATA\[)?([^<\]]{1,8000})/gi)) {
    const url = URL.parse(text.trim().replaceAll("&amp;", "&"), base);
    if (url !== null && /^https?:$/.test(url.protocol)) yield url.href;
  }
}

type Crawl = {
  exchange: Exchange;
  robots: Robots;
  frontier: CrawlFrontier;
  settings: PageSettings & { maxPages: number; delayMs: number; followsLinks: boolean };
};

/**
 * The pages of a site in sequence, with a pause between. Stops after requesting `maxPages` addresses. Responses other
 * than pages or documents are skipped, except for the first address.
 */
async function* crawlSite(crawl: Crawl): AsyncGenerator<LoadedPart> {
  const { exchange, frontier, settings } = crawl;
  const pauseMs = Math.max(settings.delayMs, Math.min(crawl.robots.crawlDelayMs, longestDelayMs));
  for (let asked = 0; asked < settings.maxPages; asked += 1) {
    const next = frontier.take();
    if (next === undefined) return;
    if (asked > 0) await pause(pauseMs, exchange.signal);
    try {
      yield* await visit(next, crawl, asked === 0);
    } catch (error) {
      exchange.signal.throwIfAborted();
      yield toFailure(next.url, error);
    }
  }
}

const longestDelayMs = 30_000;

/** Rejects with the signal's own reason, which the timer would wrap. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}

async function visit({ url, depth }: { url: string; depth: number }, crawl: Crawl, isFirst: boolean) {
  const { exchange, frontier, robots, settings } = crawl;
  if (!robots.isAllowed(pathOf(url))) {
    if (!isFirst) return [];
    const reason = "the site's robots.txt asks programs not to read it; choose another page, or ask its owner";
    throw new WeftError("document-unreadable", { params: { name: url, reason } });
  }
  const response = await fetchSuccess({ url, headers: { accept: "text/html, */*;q=0.8" } }, exchange);
  const source = normaliseUrl(response.url) ?? url;
  // A redirect may lead to another site, or to a page that was already read.
  if (source !== url && !frontier.arrive(source, isFirst)) return [];
  if (!isFirst && !isReadable(response)) return [];
  const { services, signal } = exchange;
  const { parts, page } = await readAnswer(source, response, { settings, services, signal });
  if (page && settings.followsLinks) {
    for (const link of findLinks(page, response.url)) frontier.offer(link, depth + 1);
  }
  return parts;
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

const readableTypes =
  /^\s*(text\/(plain|markdown|csv)|application\/(pdf|json|vnd\.openxmlformats-officedocument\.[\w.]+))\b/i;

function isReadable(response: HttpResponse): boolean {
  return isHtml(response) || readableTypes.test(response.headers["content-type"] ?? "");
}

/** Maximum links examined per page. */
const maxLinks = 20_000;

/** Targets of a page's links, each once. None if the page or the link is marked nofollow. */
function findLinks({ root }: Page, pageUrl: string): string[] {
  const found: PageElement[] = [];
  let base = pageUrl;
  for (const element of elementsWithin(root)) {
    const { tag, attributes } = element;
    if (asksNotToFollow(element)) return [];
    if (tag === "base" && attributes.href) base = URL.parse(attributes.href, pageUrl)?.href ?? base;
    if (tag === "a" && found.length < maxLinks) found.push(element);
  }
  const addresses = found.map(({ attributes }) => toAddress(attributes, base));
  return [...new Set(addresses.filter((address) => address !== undefined))];
}

function asksNotToFollow({ tag, attributes }: PageElement): boolean {
  if (tag !== "meta" || attributes.name?.toLowerCase() !== "robots") return false;
  return /\b(nofollow|none)\b/i.test(attributes.content ?? "");
}

function toAddress({ href, rel = "" }: PageElement["attributes"], base: string): string | undefined {
  if (href === undefined || /\bnofollow\b/i.test(rel)) return undefined;
  return normaliseUrl(URL.parse(href, base)?.href ?? "");
}
