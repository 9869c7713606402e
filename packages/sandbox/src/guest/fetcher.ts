import type { Asker } from "./asker.ts";

/** `fetch` as the standard has it, as far as text goes. */
export type Fetch = (url: unknown, init?: Record<string, unknown> | null) => Promise<unknown>;

type Answer = { status: number; headers: Record<string, string>; body: string };

/** Runs inside QuickJS, from its source text: it may refer to nothing outside itself. */
export function createFetcher(ask: Asker["ask"]): Fetch {
  const { parse, stringify } = JSON;
  const { hasOwn, entries, keys } = Object;

  const toHeaders = (given: unknown) => {
    const headers: Record<string, string> = {};
    const pairs = Array.isArray(given) ? given : entries(given ?? {});
    for (const [name, value] of pairs) headers[String(name)] = String(value);
    return headers;
  };

  const toRequestJson = (url: unknown, init: Record<string, unknown>) => {
    const headers = toHeaders(init.headers);
    const isForm = Object.prototype.toString.call(init.body) === "[object URLSearchParams]";
    const body = isForm ? String(init.body) : (init.body ?? undefined);
    if (isForm && !keys(headers).some((name) => name.toLowerCase() === "content-type")) {
      headers["content-type"] = "application/x-www-form-urlencoded;charset=UTF-8";
    }
    if (body !== undefined && typeof body !== "string") {
      throw new TypeError("fetch takes a string as body: use JSON.stringify.");
    }
    const method = String(init.method ?? "GET");
    return stringify({ url: String(url), method, headers, body });
  };

  const toResponse = ({ headers, body, ...rest }: Answer) => {
    const get = (name: unknown) => {
      const lower = String(name).toLowerCase();
      return hasOwn(headers, lower) ? headers[lower] : null;
    };
    return {
      ...rest,
      ok: rest.status >= 200 && rest.status < 300,
      headers: { get, has: (name: unknown) => get(name) !== null, entries: () => entries(headers) },
      text: async () => body,
      json: async () => parse(body),
    };
  };

  return async (url, init) => toResponse((await ask("fetch", toRequestJson(url, init ?? {}))) as Answer);
}
