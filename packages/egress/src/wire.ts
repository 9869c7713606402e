import { Readable } from "node:stream";
import type { Agent, Dispatcher } from "undici";
import type { AnswerTurns } from "./answer-turns.ts";
import type { ResponseHeaders } from "./destination.ts";

/** One request as sent. Header names are lower case. */
export type Hop = {
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body?: string | Uint8Array | Readable;
};

/** A received answer, headers unchanged. */
export type Received<Body> = { statusCode: number; statusText: string; headers: ResponseHeaders; body: Body };

/** Receives a body as it arrives. Nothing follows `end` or `error`. */
export type Sink = { data(piece: Buffer): void; end(): void; error(error: unknown): void };

/**
 * A push-based body. `pipe` is called once: the sink gets what has already arrived at once, and the rest in the tick in
 * which its bytes arrive. Before `pipe` and between `pause` and `resume` little more is read from the connection.
 * `abort` ends the exchange and its connection; the sink is not called any more.
 */
export type WireBody = { pipe(sink: Sink): void; pause(): void; resume(): void; abort(): void };

/** Most bytes buffered of a body that nothing reads yet; the connection pauses above it. */
const maxHeldBytes = 64 * 1024;

export type Wire = { agent: Agent; turns: AnswerTurns };

/**
 * Sends a request and resolves with its answer, without a stream object in between. Aborting rejects at once with the
 * signal's reason, or ends the body with it. Rejects with undici's error.
 */
export function sendOnWire({ agent, turns }: Wire, hop: Hop, signal: AbortSignal): Promise<Received<WireBody>> {
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      if (hop.body instanceof Readable) hop.body.destroy();
      reject(error);
    };
    if (signal.aborted) fail(signal.reason);
    else agent.dispatch(toDispatch(hop), createHandler({ resolve, reject: fail, signal }, turns));
  });
}

/** A request in undici's format. */
function toDispatch({ url, method, headers, body }: Hop): Dispatcher.DispatchOptions {
  return { origin: url.origin, path: url.pathname + url.search, method, headers, body: body ?? null };
}

/** Whoever waits for the head of an answer. */
type Waiting = { resolve(answer: Received<WireBody>): void; reject(error: unknown): void; signal: AbortSignal };

function createHandler({ resolve, reject, signal }: Waiting, turns: AnswerTurns): Dispatcher.DispatchHandler {
  const held: Buffer[] = [];
  let heldBytes = 0;
  let controller: Dispatcher.DispatchController | undefined;
  let isPaused = false;
  let sink: Sink | undefined;
  let outcome: { error?: unknown } | undefined;

  function finish(result: { error?: unknown }): void {
    outcome ??= result;
    signal.removeEventListener("abort", onAbort);
    tell();
  }

  function tell(): void {
    if (sink === undefined || outcome === undefined) return;
    const told = sink;
    sink = undefined;
    if ("error" in outcome) told.error(outcome.error);
    else told.end();
  }

  /** The caller need not wait until undici has noticed. */
  function onAbort(): void {
    finish({ error: signal.reason });
    reject(signal.reason);
    controller?.abort(new Error("aborted"));
  }

  const body: WireBody = {
    pipe(next) {
      sink = next;
      for (const piece of held.splice(0)) if (sink === next) next.data(piece);
      tell();
      if (!isPaused) controller?.resume();
    },
    pause() {
      isPaused = true;
      controller?.pause();
    },
    resume() {
      isPaused = false;
      controller?.resume();
    },
    abort() {
      sink = undefined;
      finish({});
      controller?.abort(new Error("left"));
    },
  };

  signal.addEventListener("abort", onAbort, { once: true });
  return {
    onRequestStart(started) {
      controller = started;
      if (outcome !== undefined) started.abort(new Error("aborted"));
    },
    onResponseStart(_controller, statusCode, headers, statusText = "") {
      if (statusCode >= 200) turns.take(() => resolve({ statusCode, statusText, headers, body }));
    },
    onResponseData(_controller, piece) {
      // Resuming creates empty pieces of its own; a sink that pauses at each would request them forever.
      if (outcome !== undefined || piece.byteLength === 0) return;
      if (sink !== undefined) return sink.data(piece);
      held.push(piece);
      heldBytes += piece.byteLength;
      if (heldBytes > maxHeldBytes) controller?.pause();
    },
    onResponseEnd: () => finish({}),
    onResponseError(_controller, error) {
      finish({ error });
      reject(error);
    },
  };
}
