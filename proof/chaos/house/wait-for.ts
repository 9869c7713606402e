import { type Client, NoAnswerError } from "./client.ts";

/** The pause before a callback is tried again grows: after a fault that may be a minute. */
const patienceMs = 90_000;

/** Probes until there is a value. Rejects with `NoAnswerError` after 90 s; `problem` says what was waited for. */
export async function waitFor<T>(client: Client, probe: () => Promise<T | undefined>, problem: string): Promise<T> {
  const until = performance.now() + patienceMs;
  while (performance.now() < until) {
    const value = await probe();
    if (value !== undefined) return value;
    await client.pause(200);
  }
  throw new NoAnswerError(`${problem} after ${patienceMs / 1_000} s.`);
}
