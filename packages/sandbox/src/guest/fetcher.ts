import type { FetchAnswer } from "../protocol.ts";
import type { Asker } from "./asker.ts";

/** The text-only subset of standard `fetch`. */
export type Fetch = (url: unknown, init?: Init | null) => Promise<Response>;

type Init = { signal?: Signal; [name: string]: unknown };
type Signal = { aborted: boolean; reason: unknown; addEventListener(name: string, listener: () => void): void };
type Response = {
  status: number;
  statusText: string;
  headers: { entries(): [string, string][] };
  text(): Promise<string>;
};

/** Runs inside QuickJS, from its source text: it may refer to nothing outside itself. */
export function createFetcher(ask: Asker["ask"]): Fetch {
  const { parse, stringify } = JSON;
  const { hasOwn, entries, keys } = Object;

  const isIterable = (given: unknown): given is Iterable<[unknown, unknown]> =>
    typeof given === "object" && given !== null && Symbol.iterator in given;
  const toHeaders = (given: unknown) => {
    const headers: Record<string, string> = {};
    const pairs = isIterable(given) ? Array.from(given) : entries(given ?? {});
    for (const [name, value] of pairs) headers[String(name)] = String(value);
    return headers;
  };

  const quoted = (name: string) => name.replace(/\r?\n|\r/g, "%0D%0A").replace(/"/g, "%22");
  const toMultipart = (fields: Iterable<[string, string]>, boundary: string) => {
    let text = "";
    for (const [name, value] of fields) {
      text += `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`;
    }
    return `${text}--${boundary}--\r\n`;
  };

  const toRequestJson = (url: unknown, init: Init) => {
    const headers = toHeaders(init.headers);
    const kind = Object.prototype.toString.call(init.body);
    const hasType = keys(headers).some((name) => name.toLowerCase() === "content-type");
    let body = init.body ?? undefined;
    if (kind === "[object URLSearchParams]") {
      body = String(init.body);
      if (!hasType) headers["content-type"] = "application/x-www-form-urlencoded;charset=UTF-8";
    } else if (kind === "[object FormData]") {
      const boundary = `----form-${String(Math.random()).slice(2)}`;
      body = toMultipart(init.body as Iterable<[string, string]>, boundary);
      headers["content-type"] = `multipart/form-data; boundary=${boundary}`;
    }
    if (body !== undefined && typeof body !== "string") {
      throw new TypeError("fetch takes a string as body: use JSON.stringify.");
    }
    const method = String(init.method ?? "GET");
    return stringify({ url: String(url), method, headers, body });
  };

  const toResponse = ({ headers, body, ...rest }: FetchAnswer) => {
    const get = (name: unknown) => {
      const lower = String(name).toLowerCase();
      return hasOwn(headers, lower) ? headers[lower] : null;
    };
    return {
      ...rest,
      ok: rest.status >= 200 && rest.status < 300,
      headers: {
        get,
        has: (name: unknown) => get(name) !== null,
        entries: () => entries(headers),
        keys: () => keys(headers),
        values: () => keys(headers).map(get),
        forEach: (visit: (value: unknown, name: string) => void) => {
          for (const name of keys(headers)) visit(get(name), name);
        },
        [Symbol.iterator]: () => entries(headers)[Symbol.iterator](),
      },
      text: async () => body,
      json: async () => parse(body),
    };
  };

  const untilAborted = (signal: Signal) =>
    new Promise<never>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

  return async (url, init) => {
    const signal = init?.signal;
    if (signal?.aborted) throw signal.reason;
    const answer = ask("fetch", toRequestJson(url, init ?? {}));
    return toResponse(await (signal ? Promise.race([answer, untilAborted(signal)]) : answer));
  };
}
