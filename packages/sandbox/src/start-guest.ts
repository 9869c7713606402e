import type { QuickJSHandle } from "quickjs-emscripten-core";
import type { BoundedModule } from "./bounded-module.ts";
import { callGuest } from "./call-guest.ts";
import type { GuestHost, GuestInput } from "./guest/program.ts";
import { createLog } from "./log.ts";
import { failedOutcome, type Outcome, parseOutcome, timeoutOutcome } from "./outcome.ts";
import { type FetchedMessage, type FetchRequest, parseFetchRequest, type RunMessage } from "./protocol.ts";

export type GuestHooks = {
  fetch(fetchId: number, request: FetchRequest): void;
  /** Called once, after everything of the run is freed. */
  done(outcome: Outcome, logs: string[]): void;
};

export type Guest = { fetched(message: FetchedMessage): void };

/**
 * Runs one piece of code in a runtime of its own. Invariants:
 * - The run ends exactly once: by its own finish, by its deadline, or because it waits for nothing that can come.
 * - QuickJS is not entered after the end, and never from one of its own calls to the host.
 * - Nothing but strings and numbers crosses; every string from inside is parsed and measured before use.
 * What QuickJS itself breaks on (a trap in its memory) throws, and is meant to take the worker with it.
 */
export function startGuest(module: BoundedModule, run: RunMessage, hooks: GuestHooks): Guest {
  const deadline = performance.now() + run.timeoutMs;
  const isOver = () => performance.now() > deadline;
  const runtime = module.quickjs.newRuntime();
  runtime.setMaxStackSize(stackLimitBytes);
  runtime.setInterruptHandler(isOver);
  const context = runtime.newContext();
  const log = createLog(run.limits.logBytes);
  const fetches = { started: 0, open: 0 };
  let settle: QuickJSHandle | undefined;
  let finished: Outcome | undefined;
  let hasEnded = false;

  const end = (outcome: Outcome) => {
    hasEnded = true;
    clearTimeout(timer);
    settle?.dispose();
    context.dispose();
    runtime.dispose();
    hooks.done(outcome, log.lines);
  };
  const timer = setTimeout(() => end(timeoutOutcome(run.timeoutMs)), run.timeoutMs);

  const proceed = () => {
    if (hasEnded) return;
    runtime.executePendingJobs(jobsPerTurn).dispose();
    if (finished !== undefined) end(finished);
    else if (isOver()) end(timeoutOutcome(run.timeoutMs));
    else if (runtime.hasPendingJob()) setImmediate(proceed);
    else if (fetches.open === 0) end(failedOutcome("SandboxError", "The code waits for something that never happens."));
  };

  const host: GuestHost = {
    log: log.add,
    finish(text) {
      finished ??= isOver() ? timeoutOutcome(run.timeoutMs) : parseOutcome(text, run.limits);
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
      if (!isOver()) throw cause;
    }
    if (settle === undefined && isOver()) finished ??= timeoutOutcome(run.timeoutMs);
    if (settle === undefined) finished ??= failedOutcome("SandboxError", "The code could not be run.");
  };
  begin();
  proceed();

  return {
    fetched({ fetchId, ok, text }) {
      if (hasEnded || settle === undefined) return;
      fetches.open -= 1;
      const reply = context.newString(ok ? text : JSON.stringify(text));
      const id = context.newNumber(fetchId);
      context.callFunction(settle, context.undefined, id, ok ? context.true : context.false, reply).dispose();
      reply.dispose();
      proceed();
    },
  };
}

/** Jobs run before messages (answers of `fetch`) get their turn. */
const jobsPerTurn = 1000;

const stackLimitBytes = 64 * 1024;
