import type { Place } from "@weft/workers";
import { assertIfMatch, toEtag } from "../answer/etag.ts";
import { toText } from "../answer/to-response.ts";
import { assertUncompressed, readBodyBytes } from "../body/read-body-bytes.ts";
import type { HttpMethod, Route, RouteRequest } from "./define-route.ts";
import type { Identity } from "./identity.ts";

/** The parts of a request after authorisation and validation. */
export type Parsed = {
  identity: Identity | undefined;
  params: unknown;
  query: unknown;
  body: unknown;
  place: Place | undefined;
  newId?: string | undefined;
};
type Source = {
  request: Request;
  requestId: string;
  clientAddress(): string;
  route: Route;
  /** The server's. */
  bodyLimitBytes: number;
  parsed: Parsed;
};

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
  readonly newId: string | undefined;
  readonly place: Place | undefined;
  readonly requestId: string;
  readonly assertMatches: (current: unknown) => void;
  readonly readBytes: () => Promise<Uint8Array<ArrayBuffer>>;
  readonly #request: Request;
  readonly #clientAddress: () => string;

  constructor({ request, requestId, clientAddress, route, bodyLimitBytes, parsed }: Source) {
    this.identity = parsed.identity;
    this.params = parsed.params;
    this.query = parsed.query;
    this.body = parsed.body;
    this.newId = parsed.newId;
    this.place = parsed.place;
    this.requestId = requestId;
    this.#request = request;
    this.#clientAddress = clientAddress;
    this.readBytes = async () => {
      assertUncompressed(request.headers);
      return readBodyBytes(request, Math.min(bodyLimitBytes, route.bodyLimitBytes ?? bodyLimitBytes));
    };
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

  get clientAddress(): string {
    return this.#clientAddress();
  }

  get url(): URL {
    return new URL(this.#request.url);
  }

  get signal(): AbortSignal {
    return this.#request.signal;
  }
}
