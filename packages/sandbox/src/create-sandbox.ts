import type { Sandbox, SandboxCall, SandboxResult } from "@weft/engine";
import type { Json } from "@weft/schema";
import { createFetchBroker, type FetchBroker } from "./fetch-broker.ts";
import { type SandboxLimits, standardLimits } from "./limits.ts";
import { failedOutcome, timeoutOutcome } from "./outcome.ts";
import type { FetchedMessage, RunMessage } from "./protocol.ts";
import { type RunEnd, runOnWorker } from "./run-on-worker.ts";
import { createWorkerPool } from "./worker-pool.ts";

export type SandboxOptions = {
  /** Runs at the same time, each on a thread of its own; further ones wait. Default 4. */
  workers?: number;
  /** Of one worker's interpreter, everything included. Default 64 MiB, at least 17 MiB. */
  memoryLimitBytes?: number;
  /** Where a call names none. Default 10,000. */
  timeoutMs?: number;
  /** How long an unused worker is kept. Default 30,000. */
  idleMs?: number;
  limits?: Partial<SandboxLimits>;
};

/**
 * Runs user code in QuickJS compiled to WebAssembly, in a worker thread, in a new runtime per call.
 * The code reaches nothing but the language, the call's globals, `console` and a brokered `fetch`.
 * `run` resolves with the code's own errors, a `TimeoutError` and limits exceeded (`RangeError`, `SandboxError`), and
 * rejects with the signal's reason, or when no worker can be started. Time spent waiting for a worker does not count.
 * Nothing is started before the first call.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox & { close(): Promise<void> } {
  const limits = { ...standardLimits, ...options.limits };
  const pool = createWorkerPool({
    size: options.workers ?? 4,
    idleMs: options.idleMs ?? 30_000,
    settings: { memoryLimitBytes: options.memoryLimitBytes ?? 64 * 1024 * 1024 },
  });
  let calls = 0;
  return {
    async run(call) {
      calls += 1;
      const run = toRunMessage(calls, call, { limits, timeoutMs: call.timeoutMs ?? options.timeoutMs ?? 10_000 });
      const worker = await pool.acquire(call.signal);
      const broker = createBroker(call, run, (message) => worker.postMessage(message));
      const end = await runOnWorker(worker, run, {
        signal: call.signal,
        onFetch: (message) => broker?.fetch(message),
      });
      broker?.end();
      if (end.kind === "done" && !end.message.isSpent) pool.release(worker);
      else pool.discard(worker);
      if (end.kind === "aborted") throw call.signal.reason;
      return toResult(end, run);
    },
    close: pool.close,
  };
}

function toRunMessage(callId: number, call: SandboxCall, rest: Pick<RunMessage, "limits" | "timeoutMs">): RunMessage {
  const { code, globals, http } = call;
  return { type: "run", callId, code, globals, hasFetch: http !== undefined, ...rest };
}

function createBroker(call: SandboxCall, run: RunMessage, reply: (message: FetchedMessage) => void) {
  if (call.http === undefined) return undefined;
  const { timeoutMs, limits } = run;
  const broker: FetchBroker = createFetchBroker({ http: call.http, maxBytes: limits.fetchBytes, timeoutMs, reply });
  return broker;
}

function toResult(end: Exclude<RunEnd, { kind: "aborted" }>, run: RunMessage): SandboxResult {
  if (end.kind === "overrun") return { ...timeoutOutcome(run.timeoutMs), logs: [] };
  if (end.kind === "died") return { ...failedOutcome("SandboxError", brokenMessage), logs: [] };
  const { outcome, logs } = end.message;
  if (!outcome.ok) return { ...outcome, logs };
  const value = parseValue(outcome.valueText);
  return value === undefined
    ? { ...failedOutcome("SandboxError", "The result is not JSON."), logs }
    : { ok: true, value, logs };
}

const brokenMessage = "The sandbox ended before the code did: it used too much memory, or the server is stopping.";

/** A key `__proto__` is dropped: whoever copies the value by assignment would set a prototype. */
function parseValue(text: string): Json | undefined {
  try {
    if (!/__proto__|\\u/.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value: Json) => (key === "__proto__" ? undefined : value));
  } catch {
    return undefined;
  }
}
