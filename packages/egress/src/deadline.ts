/** A signal that aborts after `ms` or with another signal, whichever is first. `end` must be called: it frees both. */
export type Deadline = { signal: AbortSignal; end(): void };

/**
 * Like `AbortSignal.any([signal, AbortSignal.timeout(ms)])`, without leaving a listener on a long-lived signal.
 * `createReason` makes the reason of a timeout.
 */
export function startDeadline(ms: number, signal: AbortSignal | undefined, createReason: () => unknown): Deadline {
  const controller = new AbortController();
  const forward = () => controller.abort(signal?.reason);
  // What it limits holds a connection, which keeps the process alive as long as it must.
  const timer = setTimeout(() => controller.abort(createReason()), ms).unref();
  signal?.addEventListener("abort", forward, { once: true });
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", forward);
    },
  };
}
