import type { EmbeddingModel, EmbeddingRequest } from "@weft/engine";
import { WeftError } from "@weft/schema";

export type BackoffOptions = {
  /** Resolves after the time, or rejects with the signal's reason. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to 1, to keep many clients from coming back at once. Default: half. */
  random?(): number;
  /** Default 6. */
  maxAttempts?: number;
};

/** The first pause; each further one is twice as long, up to the longest. */
const firstPauseMs = 1_000;
const longestPauseMs = 60_000;

/**
 * One request, made again while it fails in a way that passes by waiting: as long as the vendor says (Retry-After), else
 * 1, 2, 4 … seconds, each shortened by up to a half at random. A vendor that asks for more than 60 seconds is not waited
 * for. Rejects with the last failure, or with the signal's reason.
 */
export async function embedWithBackoff(
  model: EmbeddingModel,
  request: EmbeddingRequest,
  { sleep, random = () => 0.5, maxAttempts = 6 }: BackoffOptions,
): Promise<Float32Array[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await model.embed(request);
    } catch (error) {
      request.signal.throwIfAborted();
      const pauseMs = findPause(error, attempt, random);
      if (pauseMs === undefined || attempt >= maxAttempts) throw error;
      await sleep(pauseMs, request.signal);
    }
  }
}

/** Undefined: waiting does not help. */
function findPause(error: unknown, attempt: number, random: () => number): number | undefined {
  if (!(error instanceof WeftError) || !error.retryable) return undefined;
  const asked = error.upstream?.retryAfterSeconds;
  if (asked !== undefined) return asked * 1_000 > longestPauseMs ? undefined : asked * 1_000;
  return Math.min(longestPauseMs, firstPauseMs * 2 ** (attempt - 1)) * (1 - random() / 2);
}
