import type { ServerResponse } from "node:http";
import type { Reply } from "./open-service.ts";

/** A service that answers nobody until it is told to, and then everybody at once. */
export type Holding = {
  reply: Reply;
  /** How many requests wait. */
  count(): number;
  /** Resolves when one waits. */
  begun(): Promise<void>;
  letGo(): void;
};

export function holdAnswers(): Holding {
  const waiting: ServerResponse[] = [];
  let isOver = false;
  return {
    reply(_, response) {
      if (isOver) response.end("{}");
      else waiting.push(response);
    },
    count: () => waiting.length,
    async begun() {
      while (waiting.length === 0) await pause(10);
    },
    letGo() {
      isOver = true;
      for (const response of waiting.splice(0)) response.end("{}");
    },
  };
}

/** Resolves with what the call gave, and how long it took. */
export async function timed<T>(call: () => Promise<T>): Promise<{ value: T; tookMs: number }> {
  const startedAt = performance.now();
  return { value: await call(), tookMs: performance.now() - startedAt };
}

/** Another caller waited longer than allowed. On a shared machine that is measured again. */
export class TooSlowError extends Error {
  constructor(tookMs: number, limitMs: number) {
    super(`It took ${tookMs.toFixed(0)} ms, and should take ${limitMs} ms at most.`);
    this.name = "TooSlowError";
  }
}

/** Throws `TooSlowError` beyond the limit. */
export function assertQuick(tookMs: number, limitMs: number): void {
  if (tookMs > limitMs) throw new TooSlowError(tookMs, limitMs);
}

export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
