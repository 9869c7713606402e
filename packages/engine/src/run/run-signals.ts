import { WeftError } from "@weft/schema";

/** How a run in this process is ended from outside. */
export type RunSignals = {
  /** Aborted by a cancel, a limit, or a journal that cannot be written. */
  readonly signal: AbortSignal;
  /** Aborted when no further step shall begin. */
  readonly stopping: AbortSignal;
  /** Aborted with either of both. */
  readonly readSignal: AbortSignal;
  abort(reason: unknown): void;
  stop(): void;
};

/**
 * Plain controllers instead of `AbortSignal.any`: the runtime keeps a combined signal that somebody listens to until it
 * is aborted, and with it everything that the listeners hold. Most runs are never aborted.
 */
export function createRunSignals(): RunSignals {
  const aborted = new AbortController();
  const stopping = new AbortController();
  const reading = new AbortController();
  return {
    signal: aborted.signal,
    stopping: stopping.signal,
    readSignal: reading.signal,
    abort(reason) {
      aborted.abort(reason);
      reading.abort(reason);
    },
    stop() {
      const reason = new WeftError("shutting-down");
      stopping.abort(reason);
      reading.abort(reason);
    },
  };
}

/** A signal that follows another until it is released, and can be aborted on its own. */
type LinkedSignal = { readonly signal: AbortSignal; abort(reason: unknown): void; release(): void };

export function linkSignal(parent: AbortSignal): LinkedSignal {
  const controller = new AbortController();
  const forward = () => controller.abort(parent.reason);
  if (parent.aborted) forward();
  parent.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    abort: (reason) => controller.abort(reason),
    release: () => parent.removeEventListener("abort", forward),
  };
}
