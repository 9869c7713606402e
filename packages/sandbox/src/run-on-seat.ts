import type { Seat } from "@weft/workers";
import type { DoneMessage, FetchedMessage, FetchMessage, FromWorker, RunMessage } from "./protocol.ts";

export type RunEnd =
  | { kind: "done"; message: DoneMessage }
  /** The worker did not keep the deadline itself: native code of the interpreter ran on. */
  | { kind: "overrun" }
  | { kind: "aborted" }
  /** The thread ended, by this run or by another one in it. */
  | { kind: "died" };

export type RunOptions = {
  signal: AbortSignal;
  /** Called for each `fetch`, with the way to answer it. */
  onFetch(message: FetchMessage, reply: (answer: FetchedMessage) => void): void;
};

/**
 * Has a worker do one run, and tells how it ended. Leaves the seat when the run has left the thread, which after an
 * abort is later than the promise resolves.
 */
export function runOnSeat(seat: Seat, run: RunMessage, { signal, onFetch }: RunOptions): Promise<RunEnd> {
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
  const reply = (answer: FetchedMessage) => {
    seat.resume();
    worker.postMessage(answer);
  };
  const receive = (message: FromWorker) => {
    if (message.type === "turn" && message.callId !== run.callId) endTurn();
    if (message.callId !== run.callId) return;
    if (message.type === "turn") beginTurn(message.leftMs);
    else if (message.type === "fetch") onFetch(message, reply);
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
