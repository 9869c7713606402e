import type { Json } from "@weft/schema";
import type { Outcome } from "../tool-name.ts";
import { hasPlace, placePattern } from "./parameter-schema.ts";

/** A path parameter and its value; null if omitted. */
type PathValue = { argument: string; name: string; value: Json };

/** A URL, and its form for traces: without credentials and without the query values of the settings. */
type CallUrl = { url: string; shownUrl: string };

/**
 * Inserts the values into the URL: path values replace `{name}` or `:name`, otherwise are appended in order; query
 * values are added. Values cannot change the configured URL's own query. A missing optional path value removes its
 * segment if that is the last one.
 */
export function buildUrl(
  template: string,
  path: readonly PathValue[],
  query: readonly (readonly [string, string])[],
): Outcome<CallUrl> {
  const filled = fillPath(template, path);
  if (!filled.ok) return filled;
  const url = URL.parse(filled.value);
  if (!url) return { ok: false, message: "Nothing was called: with these values the address is not a valid URL." };
  return { ok: true, value: addQuery(url, query) };
}

/** Adds query values to a URL whose own query stays unchanged. */
export function addQuery(url: URL, query: readonly (readonly [string, string])[]): CallUrl {
  url.hash = "";
  const fixed = new Set(url.searchParams.keys());
  for (const [name, value] of query) if (!fixed.has(name)) url.searchParams.append(name, value);
  return { url: url.href, shownUrl: toShownUrl(url, fixed) };
}

function toShownUrl(url: URL, hidden: ReadonlySet<string>): string {
  const query = [...url.searchParams].map(
    ([name, value]) => `${encodeURIComponent(name)}=${hidden.has(name) ? "***" : encodeURIComponent(value)}`,
  );
  return `${url.origin}${url.pathname}${query.length > 0 ? `?${query.join("&")}` : ""}`;
}

type Address = { path: string; search: string; skipped?: string };

function fillPath(template: string, values: readonly PathValue[]): Outcome<string> {
  const [, origin = "", path = "", search = ""] = /^([^:/?#]+:\/\/[^/?#\\]*)([^?#]*)(\?[^#]*)?/.exec(template) ?? [];
  let address: Address = { path, search };
  for (const value of values) {
    const place = hasPlace(template, value.name);
    const next = value.value === null ? leaveOut(address, value, place) : fillIn(address, value, place);
    if (!next.ok) return { ok: false, message: `Nothing was called: ${next.message}` };
    address = next.value;
  }
  return { ok: true, value: `${origin}${address.path}${address.search}` };
}

function leaveOut(address: Address, { argument, name }: PathValue, hasOwnPlace: boolean): Outcome<Address> {
  if (!hasOwnPlace) return { ok: true, value: { skipped: argument, ...address } };
  const path = dropLastSegment(address.path, name);
  if (path === undefined) return { ok: false, message: `${argument} is required to build the address. Send it.` };
  return { ok: true, value: { ...address, path } };
}

function fillIn(address: Address, { argument, name, value }: PathValue, hasOwnPlace: boolean): Outcome<Address> {
  const encoded = encodePathValue(argument, value);
  if (!encoded.ok) return encoded;
  if (hasOwnPlace) {
    const fill = (text: string) => text.replaceAll(placePattern(name), () => encoded.value);
    return { ok: true, value: { ...address, path: fill(address.path), search: fill(address.search) } };
  }
  if (address.skipped !== undefined) {
    return { ok: false, message: `${argument} can be sent only together with ${address.skipped}.` };
  }
  return { ok: true, value: { ...address, path: `${address.path.replace(/\/$/, "")}/${encoded.value}` } };
}

/** The path without its last segment if that is exactly the placeholder of `name`. */
function dropLastSegment(path: string, name: string): string | undefined {
  const end = path.lastIndexOf("/");
  const rest = path.slice(end + 1).replace(placePattern(name), "");
  if (end < 0 || rest !== "" || placePattern(name).test(path.slice(0, end))) return undefined;
  return path.slice(0, end);
}

/** Query parameters of one value: an array repeats the name, an object is sent as JSON, null is omitted. */
export function toQueryPairs(name: string, value: Json): [string, string][] {
  if (value === null) return [];
  if (Array.isArray(value)) return value.filter((item) => item !== null).map((item) => [name, toPlainText(item)]);
  return [[name, toPlainText(value)]];
}

/** Text unchanged, data as JSON. */
export function toPlainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/**
 * One path segment of a URL (RFC 3986, 3.3): percent-encodes everything that could end the segment. Rejects an empty
 * value, and dot segments in any spelling, which some servers decode and resolve upwards.
 */
export function encodePathValue(argument: string, value: Json): Outcome<string> {
  const parts = Array.isArray(value) ? value : [value];
  if (parts.some((part) => part !== null && typeof part === "object")) {
    return { ok: false, message: `${argument} is part of the address: send text or a number.` };
  }
  const text = parts.map((part) => String(part ?? "")).join(",");
  if (text.trim() === "") {
    return { ok: false, message: `${argument} is part of the address and must not be empty. Send a value.` };
  }
  if (hasDotSegment(text)) {
    return { ok: false, message: `${argument} must not contain the path segments "." or "..". Send the plain value.` };
  }
  if (!text.isWellFormed()) return { ok: false, message: `${argument} is not well-formed text.` };
  return { ok: true, value: parts.map((part) => encodeURIComponent(String(part))).join(",") };
}

function hasDotSegment(text: string): boolean {
  const plain = text.replaceAll(/%(?:25)*2e/gi, ".").replaceAll(/%(?:25)*(?:2f|5c)/gi, "/");
  return plain.split(/[/\\]/).some((segment) => [".", ".."].includes(segment.trim()));
}
