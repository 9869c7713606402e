import type { HttpMethod, Route, RouteRequest } from "./define-route.ts";
import { assertIfMatch, toEtag } from "./etag.ts";
import type { Identity } from "./identity.ts";
import { toText } from "./to-response.ts";

type Parsed = { identity: Identity | undefined; params: unknown; query: unknown; body: unknown };
type Source = { request: Request; requestId: string; route: Route; parsed: Parsed };

/** What a handler gets of a request. */
export function createRouteRequest(source: Source): Parameters<Route["handle"]>[0] {
  return new ParsedRequest(source) as Parameters<Route["handle"]>[0];
}

/** A class, because `url` and `signal` are costly and made when they are asked for: most handlers never do. */
class ParsedRequest implements RouteRequest {
  readonly identity: Identity | undefined;
  readonly params: unknown;
  readonly query: unknown;
  readonly body: unknown;
  readonly requestId: string;
  readonly assertMatches: (current: unknown) => void;
  readonly #request: Request;

  constructor({ request, requestId, route, parsed }: Source) {
    this.identity = parsed.identity;
    this.params = parsed.params;
    this.query = parsed.query;
    this.body = parsed.body;
    this.requestId = requestId;
    this.#request = request;
    this.assertMatches = (current) => {
      const toCurrentEtag = () => (route.returns === null ? "" : toEtag(toText(route.returns, current)));
      assertIfMatch(request.headers.get("if-match"), toCurrentEtag);
    };
  }

  get method(): HttpMethod | "HEAD" {
    return this.#request.method as HttpMethod | "HEAD";
  }

  get headers(): Headers {
    return this.#request.headers;
  }

  get url(): URL {
    return new URL(this.#request.url);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
