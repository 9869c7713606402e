export type FetcherOptions = {
  /** Makes the call outside; the answer comes through `settle`. */
  send(fetchId: number, requestJson: string): void;
  fetchCalls: number;
  fetchBytes: number;
};

export type Fetcher = {
  fetch(url: unknown, init?: Record<string, unknown> | null): Promise<unknown>;
  /** Answers a `fetch` with JSON of a `FetchAnswer`, or, when not ok, of a sentence. */
  settle(fetchId: number, ok: boolean, json: string): void;
};

type Answer = { status: number; headers: Record<string, string>; body: string };
type Waiting = { resolve(value: unknown): void; reject(error: unknown): void };

/** Runs inside QuickJS, from its source text: it may refer to nothing outside itself. */
export function createFetcher({ send, fetchCalls, fetchBytes }: FetcherOptions): Fetcher {
  const { parse, stringify } = JSON;
  const { hasOwn, entries, keys } = Object;
  const waiting: (Waiting | undefined)[] = [];

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
    const json = stringify({ url: String(url), method, headers, body });
    if (json.length > fetchBytes) throw new TypeError(`A request may have ${fetchBytes} bytes at most.`);
    return json;
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

  const fetch: Fetcher["fetch"] = async (url, init) => {
    const json = toRequestJson(url, init ?? {});
    if (waiting.length >= fetchCalls) throw new Error(`The code may call fetch ${fetchCalls} times at most.`);
    return new Promise((resolve, reject) => {
      waiting[waiting.length] = { resolve, reject };
      send(waiting.length - 1, json);
    });
  };
  return {
    fetch,
    settle(fetchId, ok, json) {
      const call = waiting[fetchId];
      waiting[fetchId] = undefined;
      if (ok) call?.resolve(toResponse(parse(json)));
      else call?.reject(new TypeError(parse(json)));
    },
  };
}
