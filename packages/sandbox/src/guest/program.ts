import type { AskKind, AskLimits } from "../limits.ts";
import type { Asker, createAsker } from "./asker.ts";
import type { createFetcher } from "./fetcher.ts";
import type { defineGlobals } from "./globals.ts";
import type { createPrinter } from "./printer.ts";
import type { Require, RequirerOptions } from "./requirer.ts";
import type { Timers, Wait } from "./timers.ts";

/** The guest's interface to the outside: functions that take JSON text. */
export type GuestHost = {
  log(lineJson: string): void;
  ask(askId: number, kind: AskKind, requestJson: string): void;
  /** See `RequirerOptions`. */
  load(name: string): string;
  system(requestJson: string): string;
  wait: Wait;
  /** Called once: `v` and the JSON of the value, or `e` and the JSON of `{ name, message }`. */
  finish(text: string): void;
};

export type GuestInput = {
  code: string;
  globals: Record<string, unknown>;
  limits: { asks: AskLimits; resultBytes: number; logBytes: number };
  /** Modules may query databases. */
  hasDatabases: boolean;
};

/**
 * The other functions that run inside. Without `createAsker` the code cannot ask for anything outside, and without
 * `createFetcher` it has no `fetch`.
 */
export type GuestParts = {
  createPrinter: typeof createPrinter;
  defineGlobals: typeof defineGlobals;
  createAsker?: typeof createAsker;
  createFetcher?: typeof createFetcher;
};

/** Receives answers to the code's requests, and due timers, as negative numbers. */
export type Settle = Asker["settle"];

/**
 * Runs inside QuickJS, from its source text: it may refer to nothing outside itself.
 * It captures what it needs from the language before user code runs. User code may tamper with everything else; that
 * spoils only its own run, as the host trusts no text it gets.
 * The returned function receives answers to the code's requests, and due timers.
 */
export function guestProgram(parts: GuestParts, host: GuestHost, inputJson: string): Settle {
  const { parse, stringify } = JSON;
  const { defineProperty, keys } = Object;
  const { log: hostLog, ask: send, wait, finish, load, system } = host;
  const { code, globals, limits, hasDatabases }: GuestInput = parse(inputJson);
  const { show, describeError } = parts.createPrinter();
  const asker = parts.createAsker?.({ send, limits: limits.asks });
  const fetch = asker && parts.createFetcher?.(asker.ask);

  // Parsing is most of a call's cost: these are parsed when the code uses them.
  const FunctionOf = (() => {}).constructor as new <Made>(body: string) => () => Made;
  const later = <Given extends unknown[], Made>(name: string, ...given: Given) => {
    let made: { value: Made } | undefined;
    return () => {
      made ??= { value: new FunctionOf<(...given: Given) => Made>(`return ${load(name)}`)()(...given) };
      return made.value;
    };
  };
  const timers = later<[Wait], Timers>("guest:timers", wait);
  const setTimeout: Timers["setTimeout"] = (...given) => timers().setTimeout(...given);
  const ask = hasDatabases ? asker?.ask : undefined;
  const requirer = later<[RequirerOptions], Require>("guest:requirer", { load, system, fetch, setTimeout, ask });
  const require = (name: unknown) => requirer()(name);
  const localeMethods = later<[() => unknown], void>("guest:locale-methods", () => requirer()("intl"));

  const log = (...values: unknown[]) => {
    let line = "";
    for (let index = 0; index < values.length; index += 1) line += (index === 0 ? "" : " ") + show(values[index]);
    hostLog(stringify(line.slice(0, limits.logBytes)));
  };

  const evaluate = async () => {
    for (const name of keys(globals)) defineProperty(globalThis, name, { value: globals[name], enumerable: true });
    const AsyncFunction = (async () => {}).constructor as new (body: string) => () => Promise<unknown>;
    const text = stringify(await new AsyncFunction(code)()) ?? "null";
    if (text.length <= limits.resultBytes) return text;
    throw new RangeError(`The result may have ${limits.resultBytes} bytes at most, as JSON.`);
  };

  const run = async () => {
    try {
      finish(`v${await evaluate()}`);
    } catch (error) {
      finish(`e${describeError(error)}`);
    }
  };

  parts.defineGlobals({ log, fetch, timers, setTimeout, require, installLocaleMethods: localeMethods });
  void run();
  const fire = (id: number) => {
    try {
      timers().fire(id);
    } catch (error) {
      finish(`e${describeError(error)}`);
    }
  };
  return (id, ok, json) => (id < 0 ? fire(-id) : asker?.settle(id, ok, json));
}
