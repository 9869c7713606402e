import { type QuickJSContext, type QuickJSHandle, Scope, type VmFunctionImplementation } from "quickjs-emscripten-core";
import type { BoundedModule } from "./bounded-module.ts";
import { createAsker } from "./guest/asker.ts";
import { createFetcher } from "./guest/fetcher.ts";
import { defineGlobals } from "./guest/globals.ts";
import { createPrinter } from "./guest/printer.ts";
import { type GuestHost, type GuestInput, guestProgram } from "./guest/program.ts";
import { type AskKind, toAskLimits } from "./limits.ts";
import { createModuleTexts } from "./modules/module-texts.ts";
import { answerSystemCall } from "./modules/system-calls.ts";
import { failedOutcome, type Outcome, parseOutcome, timeoutOutcome } from "./outcome.ts";
import { type AnswerMessage, type AskRequest, parseRequest, type RunMessage } from "./protocol.ts";

export type GuestHooks = {
  ask(askId: number, request: AskRequest): void;
  /** The guest has the thread, for at most `leftMs`. */
  turn(leftMs: number): void;
  /** It released the thread after this time. */
  gaveBack(ms: number): void;
  /** It computes nothing until an answer comes. */
  rest(): void;
  /** Called once, after everything of the run is freed. */
  done(outcome: Outcome, logs: string[], isPreempted: boolean): void;
};

export type Guest = {
  answered(message: AnswerMessage): void;
  /** Checks whether the run was cancelled. */
  cancel(): void;
  /** Another guest had the thread for this long. */
  heldUp(ms: number): void;
};

/**
 * Runs one piece of code in a runtime of its own, beside others in the same thread. Invariants:
 * - The run ends exactly once: by its own finish, by a deadline, by a cancel, or because it waits for nothing that can
 *   come.
 * - QuickJS is entered in turns alone (`inTurn`), not after the end, and never from one of its own calls to the host.
 * - Nothing but strings and numbers crosses; every string from inside is parsed and measured before use.
 * - A run is preempted only before it asks for something: nothing outside has heard of it.
 * What QuickJS itself breaks on (a trap in its memory) throws, and is meant to take the worker with it.
 */
