import type { HttpClient } from "@weft/engine/ports/http-client";

/** Most concurrent requests to one host, over a run and all that it starts here. */
export const requestsAtOnce = 16;

type Line = { underWay: number; waiting: Set<() => void> };

/** Queues a run's requests to a host while its others to that host are in progress, first come, first served. */
export function createHostLines(): (rootRunId: string, client: HttpClient) => HttpClient {
  /** By run and host; removed when nothing is in progress. */
  const lines = new Map<string, Line>();

  function enter(key: string, signal: AbortSignal | undefined): Promise<void> | undefined {
    const line = lines.get(key) ?? { underWay: 0, waiting: new Set() };
    lines.set(key, line);
    if (line.underWay < requestsAtOnce) {
      line.underWay += 1;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const begin = () => {
        line.waiting.delete(begin);
        signal?.removeEventListener("abort", giveUp);
        resolve();
      };
      const giveUp = () => {
        line.waiting.delete(begin);
        reject(signal?.reason);
      };
      line.waiting.add(begin);
      signal?.addEventListener("abort", giveUp, { once: true });
    });
  }

  /** Passes the place on, or frees it. */
  function leave(key: string): void {
    const line = lines.get(key);
    const [next] = line?.waiting ?? [];
    if (next !== undefined) next();
    else if (line?.underWay === 1) lines.delete(key);
    else if (line !== undefined) line.underWay -= 1;
  }

  return (rootRunId, client) => ({
    async request(request) {
      request.signal?.throwIfAborted();
      const key = `${rootRunId} ${URL.canParse(request.url) ? new URL(request.url).host : ""}`;
      await enter(key, request.signal);
      try {
        return await client.request(request);
      } finally {
        leave(key);
      }
    },
  });
}
