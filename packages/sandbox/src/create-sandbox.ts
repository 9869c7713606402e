import { Worker } from "node:worker_threads";
import type { HttpClient } from "@weft/engine/ports/http-client";
import type { Sandbox, SandboxCall, SandboxResult } from "@weft/engine/ports/sandbox";
import { type Json, noShare, WeftError } from "@weft/schema";
import { createWorkerPool, type Seat, threadEnvironment } from "@weft/workers";
import { answerQueries } from "./answer-queries.ts";
import { type Answering, AskError, type Broker, createBroker } from "./broker.ts";
import { type SandboxLimits, standardLimits } from "./limits.ts";
import { failedOutcome, timeoutOutcome } from "./outcome.ts";
import type {
  AnswerMessage,
  AskMessage,
  DoneMessage,
  FetchAnswer,
  FetchRequest,
  FromWorker,
  RunMessage,
  WorkerSettings,
} from "./protocol.ts";

export type SandboxOptions = {
  /** Threads. Code that waits for an answer leaves its thread to other calls of its share. Default 8. */
  workers?: number;
  /** Calls waiting for a thread; one more is refused, and so is more than its share. Default 2,000. */
  maxWaiting?: number;
  /** Of one call's interpreter, everything included. Default 64 MiB, at least 17 MiB. */
  memoryLimitBytes?: number;
  /** For calls that name none. Default 30,000. */
  timeoutMs?: number;
  /** Upper limit for a call's own timeout. Default 300,000. */
  maxTimeoutMs?: number;
  /** How long an unused worker is kept. Default 30,000. */
  idleMs?: number;
  limits?: Partial<SandboxLimits>;
};

/**
 * Runs user code in QuickJS compiled to WebAssembly, in worker threads, in an interpreter of its own per call.
 * The code reaches nothing but the language, the call's globals, `console`, and what a broker does for it: `fetch` and
 * statements to databases.
 * `run` resolves with the code's own errors, a `TimeoutError` and limits exceeded (`RangeError`, `SandboxError`), and
 * rejects with the signal's reason and `sandbox-at-capacity`. Time spent waiting for a thread does not count.
 * Nothing is started before the first call. Invariants:
 * - S1 A call that waits for an answer holds no thread.
 * - S2 Threads belong to shares (see `createWorkerPool`): what one call's code does to its thread delays the calls of
 *   its own share alone.
 * - S3 A call whose thread is ended by another one begins again by itself, once; nothing is asked for twice.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox & { waiting(): number; close(): Promise<void> } {
  const limits = { ...standardLimits, ...options.limits };
  const memoryLimitBytes = options.memoryLimitBytes ?? 64 * 1024 * 1024;
  const settings = { memoryLimitBytes, sharedBytes: 2 * memoryLimitBytes };
  const pool = createWorkerPool({
    size: options.workers ?? 8,
    callsPerWorker,
    maxWaiting: options.maxWaiting ?? 2_000,
    idleMs: options.idleMs ?? 30_000,
    start: () => createWorker(settings),
    fullError: () => new WeftError("sandbox-at-capacity", { params: { retryAfterSeconds: 5 } }),
    closedError: () => new Error("The sandbox is closed."),
  });
  const { timeoutMs: defaultTimeoutMs = 30_000, maxTimeoutMs = 300_000 } = options;
  const timeoutOf = (call: SandboxCall) => Math.min(call.timeoutMs ?? defaultTimeoutMs, maxTimeoutMs);
  let runs = 0;

  /** One attempt, in a thread. */
  async function attempt(call: SandboxCall, isAlone: boolean, broker: Broker): Promise<RunEnd> {
    const { share = noShare, signal } = call;
    const seat = await pool.take({ share, signal, isAlone });
    runs += 1;
    broker.begin();
    const run = toRunMessage(call, { callId: runs, limits, timeoutMs: timeoutOf(call), isGuest: seat.isGuest });
    return runOnSeat(seat, run, { signal, onAsk: broker.ask });
  }

  return {
    async run(call) {
      const { signal } = call;
      const timeoutMs = timeoutOf(call);
      const broker = createBroker(answeringFor(call, limits, timeoutMs));
      try {
        let end = await attempt(call, false, broker);
        if (mayRepeat(end)) end = await attempt(call, true, broker);
        if (end.kind === "aborted") throw signal.reason;
        return toResult(end, timeoutMs);
      } finally {
        broker.end();
      }
    },
    waiting: pool.waiting,
    close: pool.close,
  };
}

/** Of one thread, all but one of which wait for answers. */
const callsPerWorker = 16;

/** Whether the run was ended for the sake, or by the fault, of another one. */
function mayRepeat(end: RunEnd): boolean {
  return end.kind === "died" || (end.kind === "done" && end.message.isPreempted);
}

type Terms = Pick<RunMessage, "callId" | "limits" | "timeoutMs" | "isGuest">;

function toRunMessage({ code, globals, http, sql }: SandboxCall, terms: Terms): RunMessage {
  const has = { hasFetch: http !== undefined, hasDatabases: sql !== undefined };
  return { type: "run", code, globals, ...has, cancelled: new SharedArrayBuffer(4), ...terms };
}

