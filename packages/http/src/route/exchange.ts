import type { Route } from "./define-route.ts";
import type { Visit } from "./gate.ts";

/** What is known of a request beside what a `Request` can hold. */
export type Connection = {
  /** Address of the peer. */
  remoteAddress?: string | undefined;
  /** The body of a GET. */
  bodyOfGet?: ReadableStream<Uint8Array> | undefined;
};

/** One request on its way: what every stage needs, and what they leave for the answer. */
export type Exchange = {
  readonly request: Request;
  readonly connection: Connection;
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly path: string;
  /** Undefined when no route was found. */
  readonly route?: Route;
  /** For requests of chat clients. */
  visit?: Visit | undefined;
  /** Headers of the answer, whatever it will be. */
  readonly headers: Record<string, string>;
};
