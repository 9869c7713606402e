import type { Worker } from "node:worker_threads";
import type { DoneMessage, FetchMessage, FromWorker, RunMessage } from "./protocol.ts";

export type RunEnd =
  | { kind: "done"; message: DoneMessage }
  /** The worker did not keep the deadline itself: native code of the interpreter ran on. */
  | { kind: "overrun" }
  | { kind: "aborted" }
  | { kind: "died" };

export type RunOptions = { signal: AbortSignal; onFetch(message: FetchMessage): void };

/** Has a worker do one run and tells how it ended. Unless it is `done`, the worker must be discarded. */
export async function runOnWorker(worker: Worker, run: RunMessage, options: RunOptions): Promise<RunEnd> {
  const { promise, resolve } = Promise.withResolvers<RunEnd>();
  const receive = (message: FromWorker) => {
    if (message.type === "ready" || message.callId !== run.callId) return;
    if (message.type === "done") resolve({ kind: "done", message });
    else options.onFetch(message);
  };
  const abort = () => resolve({ kind: "aborted" });
  const die = () => resolve({ kind: "died" });
  const timer = setTimeout(() => resolve({ kind: "overrun" }), run.timeoutMs + graceMs);
  worker.on("message", receive).once("exit", die);
  options.signal.addEventListener("abort", abort, { once: true });
  if (options.signal.aborted) abort();
  else worker.postMessage(run);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    worker.off("message", receive).off("exit", die);
    options.signal.removeEventListener("abort", abort);
  }
}

/** How long a worker may take to notice its deadline. */
const graceMs = 250;
