export type RetryPause = {
  /** Retries made before. */
  retries: number;
  /** What the called service asks for. */
  retryAfterSeconds: number | undefined;
  /** Spreads the pauses of many callers; the same seed gives the same pause. */
  seed: string;
};

const firstPauseMs = 500;

/**
 * The pause before a retry: half a second, doubled with every retry and shortened by up to a half, so that callers that
 * failed together do not come back together; never shorter than the called service asks for.
 */
export function retryPauseMs({ retries, retryAfterSeconds = 0, seed }: RetryPause): number {
  const growing = firstPauseMs * 2 ** retries * (1 - fractionOf(`${seed}/${retries}`) / 2);
  return Math.ceil(Math.max(retryAfterSeconds * 1_000, growing));
}

/** FNV-1a, from 0 up to 1. */
function fractionOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return (hash >>> 0) / 2 ** 32;
}
