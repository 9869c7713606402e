import { normaliseUrl } from "@weft/knowledge";
import { createMatcher } from "../file/index.ts";

export type FrontierRule = {
  /** Where the crawl begins; pages of other origins are not taken. */
  start: string;
  maxDepth: number;
  include: readonly string[];
  exclude: readonly string[];
};

/** The addresses that are to be asked for, each once, the nearest to the start first. */
export type CrawlFrontier = {
  take(): { url: string; depth: number } | undefined;
  /** Takes the address if it is new and the rule allows it. */
  offer(url: string, depth: number): void;
  /** Whether a page that a redirect led to is to be read. The first page may name the site anew: `http` to `https`, `www`. */
  arrive(url: string, isFirst: boolean): boolean;
  isWanted(url: string): boolean;
};

/** Files that are no text are not asked for. */
const noText =
  /\.(png|jpe?g|gif|webp|avif|svg|ico|mp[34]|m4a|avi|mov|webm|ogg|wav|zip|gz|tgz|bz2|xz|7z|rar|exe|dmg|iso|woff2?|ttf|eot|css|js|mjs|map|wasm)$/i;

/** More than any limit of pages: a trap of endless links does not fill the memory. */
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
