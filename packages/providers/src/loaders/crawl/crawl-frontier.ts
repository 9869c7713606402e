import { normaliseUrl } from "@weft/knowledge";
import robotsModule from "robots-parser";
import { createMatcher } from "../file/index.ts";

type FrontierRule = {
  /** Start of the crawl; pages of other origins are skipped. */
  start: string;
  maxDepth: number;
  include: readonly string[];
  exclude: readonly string[];
};

/** The addresses to request, each once, the nearest to the start first. */
export type CrawlFrontier = {
  take(): { url: string; depth: number } | undefined;
  /** Adds the address if it is new and the rule allows it. */
  offer(url: string, depth: number): void;
  /** Whether to read a page reached by a redirect. The first page may rename the site: `http` to `https`, `www`. */
  arrive(url: string, isFirst: boolean): boolean;
  isWanted(url: string): boolean;
};

/** Files without text are not requested. */
const noText =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|mp[34]|m4a|avi|mov|webm|ogg|wav|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|iso|woff2?|ttf|eot|css|js|mjs|map|wasm)$/i;

/** Above any limit of pages: a trap of endless links does not fill the memory. */
const maxWaiting = 20_000;

export function createCrawlFrontier(rule: FrontierRule): CrawlFrontier {
  let { origin } = new URL(rule.start);
  const seen = new Set([rule.start]);
  const waiting = [{ url: rule.start, depth: 0 }];
  const isIncluded = rule.include.length === 0 ? () => true : createMatcher(rule.include);
  const isExcluded = createMatcher(rule.exclude);
  const isWanted = (url: string) => {
    const { origin: own, pathname, search } = new URL(url);
    const path = pathname + search;
    return own === origin && !noText.test(pathname) && isIncluded(path) && !isExcluded(path);
  };
  return {
    isWanted,
    take: () => waiting.shift(),
    offer(url, depth) {
      const address = normaliseUrl(url);
      if (address === undefined || depth > rule.maxDepth || waiting.length >= maxWaiting) return;
      if (seen.has(address) || !isWanted(address)) return;
      seen.add(address);
      waiting.push({ url: address, depth });
    },
    arrive(url, isFirst) {
      if (isFirst) origin = new URL(url).origin;
      if (new URL(url).origin !== origin || (seen.has(url) && !isFirst)) return false;
      seen.add(url);
      return true;
    },
  };
}

/** The module is the function; its types say that the function is the module's `default`. */
const robotsParser = robotsModule as typeof robotsModule & typeof robotsModule.default;

/** A site's rules for crawlers. */
export type Robots = {
  /** `path` includes its query. Also false if the rules are too many, or the path too long, to compare at once. */
  isAllowed(path: string): boolean;
  /** 0 if the site sets none. */
  crawlDelayMs: number;
  sitemaps: string[];
};

/** Rules concern paths, so any site serves as a placeholder. */
const site = "https://site.invalid";

/** Minimum that a parser must read (RFC 9309, 2.5). */
const maxCharacters = 500 * 1024;

/** Parses robots.txt (RFC 9309) for the agent of that name. Invalid lines are skipped. */
export function parseRobots(text: string, agent: string): Robots {
  const content = text.slice(0, maxCharacters);
  const robots = robotsParser(`${site}/robots.txt`, content);
  const stepsPerCharacter = countSteps(content);
  return {
    isAllowed: (path) =>
      path.length * stepsPerCharacter <= maxSteps && robots.isAllowed(`${site}${path}`, agent) !== false,
    crawlDelayMs: Math.max(0, robots.getCrawlDelay(agent) ?? 0) * 1_000,
    sitemaps: robots.getSitemaps(),
  };
}

/** About 50 ms of matching. */
const maxSteps = 40_000_000;

/**
 * Cost of matching per character of a path. The parser scans the path once per rule, and per character of a rule with a
 * wildcard: half a megabyte of those would block the process for seconds.
 */
function countSteps(content: string): number {
  const lines = content.split(/[\r\n]+/);
  const withWildcard = lines.filter((line) => line.includes("*") && !/^\s*user-agent\s*:/i.test(line));
  return lines.length + 4 * withWildcard.reduce((sum, line) => sum + line.length, 0);
}
