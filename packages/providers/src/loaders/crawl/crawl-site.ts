import { setTimeout as sleep } from "node:timers/promises";
import type { HttpResponse, LoadedPart } from "@weft/engine";
import { normaliseUrl } from "@weft/knowledge";
import { WeftError } from "@weft/schema";
import { toFailure } from "../to-failure.ts";
import { type Exchange, fetchSuccess } from "../web/fetch-answer.ts";
import { isHtml, readAnswer } from "../web/read-page.ts";
import type { PageSettings } from "../web/request-fields.ts";
import type { CrawlFrontier } from "./crawl-frontier.ts";
import { findLinks } from "./find-links.ts";
import type { Robots } from "./robots.ts";

export type Crawl = {
  exchange: Exchange;
  robots: Robots;
  frontier: CrawlFrontier;
  settings: PageSettings & { maxPages: number; delayMs: number; followsLinks: boolean };
};

/**
 * The pages of a site, one after the other with a pause between. Stops after `maxPages` addresses were asked for.
 * What answers something else than a page or a document is passed over, unless it is the first one.
 */
export async function* crawlSite(crawl: Crawl): AsyncGenerator<LoadedPart> {
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
  // A redirect may lead to another site, or to a page that was read before.
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
