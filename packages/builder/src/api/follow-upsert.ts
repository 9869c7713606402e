import type { UpsertJob } from "@weft/client";
import { client, isApiError } from "./client.ts";

/** Waits before attempts to reconnect; the last is repeated. */
const waitsMs: readonly number[] = [0, 250, 1_000, 2_000, 4_000];

/**
 * An upsert again and again, as it goes on, until it is over; across broken connections. Rejects when the API refuses,
 * and with the signal's reason.
 */
export async function* followUpsert(id: string, signal: AbortSignal): AsyncGenerator<UpsertJob, void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      for await (const { event, data } of await client.streamUpsert({ id }, { signal })) {
        if (event === "end") return;
        attempt = 0;
        yield data as UpsertJob;
      }
    } catch (error) {
      signal.throwIfAborted();
      if (isApiError(error) && !error.retryable && error.status < 500) throw error;
    }
    await pause(waitsMs[Math.min(attempt, waitsMs.length - 1)] ?? 0, signal);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    });
  });
}
