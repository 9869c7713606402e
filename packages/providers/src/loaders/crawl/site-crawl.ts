import type { LoaderServices } from "@weft/engine";
import { normaliseUrl } from "@weft/knowledge";
import type { JsonObject } from "@weft/schema";
import { z } from "zod";
import { defineLoader, type LoadOptions } from "../define-loader.ts";
import { toFailure } from "../to-failure.ts";
import { type Exchange, openExchange } from "../web/fetch-answer.ts";
import { pageFields, requestFields, urlField } from "../web/request-fields.ts";
import { createCrawlFrontier } from "./crawl-frontier.ts";
import { crawlSite } from "./crawl-site.ts";
import { fetchRobots } from "./fetch-robots.ts";
import { readSitemap } from "./read-sitemap.ts";
import { parseRobots, type Robots } from "./robots.ts";

const patterns = z.array(z.string().min(1).max(300)).max(100).optional();

const config = z.object({
  url: urlField.meta({ title: "Address", help: "Where to begin: a page, or with a sitemap the site or the sitemap." }),
  follow: z
    .enum(["links", "sitemap", "none"])
    .default("links")
    .meta({ title: "Find pages by", help: "The links on the pages, the site's sitemap, or this page alone." }),
  maxPages: z.number().int().min(1).max(10_000).default(10).meta({ title: "Most pages" }),
  maxDepth: z.number().int().min(0).max(100).default(3).meta({ title: "Most links from the first page" }),
  include: patterns.meta({ title: "Only these paths", help: "Such as /docs/*. * stands for anything." }),
  exclude: patterns.meta({ title: "Not these paths", help: "Such as */print." }),
  delayMs: z.number().int().min(0).max(60_000).default(200).meta({
    title: "Pause between pages (ms)",
    help: "Longer if the site's robots.txt asks for it, up to 30 seconds.",
    advanced: true,
  }),
  respectRobots: z.boolean().default(true).meta({
    title: "Respect robots.txt",
    help: "Switch off for sites of your own only.",
    advanced: true,
  }),
  ...pageFields,
  ...requestFields,
});

type SiteCrawlConfig = z.infer<typeof config>;

export const siteCrawl = defineLoader({
  name: "site-crawl",
  title: "Web site",
  summary: "The pages of a site, found by its links or its sitemap. Other sites are left alone.",
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

/** A scraper of existing clients reads one page unless it is told how to find more; a limit of 0 is none. */
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

/** The pages of the sitemap take the place of the address, which is the site's. */
async function offerSitemap(start: string, { robots, frontier, settings, exchange }: SitemapVisit): Promise<void> {
  const isSitemap = /\.xml(\.gz)?$/i.test(new URL(start).pathname);
  const sitemap = isSitemap ? start : (robots.sitemaps[0] ?? `${new URL(start).origin}/sitemap.xml`);
  const limits = { maxUrls: settings.maxPages, isWanted: frontier.isWanted };
  const pages = await readSitemap(sitemap, limits, exchange);
  frontier.take();
  for (const page of pages) frontier.offer(page, 0);
}
