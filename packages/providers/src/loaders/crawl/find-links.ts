import { elementsWithin, normaliseUrl, type Page, type PageElement } from "@weft/knowledge";

/** No more links of a page than this are looked at. */
const maxLinks = 20_000;

/** Where the links of a page lead, each once. None where the page or the link asks not to be followed. */
export function findLinks({ root }: Page, pageUrl: string): string[] {
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
