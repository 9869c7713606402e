import type { Share } from "@weft/schema";
import { createPlaces, keyOf } from "./places.ts";

export type ShareQueue<Q, T> = {
  /**
   * A place in line. Rejects with the signal's reason, and with `fullError` if the line or the share's part of it is
   * full.
   */
  wait(request: Q): Promise<T>;
  /**
   * Visits the shares in turn while one of them is served: the first request of each for which `give` returns
   * something.
   */
  serve(give: (request: Q) => T | undefined): void;
  rejectAll(error: Error): void;
  /** Number of requests in all lines. */
  waiting(): number;
};

type Waiting<Q, T> = { request: Q; resolve(value: T): void; reject(error: unknown): void };

/** Lines of shares that take turns; within a share first come, first served. */
export function createShareQueue<Q extends { share: Share; signal: AbortSignal }, T>(options: {
  maxWaiting: number;
  fullError(): Error;
}): ShareQueue<Q, T> {
  const places = createPlaces({ total: options.maxWaiting });
  /** In the order of their turns. */
  const lines = new Map<string, Set<Waiting<Q, T>>>();

  function remove(waiting: Waiting<Q, T>): void {
    const key = keyOf(waiting.request.share);
    const line = lines.get(key);
    if (!line?.delete(waiting)) return;
    places.give(waiting.request.share);
    if (line.size === 0) lines.delete(key);
  }

  function toEnd(key: string): void {
    const line = lines.get(key);
    if (!line) return;
    lines.delete(key);
    lines.set(key, line);
  }

  function serveOne(give: (request: Q) => T | undefined): boolean {
    for (const [key, [first]] of lines) {
      const given = first && give(first.request);
      if (!first || given === undefined) continue;
      remove(first);
      toEnd(key);
      first.resolve(given);
      return true;
    }
    return false;
  }

  return {
    waiting: () => [...lines.values()].reduce((sum, line) => sum + line.size, 0),
    async wait(request) {
      const { share, signal } = request;
      const { promise, resolve, reject } = Promise.withResolvers<T>();
      if (!places.take(share)) throw options.fullError();
      const waiting: Waiting<Q, T> = { request, resolve, reject };
      const line = lines.get(keyOf(share)) ?? new Set();
      lines.set(keyOf(share), line.add(waiting));
      const leave = () => {
        remove(waiting);
        reject(signal.reason);
      };
      signal.addEventListener("abort", leave, { once: true });
      return promise.finally(() => signal.removeEventListener("abort", leave));
    },
    serve(give) {
      while (serveOne(give));
    },
    rejectAll(error) {
      for (const line of [...lines.values()]) {
        for (const waiting of [...line]) {
          remove(waiting);
          waiting.reject(error);
        }
      }
    },
  };
}
