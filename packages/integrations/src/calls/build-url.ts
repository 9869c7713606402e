import type { Json } from "@weft/schema";
import { hasPlace, placePattern } from "./parameter-schema.ts";
import type { Outcome } from "./tool-name.ts";
import { encodePathValue } from "./url-values.ts";

/** A path parameter and its value; null when it was left out. */
export type PathValue = { argument: string; name: string; value: Json };

/** An address, and the same as traces may show it: without credentials and without the query values of the settings. */
export type CallUrl = { url: string; shownUrl: string };

/**
 * Puts the values into the address: path values replace `{name}` or `:name`, else are appended in order; query values
 * are added. What the configured address itself says in its query cannot be changed by a value.
 * An optional path value that is missing shortens the address when its place is the last segment.
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

/** Adds query values to an address whose own query stays as it is. */
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

/** The path without its last segment when that is the place of `name` and nothing else. */
function dropLastSegment(path: string, name: string): string | undefined {
  const end = path.lastIndexOf("/");
  const rest = path.slice(end + 1).replace(placePattern(name), "");
  if (end < 0 || rest !== "" || placePattern(name).test(path.slice(0, end))) return undefined;
  return path.slice(0, end);
}
