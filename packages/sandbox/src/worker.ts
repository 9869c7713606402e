import { parentPort, workerData } from "node:worker_threads";
import { loadBoundedModule } from "./bounded-module.ts";
import { lowerPriority } from "./lower-priority.ts";
import { failedOutcome, type Outcome } from "./outcome.ts";
import type { FromWorker, RunMessage, ToWorker, WorkerSettings } from "./protocol.ts";
import { type Guest, startGuest } from "./start-guest.ts";

// Entry of a sandbox worker: one run at a time, ordered by the host.

lowerPriority();
const { memoryLimitBytes } = workerData as WorkerSettings;
const module = await loadBoundedModule(memoryLimitBytes);
const send = (message: FromWorker) => parentPort?.postMessage(message);
let current: { callId: number; guest: Guest } | undefined;

parentPort?.on("message", (message: ToWorker) => {
  if (message.type === "run") current = { callId: message.callId, guest: start(message) };
  else if (message.callId === current?.callId) current.guest.fetched(message);
});
send({ type: "ready" });

function start(run: RunMessage): Guest {
  const { callId } = run;
  return startGuest(module, run, {
    fetch: (fetchId, request) => send({ type: "fetch", callId, fetchId, request }),
    done(outcome, logs) {
      const isSpent = module.isSpent();
      send({ type: "done", callId, outcome: isSpent ? explain(outcome) : outcome, logs, isSpent });
    },
  });
}

/** Code that fails for want of memory fails in odd ways: not even its error may find room. */
function explain(outcome: Outcome): Outcome {
  if (outcome.ok || outcome.error.name === "TimeoutError") return outcome;
  return failedOutcome("RangeError", `The code needs more memory than its ${memoryLimitBytes} bytes.`);
}