/** Handlers for the requests that the code of one call may make. */
function answeringFor({ http, sql, share }: SandboxCall, limits: SandboxLimits, timeoutMs: number): Answering {
  const { fetchBytes, rows: maxRows, rowBytes: maxBytes } = limits;
  const fetch = http && answerFetches(http, { maxBytes: fetchBytes, timeoutMs });
  const query = sql && answerQueries(sql, { maxRows, maxBytes, timeoutMs, share });
  return async (request, signal) => {
    const answer = request.kind === "fetch" ? fetch?.(request.fetch, signal) : query?.(request.query, signal);
    if (answer === undefined) throw new AskError("This code may not ask for anything outside.");
    return answer;
  };
}

function toResult(end: Exclude<RunEnd, { kind: "aborted" }>, timeoutMs: number): SandboxResult {
  if (end.kind === "overrun") return { ...timeoutOutcome(timeoutMs), logs: [] };
  if (end.kind === "died") return { ...failedOutcome("SandboxError", brokenMessage), logs: [] };
  const { outcome, logs } = end.message;
  if (!outcome.ok) return { ...outcome, logs };
  const value = parseValue(outcome.valueText);
  return value === undefined
    ? { ...failedOutcome("SandboxError", "The result is not JSON."), logs }
    : { ok: true, value, logs };
}

const brokenMessage = "The sandbox ended before the code did: it used too much memory, or the server is stopping.";

/** Its own heap, nothing of the environment, no arguments of this process. */
function createWorker(settings: WorkerSettings): Worker {
  return new Worker(new URL("./worker.ts", import.meta.url), {
    workerData: settings,
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 16 },
  });
}

/** A key `__proto__` is dropped: a copy by assignment would set a prototype. */
function parseValue(text: string): Json | undefined {
  try {
    if (!/__proto__|\\u/.test(text)) return JSON.parse(text);
    return JSON.parse(text, (key, value: Json) => (key === "__proto__" ? undefined : value));
  } catch {
    return undefined;
  }
}

type RunEnd =
  | { kind: "done"; message: DoneMessage }
  /** The worker did not keep the deadline itself: native code of the interpreter ran on. */
  | { kind: "overrun" }
  | { kind: "aborted" }
  /** The thread ended, by this run or by another one in it. */
  | { kind: "died" };

type RunOptions = {
  signal: AbortSignal;
  /** Called for each request, with a function to answer it. */
  onAsk(message: AskMessage, reply: (answer: AnswerMessage) => void): void;
};

/**
 * Runs one call on a worker, and resolves with how it ended. Leaves the seat when the run has left the thread, which
 * after an abort is later than the promise resolves.
 */
function runOnSeat(seat: Seat, run: RunMessage, { signal, onAsk }: RunOptions): Promise<RunEnd> {
  const { worker } = seat;
  const { promise, resolve } = Promise.withResolvers<RunEnd>();
  let guard: NodeJS.Timeout | undefined;
  let hasTurn = false;

  const leave = (end: RunEnd) => {
    clearTimeout(guard);
    worker.off("message", receive).off("exit", die);
    signal.removeEventListener("abort", abort);
    seat.leave();
    resolve(end);
  };
  const overrun = () => {
    leave({ kind: "overrun" });
    seat.discard();
  };
  const die = () => leave({ kind: "died" });
  const endTurn = () => {
    hasTurn = false;
    clearTimeout(guard);
  };
  const beginTurn = (leftMs: number) => {
    hasTurn = true;
    clearTimeout(guard);
    guard = setTimeout(overrun, leftMs + graceMs);
  };
  const reply = (answer: AnswerMessage) => {
    seat.resume();
    worker.postMessage(answer);
  };
  const receive = (message: FromWorker) => {
    if (message.type === "turn" && message.callId !== run.callId) endTurn();
    if (message.callId !== run.callId) return;
    if (message.type === "turn") beginTurn(message.leftMs);
    else if (message.type === "ask") onAsk(message, reply);
    else if (message.type === "done") leave({ kind: "done", message });
    else {
      endTurn();
      seat.rest();
    }
  };
  const abort = () => {
    Atomics.store(new Int32Array(run.cancelled), 0, 1);
    worker.postMessage({ type: "cancel", callId: run.callId });
    if (hasTurn) beginTurn(0);
    resolve({ kind: "aborted" });
  };
  worker.on("message", receive).once("exit", die);
  signal.addEventListener("abort", abort, { once: true });
  worker.postMessage(run);
  if (signal.aborted) abort();
  return promise;
}

/** How long a worker may take to notice its deadline. */
const graceMs = 250;

type FetchLimits = {
  /** Total bytes of all answers. */
  maxBytes: number;
  /** For each call. The run's own deadline also ends calls in progress. */
  timeoutMs: number;
};

/** Performs the `fetch` calls of one run, within a budget of bytes. Resolves with JSON text of a `FetchAnswer`. */
function answerFetches(http: HttpClient, { maxBytes, timeoutMs }: FetchLimits) {
  let leftBytes = maxBytes;
  const spent = () => new AskError(`The answers to fetch may have ${maxBytes} bytes at most, all together.`);

  return async (request: FetchRequest, signal: AbortSignal): Promise<string> => {
    if (leftBytes <= 0) throw spent();
    const response = await http.request({ ...request, timeoutMs, maxBytes: leftBytes, signal });
    leftBytes -= response.body.byteLength;
    if (leftBytes < 0) throw spent();
    const { status, statusText, url, headers, body } = response;
    const answer: FetchAnswer = { status, statusText, url, headers, body: new TextDecoder().decode(body) };
    return JSON.stringify(answer);
  };
}
