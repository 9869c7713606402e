import { gunzipSync } from "node:zlib";
import type { HttpResponse } from "@weft/engine";
import { unreadable } from "../file/stored-file.ts";
import { type Exchange, fetchSuccess } from "../web/fetch-answer.ts";

export type SitemapLimits = { maxUrls: number; isWanted(url: string): boolean };

/**
 * The addresses of pages in a sitemap and in those that it names (sitemaps.org), each once, at most `maxUrls`.
 * Rejects when the first one cannot be read; another is passed over.
 */
export async function readSitemap(first: string, limits: SitemapLimits, exchange: Exchange): Promise<string[]> {
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
  if (pages.size === 0) throw unreadable(first, "it names no page of this site that the settings allow; check it");
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