export function startGuest(module: BoundedModule, run: RunMessage, hooks: GuestHooks): Guest {
  const asks: Asks = { started: 0, open: 0 };
  const { clock, isCancelled, mustYield, isInterrupted, timeout } = createStops(run, asks);
  const { runtime, context } = openInterpreter(module, isInterrupted);
  const log = createLog(run.limits.logBytes);
  let settle: QuickJSHandle | undefined;
  let finished: Outcome | undefined;
  let hasEnded = false;

  const end = (outcome: Outcome, isPreempted = false) => {
    hasEnded = true;
    stopWatch();
    timers.clear();
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

  const stopWatch = watchDeadline(clock, () => end(timeout()));

  const proceed = () => {
    if (hasEnded) return;
    inTurn(() => runtime.executePendingJobs(jobsPerTurn).dispose());
    conclude();
  };

  const isWaiting = () => asks.open > 0 || timers.open() > 0;
  const conclude = () => {
    if (module.wasCrowdedOut() && asks.started === 0) end(timeout(), true);
    else if (finished !== undefined) end(finished);
    else if (clock.isOver() || isCancelled()) end(timeout());
    else if (mustYield()) end(timeout(), true);
    else if (runtime.hasPendingJob()) setImmediate(proceed);
    else if (isWaiting()) hooks.rest();
    else end(failedOutcome("SandboxError", "The code waits for something that never happens."));
  };

  const deliver = (answer: Answer) => {
    if (hasEnded || settle === undefined) return;
    const receive = settle;
    inTurn(() => settleAsk(context, receive, answer));
    proceed();
  };
  const timers = createHostTimers((id) => deliver({ askId: -id, ok: true, text: "null" }));
  const host = createHost({
    wait: timers.wait,
    log: log.add,
    finish(text) {
      // Its error would be that it was interrupted.
      if (mustYield()) return;
      finished ??= clock.isOver() ? timeout() : parseOutcome(text, run.limits);
    },
    ...{ asks, limits: run.limits, ask: hooks.ask },
  });
  inTurn(() => {
    const started = beginProgram(module, context, { run, host, isInterrupted });
    if (started.isRunning) settle = started.settle;
    else finished ??= started.outcome;
  });
  proceed();

  return {
    answered(message) {
      asks.open -= 1;
      deliver(message);
    },
    cancel() {
      if (!hasEnded && isCancelled()) end(timeout());
    },
    heldUp: clock.heldUp,
  };
}

function openInterpreter({ quickjs }: BoundedModule, isInterrupted: () => boolean) {
  const runtime = quickjs.newRuntime();
  runtime.setMaxStackSize(stackLimitBytes);
  runtime.setInterruptHandler(isInterrupted);
  return { runtime, context: runtime.newContext() };
}

/** Requests that the code made, and those not answered yet. */
type Asks = { started: number; open: number };

type HostParts = {
  wait: GuestHost["wait"];
  log: GuestHost["log"];
  finish: GuestHost["finish"];
  asks: Asks;
  limits: RunMessage["limits"];
  ask: GuestHooks["ask"];
};

/** The functions outside that the code can call. */
function createHost({ wait, log, finish, asks, limits, ask }: HostParts): GuestHost {
  const left = toAskLimits(limits);
  return {
    wait,
    log,
    finish,
    ask(askId, kind, requestJson) {
      asks.started += 1;
      left[kind].times -= 1;
      // The guest measures too, and reports it; this holds if its code has tampered with the guest.
      if (left[kind].times < 0 || requestJson.length > left[kind].bytes) return;
      asks.open += 1;
      ask(askId, parseRequest(kind, requestJson));
    },
    load: moduleTexts,
    system: answerSystemCall,
  };
}

/** The guest's own timers, by number. Those beyond its limit are dropped. */
function createHostTimers(due: (id: number) => void) {
  const timers = new Map<number, NodeJS.Timeout>();
  return {
    open: () => timers.size,
    wait(id: number, ms: number) {
      clearTimeout(timers.get(id));
      timers.delete(id);
      if (!(ms >= 0) || timers.size >= maxTimers) return;
      const fire = () => {
        timers.delete(id);
        due(id);
      };
      timers.set(id, setTimeout(fire, Math.min(ms, longestTimerMs)));
    },
    clear() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}

const maxTimers = 1_000;
/** Longer than any deadline, which then ends the run. */
const longestTimerMs = 2_000_000_000;

const moduleTexts = createModuleTexts();

type ProgramStart = { isRunning: true; settle: QuickJSHandle | undefined } | { isRunning: false; outcome: Outcome };
type ProgramRun = { run: RunMessage; host: GuestHost; isInterrupted(): boolean };

/** Starts the code. Without a settle function it was interrupted before it started. */
function beginProgram(
  module: BoundedModule,
  context: QuickJSContext,
  { run: { code, globals, limits, hasFetch, hasDatabases }, host, isInterrupted }: ProgramRun,
): ProgramStart {
  const inputJson = JSON.stringify({
    ...{ code, globals, hasDatabases },
    limits: { ...limits, asks: toAskLimits(limits) },
  } satisfies GuestInput);
  if (inputJson.length > module.memoryLimitBytes / 8) {
    const outcome = failedOutcome("RangeError", "The code and its values are too large for the sandbox.");
    return { isRunning: false, outcome };
  }
  let settle: QuickJSHandle | undefined;
  try {
    const started = callGuest(context, {
      inputJson,
      partsSource: partsSourceOf({ hasFetch, hasDatabases }),
      host,
    });
    if (started.error === undefined) settle = started.value;
    else started.error.dispose();
  } catch (cause) {
    // The deadline may pass before the code starts.
    if (!isInterrupted()) throw cause;
  }
  if (settle === undefined && !isInterrupted()) {
    return { isRunning: false, outcome: failedOutcome("SandboxError", "The code could not be run.") };
  }
  return { isRunning: true, settle };
}

type Answer = Omit<AnswerMessage, "type" | "callId">;

/** Delivers the answer to one of the code's requests. */
function settleAsk(context: QuickJSContext, answer: QuickJSHandle, { askId, ok, text }: Answer): void {
  const reply = context.newString(ok ? text : JSON.stringify(text));
  const id = context.newNumber(askId);
  context.callFunction(answer, context.undefined, id, ok ? context.true : context.false, reply).dispose();
  reply.dispose();
}

/** Reasons that end a run early. */
function createStops(run: RunMessage, asks: Readonly<Asks>) {
  const { timeoutMs, isGuest } = run;
  const { computeMs } = run.limits;
  const clock = createRunClock({ timeoutMs, computeMs });
  const cancelled = new Int32Array(run.cancelled);
  const isCancelled = () => Atomics.load(cancelled, 0) === 1;
  const mustYield = () => isGuest && asks.started === 0 && clock.computedMs() > guestSliceMs;
  return {
    clock,
    isCancelled,
    mustYield,
    isInterrupted: () => clock.isOver() || isCancelled() || mustYield(),
    timeout: () => timeoutOutcome(clock.untilDeadlineMs() < 0 ? timeoutMs : computeMs),
  };
}

/**
 * Calls `onOver` when the deadline has passed, unless stopped before. Delays of the run by others move its deadline.
 */
function watchDeadline(clock: RunClock, onOver: () => void): () => void {
  const watch = () => {
    if (clock.untilDeadlineMs() < 0) onOver();
    else timer = setTimeout(watch, clock.untilDeadlineMs() + 1);
  };
  let timer = setTimeout(watch, clock.untilDeadlineMs());
  return () => clearTimeout(timer);
}

/** Jobs run before messages (answers) and other guests get their turn. */
const jobsPerTurn = 1000;

/** How long code may compute in a thread that belongs to others. */
const guestSliceMs = 100;

const stackLimitBytes = 64 * 1024;

/** Keeps lines, given as JSON text, up to a number of bytes; then notes that the rest was dropped. */
function createLog(limitBytes: number) {
  const lines: string[] = [];
  let sizeBytes = 0;
  return {
    lines,
    add(lineJson: string): void {
      if (sizeBytes > limitBytes) return;
      const line: unknown = JSON.parse(lineJson);
      if (typeof line !== "string") return;
      sizeBytes += Buffer.byteLength(line) + 1;
      lines.push(sizeBytes > limitBytes ? "(further output was dropped)" : line);
    },
  };
}

/** `inputJson` is JSON text of a `GuestInput`. */
type GuestCall = { inputJson: string; partsSource: string; host: GuestHost };

/** Starts `guestProgram` inside a context. The value is its settle function; the caller disposes of the result. */
function callGuest(context: QuickJSContext, { inputJson, partsSource, host }: GuestCall) {
  return Scope.withScope((scope) => {
    const functions = scope.manage(context.newObject());
    const expose = (name: keyof GuestHost, implementation: VmFunctionImplementation<QuickJSHandle>) => {
      context.setProp(functions, name, scope.manage(context.newFunction(name, implementation)));
    };
    expose("log", (line) => host.log(text(context, line)));
    expose("finish", (outcome) => host.finish(text(context, outcome)));
    expose("ask", (id, kind, request) => {
      const asked: AskKind = text(context, kind) === "fetch" ? "fetch" : "query";
      host.ask(id === undefined ? -1 : context.getNumber(id), asked, text(context, request));
    });
    expose("wait", (id, ms) => {
      if (id !== undefined && ms !== undefined) host.wait(context.getNumber(id), context.getNumber(ms));
    });
    expose("load", (name) => context.newString(host.load(text(context, name))));
    expose("system", (request) => context.newString(host.system(text(context, request))));
    const parts = scope.manage(context.unwrapResult(context.evalCode(partsSource)));
    const program = scope.manage(context.unwrapResult(context.evalCode(programSource)));
    const input = scope.manage(context.newString(inputJson));
    return context.callFunction(program, context.undefined, parts, functions, input);
  });
}

function partsSourceOf({ hasFetch, hasDatabases }: Pick<RunMessage, "hasFetch" | "hasDatabases">): string {
  const parts = [printerSource, globalsSource];
  if (hasFetch || hasDatabases) parts.push(askerSource);
  if (hasFetch) parts.push(fetcherSource);
  return `({ ${parts.join(", ")} })`;
}

const printerSource = `createPrinter: ${createPrinter}`;
const askerSource = `createAsker: ${createAsker}`;
const fetcherSource = `createFetcher: ${createFetcher}`;
const globalsSource = `defineGlobals: ${defineGlobals}`;
const programSource = `(${guestProgram})`;

function text(context: QuickJSContext, handle: QuickJSHandle | undefined): string {
  return handle === undefined ? "" : context.getString(handle);
}

/** The times of one run in a thread that it may share. All in milliseconds. */
type RunClock = {
  /** Whether it has run or computed too long. */
  isOver(): boolean;
  /** Computing time, including the current turn. */
  computedMs(): number;
  /** How much longer a turn that starts now may last. */
  turnLeftMs(): number;
  untilDeadlineMs(): number;
  beginTurn(): void;
  /** Returns the length of the turn. */
  endTurn(): number;
  /** Another run had the thread: that time is not this one's. */
  heldUp(ms: number): void;
};

function createRunClock({ timeoutMs, computeMs }: { timeoutMs: number; computeMs: number }): RunClock {
  let deadline = performance.now() + timeoutMs;
  let usedMs = 0;
  let turnSince: number | undefined;
  const computedMs = () => usedMs + (turnSince === undefined ? 0 : performance.now() - turnSince);
  const untilDeadlineMs = () => deadline - performance.now();
  return {
    computedMs,
    untilDeadlineMs,
    isOver: () => untilDeadlineMs() < 0 || computedMs() > computeMs,
    turnLeftMs: () => Math.max(0, Math.min(untilDeadlineMs(), computeMs - computedMs())),
    beginTurn() {
      turnSince = performance.now();
    },
    endTurn() {
      const ms = turnSince === undefined ? 0 : performance.now() - turnSince;
      turnSince = undefined;
      usedMs += ms;
      return ms;
    },
    heldUp(ms) {
      deadline += ms;
    },
  };
}
