import { WeftError } from "@weft/schema";

export type TimeLimit = {
  /** Of what is waited for, as the message says it. */
  name: string;
  limitMs: number;
  signal: AbortSignal;
};

/**
 * Does the work with a signal that aborts with the given one, or when the time is up. Rejects with the signal's reason,
 * or with `egress-timeout`.
 */
export async function withinTime<T>(
  { name, limitMs, signal }: TimeLimit,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const controller = new AbortController();
  const forward = () => controller.abort(signal.reason);
  const expire = () => controller.abort(new WeftError("egress-timeout", { params: { url: name, limitMs } }));
  const timer = setTimeout(expire, limitMs);
  signal.addEventListener("abort", forward, { once: true });
  try {
    return await work(controller.signal);
  } catch (cause) {
    throw controller.signal.aborted ? controller.signal.reason : cause;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", forward);
  }
}
