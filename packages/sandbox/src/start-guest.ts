import type { QuickJSHandle } from "quickjs-emscripten-core";
import type { BoundedModule } from "./bounded-module.ts";
import { callGuest } from "./call-guest.ts";
import type { GuestHost, GuestInput } from "./guest/program.ts";
import { createLog } from "./log.ts";
import { failedOutcome, type Outcome, parseOutcome, timeoutOutcome } from "./outcome.ts";
import { type FetchedMessage, type FetchRequest, parseFetchRequest, type RunMessage } from "./protocol.ts";
import { createRunClock } from "./run-clock.ts";

export type GuestHooks = {
  fetch(fetchId: number, request: FetchRequest): void;
  /** The guest has the thread, for `leftMs` at most. */
  turn(leftMs: number): void;
  /** It gave the thread back after so long. */
  gaveBack(ms: number): void;
  /** It computes nothing until an answer comes. */
  rest(): void;
  /** Called once, after everything of the run is freed. */
  done(outcome: Outcome, logs: string[], isPreempted: boolean): void;
};

export type Guest = {
  fetched(message: FetchedMessage): void;
  /** Looks whether the run was cancelled. */
  cancel(): void;
  /** Another guest had the thread for so long. */
  heldUp(ms: number): void;
};

/**
 * Runs one piece of code in a runtime of its own, beside others in the same thread. Invariants:
 * - The run ends exactly once: by its own finish, by a deadline, by a cancel, or because it waits for nothing that can
 *   come.
 * - QuickJS is entered in turns alone (`inTurn`), not after the end, and never from one of its own calls to the host.
 * - Nothing but strings and numbers crosses; every string from inside is parsed and measured before use.
 * - A run is preempted only before its first `fetch`: nothing outside has heard of it.
 * What QuickJS itself breaks on (a trap in its memory) throws, and is meant to take the worker with it.
 */
export function startGuest(module: BoundedModule, run: RunMessage, hooks: GuestHooks): Guest {
  const fetches = { started: 0, open: 0 };
  const { clock, isCancelled, mustYield, isInterrupted, timeout } = createStops(run, fetches);
  const runtime = module.quickjs.newRuntime();
  runtime.setMaxStackSize(stackLimitBytes);
  runtime.setInterruptHandler(isInterrupted);
  const context = runtime.newContext();
  const log = createLog(run.limits.logBytes);
  let settle: QuickJSHandle | undefined;
  let finished: Outcome | undefined;
  let hasEnded = false;

  const end = (outcome: Outcome, isPreempted = false) => {
    hasEnded = true;
    clearTimeout(timer);
    settle?.dispose();
    context.dispose();
    runtime.dispose();
    hooks.done(outcome, log.lines, isPreempted);
  };

  const inTurn = (work: () => void) => {
    hooks.turn(clock.turnLeftMs());
    clock.beginTurn();
    work();
    hooks.gaveBack(clock.endTurn());
  };

  const watch = () => {
    if (clock.untilDeadlineMs() < 0) end(timeout());
    else timer = setTimeout(watch, clock.untilDeadlineMs() + 1);
  };
  let timer = setTimeout(watch, run.timeoutMs);

  const proceed = () => {
    if (hasEnded) return;
    inTurn(() => runtime.executePendingJobs(jobsPerTurn).dispose());
    conclude();
  };

  const conclude = () => {
    const isUntouched = fetches.started === 0;
    if (module.wasCrowdedOut() && isUntouched) end(timeout(), true);
    else if (finished !== undefined) end(finished);
    else if (clock.isOver() || isCancelled()) end(timeout());
    else if (mustYield()) end(timeout(), true);
    else if (runtime.hasPendingJob()) setImmediate(proceed);
    else if (fetches.open > 0) hooks.rest();
    else end(failedOutcome("SandboxError", "The code waits for something that never happens."));
  };

  const host: GuestHost = {
    log: log.add,
    finish(text) {
      // Its error would be that it was interrupted.
      if (mustYield()) return;
      finished ??= clock.isOver() ? timeout() : parseOutcome(text, run.limits);
    },
    fetch(fetchId, requestJson) {
      fetches.started += 1;
      // The guest counts too, and says so in words; this count holds when its code has tampered with the guest.
      if (fetches.started > run.limits.fetchCalls) return;
      fetches.open += 1;
      hooks.fetch(fetchId, parseFetchRequest(requestJson));
    },
  };
  const begin = () => {
    const { code, globals, limits, hasFetch } = run;
    const inputJson = JSON.stringify({ code, globals, limits } satisfies GuestInput);
    if (inputJson.length > module.memoryLimitBytes / 8) {
      finished = failedOutcome("RangeError", "The code and its values are too large for the sandbox.");
      return;
    }
    try {
      const started = callGuest(context, { inputJson, hasFetch, host });
      if (started.error === undefined) settle = started.value;
      else started.error.dispose();
    } catch (cause) {
      // The deadline may pass before the code begins.
      if (!isInterrupted()) throw cause;
    }
    if (settle === undefined && !isInterrupted()) {
      finished ??= failedOutcome("SandboxError", "The code could not be run.");
    }
  };
  const settleFetch = (answer: QuickJSHandle, { fetchId, ok, text }: FetchedMessage) => {
    const reply = context.newString(ok ? text : JSON.stringify(text));
    const id = context.newNumber(fetchId);
    context.callFunction(answer, context.undefined, id, ok ? context.true : context.false, reply).dispose();
    reply.dispose();
  };
  inTurn(begin);
  proceed();

  return {
    fetched(message) {
      if (hasEnded || settle === undefined) return;
      const answer = settle;
      fetches.open -= 1;
      inTurn(() => settleFetch(answer, message));
      proceed();
    },
    cancel() {
      if (!hasEnded && isCancelled()) end(timeout());
    },
    heldUp: clock.heldUp,
  };
}

/** What ends a run before its own end. */
function createStops(run: RunMessage, fetches: { readonly started: number }) {
  const { timeoutMs, isGuest } = run;
  const { computeMs } = run.limits;
  const clock = createRunClock({ timeoutMs, computeMs });
  const cancelled = new Int32Array(run.cancelled);
  const isCancelled = () => Atomics.load(cancelled, 0) === 1;
  const mustYield = () => isGuest && fetches.started === 0 && clock.computedMs() > guestSliceMs;
  return {
    clock,
    isCancelled,
    mustYield,
    isInterrupted: () => clock.isOver() || isCancelled() || mustYield(),
    timeout: () => timeoutOutcome(clock.untilDeadlineMs() < 0 ? timeoutMs : computeMs),
  };
}

/** Jobs run before messages (answers of `fetch`) and other guests get their turn. */
const jobsPerTurn = 1000;

/** How long code may compute in a thread that belongs to others. */
const guestSliceMs = 100;

const stackLimitBytes = 64 * 1024;
