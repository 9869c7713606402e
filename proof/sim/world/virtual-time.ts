import { AsyncLocalStorage } from "node:async_hooks";

/** A process or the database, as far as time goes. */
export type Actor = {
  readonly name: string;
  /** How far its wall clock is ahead. */
  offsetMs: number;
  /** `still`: its timers and answers wait until it goes on. `gone`: nothing of it happens any more. */
  state: "up" | "still" | "gone";
};

/**
 * Time that passes only when everything waits. It takes the place of the timers, `Date`, `performance.now` and
 * `Math.random` of this process, for code that was written for real ones.
 * - T1 One timer fires at a time, in the order of their moments, then of their making. Between two of them everything that
 *   waits for nothing else is done: so a seed decides the whole run.
 * - T2 A timer belongs to the actor in whose code it was set. It fires in the same context.
 */
export type VirtualTime = {
  /** Milliseconds since the beginning. */
  now(): number;
  /** Of the world: passes for those that stand still, too. */
  sleep(ms: number): Promise<void>;
  /** Runs code of an actor, and all that follows from it. */
  within<T>(actor: Actor | undefined, code: () => T): T;
  actor(): Actor | undefined;
  /** Resolves while the actor runs: at once, when it goes on, or never. */
  awake(actor: Actor | undefined): Promise<void>;
  /** An actor that stood still goes on with all it has missed. */
  wake(actor: Actor): void;
  /** Lets time pass until then, or until `isOver`. */
  runUntil(ms: number, isOver?: () => boolean): Promise<void>;
  /** Gives the real ones back. */
  uninstall(): void;
};

type Timer = { at: number; order: number; actor: Actor | undefined; fire: (() => void) | undefined };

const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = globalThis;
const globals = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, Date: globalThis.Date };

const real = {
  ...globals,
  now: performance.now.bind(performance),
  random: Math.random,
  timeout: AbortSignal.timeout,
};

/** Milliseconds of the machine's own clock, whatever time is simulated. */
export const realElapsed = real.now;

export function installVirtualTime(random: () => number, startMs = real.Date.UTC(2026, 0, 1)): VirtualTime {
  const actors = new AsyncLocalStorage<Actor | undefined>();
  const missed = new Map<Actor, Timer[]>();
  const timers: Timer[] = [];
  let nowMs = 0;
  let count = 0;

  function add(timer: Timer): Timer {
    let low = 0;
    let high = timers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const other = timers[middle] as Timer;
      // The last is the next.
      if (other.at > timer.at || (other.at === timer.at && other.order > timer.order)) low = middle + 1;
      else high = middle;
    }
    timers.splice(low, 0, timer);
    return timer;
  }

  function set(ms: number, code: () => void, actor = actors.getStore()): Timer {
    const run = AsyncLocalStorage.snapshot();
    count += 1;
    const delay = Number.isFinite(ms) && ms > 0 ? ms : 0;
    return add({ at: nowMs + delay, order: count, actor, fire: () => run(code) });
  }

  function clear(timer: Timer | undefined): void {
    if (timer) timer.fire = undefined;
  }

  const handles = new WeakMap<object, Timer>();

  function handleOf(timer: Timer): object {
    const handle = { unref: () => handle, ref: () => handle, hasRef: () => true, refresh: () => handle };
    handles.set(handle, timer);
    return handle;
  }

  function setRepeated(code: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): object {
    const again = () => {
      const next = set(ms, again);
      handles.set(handle, next);
      code(...args);
    };
    const handle = handleOf(set(ms, again));
    return handle;
  }

  function clearHandle(handle: unknown): void {
    if (typeof handle === "object" && handle !== null) clear(handles.get(handle));
  }

  function wallClock(): number {
    return startMs + Math.floor(nowMs) + (actors.getStore()?.offsetMs ?? 0);
  }

  class VirtualDate extends real.Date {
    constructor(...args: unknown[]) {
      // @ts-expect-error A date takes one to seven arguments, or none.
      super(...(args.length === 0 ? [wallClock()] : args));
    }
    static override now(): number {
      return wallClock();
    }
  }

  function fire(timer: Timer): void {
    const { actor } = timer;
    if (actor?.state === "gone") return;
    if (actor?.state === "still") missed.set(actor, [...(missed.get(actor) ?? []), timer]);
    else timer.fire?.();
  }

  /** Until everything that waits for nothing but promises is done. */
  const settle = () => new Promise((resolve) => real.setImmediate(resolve));

  Object.assign(globalThis, {
    setTimeout: (code: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) =>
      handleOf(set(ms, () => code(...args))),
    clearTimeout: clearHandle,
    setInterval: setRepeated,
    clearInterval: clearHandle,
    setImmediate: (code: (...args: unknown[]) => void, ...args: unknown[]) => handleOf(set(0, () => code(...args))),
    Date: VirtualDate,
  });
  performance.now = () => nowMs;
  Math.random = random;
  AbortSignal.timeout = (ms: number) => {
    const controller = new AbortController();
    set(ms, () => controller.abort(new DOMException("The time is over.", "TimeoutError")));
    return controller.signal;
  };

  return {
    now: () => nowMs,
    sleep: (ms) => new Promise((resolve) => void actors.run(undefined, () => set(ms, resolve, undefined))),
    within: (actor, code) => actors.run(actor, code),
    actor: () => actors.getStore(),
    async awake(actor) {
      if (actor === undefined || actor.state === "up") return;
      await new Promise<void>((resolve) => void set(0, resolve, actor));
    },
    wake(actor) {
      actor.state = "up";
      for (const timer of missed.get(actor) ?? []) add(Object.assign(timer, { at: nowMs }));
      missed.delete(actor);
    },
    async runUntil(ms, isOver = () => false) {
      for (;;) {
        await settle();
        const next = timers.at(-1);
        if (next === undefined || next.at > ms || isOver()) break;
        timers.pop();
        if (next.fire === undefined) continue;
        nowMs = Math.max(nowMs, next.at);
        fire(next);
      }
      if (!isOver()) nowMs = Math.max(nowMs, ms);
    },
    uninstall() {
      Object.assign(globalThis, globals);
      performance.now = real.now;
      Math.random = real.random;
      AbortSignal.timeout = real.timeout;
    },
  };
}
