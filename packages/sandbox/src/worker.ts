import { parentPort, workerData } from "node:worker_threads";
import { lowerPriority } from "@weft/workers/lower-priority";
import { type BoundedModule, createModules } from "./bounded-module.ts";
import { failedOutcome, type Outcome } from "./outcome.ts";
import type { FromWorker, RunMessage, ToWorker, WorkerSettings } from "./protocol.ts";
import { type Guest, startGuest } from "./start-guest.ts";

// Entry of a sandbox worker: runs take turns in it, each in an interpreter of its own; the host orders them.

lowerPriority();
const { memoryLimitBytes, sharedBytes }: WorkerSettings = workerData;
const modules = await createModules({ memoryLimitBytes, sharedBytes });
const send = (message: FromWorker) => parentPort?.postMessage(message);
const guests = new Map<number, Guest>();
const lastTurn = { callId: -1, at: 0 };

parentPort?.on("message", (message: ToWorker) => {
  if (message.type === "run") void start(message);
  else if (message.type === "answer") guests.get(message.callId)?.answered(message);
  else guests.get(message.callId)?.cancel();
});

async function start(run: RunMessage): Promise<void> {
  const { callId } = run;
  const module = await modules.take();
  let isDone = false;
  const guest = startGuest(module, run, {
    ask: (askId, request) => send({ type: "ask", callId, askId, request }),
    turn: (leftMs) => announceTurn(callId, leftMs),
    gaveBack(ms) {
      for (const [id, other] of guests) if (id !== callId) other.heldUp(ms);
    },
    rest: () => send({ type: "rest", callId }),
    done(outcome, logs, isPreempted) {
      isDone = true;
      guests.delete(callId);
      send({ type: "done", callId, outcome: explain(outcome, module), logs, isPreempted });
      modules.give(module);
    },
  });
  if (!isDone) guests.set(callId, guest);
}

/** The host monitors the length of a turn. Code that only yields to itself takes many, which are not announced. */
function announceTurn(callId: number, leftMs: number): void {
  const now = performance.now();
  if (lastTurn.callId === callId && now - lastTurn.at < turnNoticeMs) return;
  Object.assign(lastTurn, { callId, at: now });
  send({ type: "turn", callId, leftMs: leftMs + turnNoticeMs });
}

const turnNoticeMs = 50;

/** Code that runs out of memory fails in odd ways: not even its error may find room. */
function explain(outcome: Outcome, module: BoundedModule): Outcome {
  if (!module.isSpent() || outcome.ok || outcome.error.name === "TimeoutError") return outcome;
  const bytes = module.wasCrowdedOut() ? "more memory than this server has left for it" : undefined;
  return failedOutcome("RangeError", `The code needs ${bytes ?? `more memory than its ${memoryLimitBytes} bytes`}.`);
}
