import type { FileReceiver } from "../body/read-multipart-body.ts";
import type { Route } from "./define-route.ts";
import type { Visit } from "./gate.ts";
import type { Identity } from "./identity.ts";

/** Facts about a request that a `Request` cannot hold. */
export type Connection = {
  remoteAddress?: string | undefined;
  bodyOfGet?: ReadableStream<Uint8Array> | undefined;
};

/** A request in progress: the input of every stage, and what they leave for the answer. */
export type Exchange = {
  readonly request: Request;
  readonly connection: Connection;
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly path: string;
  /** Undefined if no route was found. */
  readonly route?: Route;
  /** For requests of chat clients. */
  visit?: Visit | undefined;
  /** Who has proved to be the sender, even if the request is refused. */
  caller?: Identity | undefined;
  /** Takes the files of a form, if the route keeps them elsewhere than in memory. */
  receiver?: FileReceiver | undefined;
  /** Headers of the answer, whatever it will be. */
  readonly headers: Record<string, string>;
};
