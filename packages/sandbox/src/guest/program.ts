import type { AskKind, AskLimits } from "../limits.ts";
import type { Asker, createAsker } from "./asker.ts";
import type { createFetcher } from "./fetcher.ts";
import type { installLocaleMethods } from "./intl.ts";
import type { createPrinter } from "./printer.ts";
import type { createRequirer } from "./requirer.ts";
import type { createTimers, Timers, Wait } from "./timers.ts";

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
  const { code, globals, limits, hasDatabases } = parse(inputJson) as GuestInput;
  const { show, describeError } = parts.createPrinter();
  const asker = parts.createAsker?.({ send, limits: limits.asks });
  const fetch = asker && parts.createFetcher?.(asker.ask);

  // Parsing is most of a call's cost: these are parsed when the code uses them.
  const FunctionOf = (() => {}).constructor as new (body: string) => () => unknown;
  const later = <Part extends (...given: never[]) => unknown>(name: string, ...given: Parameters<Part>) => {
    let made: { value: ReturnType<Part> } | undefined;
    return () => {
      made ??= { value: (new FunctionOf(`return ${load(name)}`)() as Part)(...given) as ReturnType<Part> };
      return made.value;
    };
  };
  const timers = later<typeof createTimers>("guest:timers", wait);
  const setTimeout: Timers["setTimeout"] = (...given) => timers().setTimeout(...given);
  const ask = hasDatabases ? asker?.ask : undefined;
  const requirer = later<typeof createRequirer>("guest:requirer", { load, system, fetch, setTimeout, ask });
  const require = (name: unknown) => requirer()(name);
  const localeMethods = later<typeof installLocaleMethods>("guest:locale-methods", () => requirer()("intl"));

  const define = (name: string, value: unknown) => {
    defineProperty(globalThis, name, { value, configurable: true, writable: true });
  };

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

  define("console", { log, info: log, warn: log, error: log, debug: log });
  if (fetch !== undefined) define("fetch", fetch);
  define("require", require);
  define("setTimeout", setTimeout);
  define("setInterval", ((...given) => timers().setInterval(...given)) satisfies Timers["setInterval"]);
  define("setImmediate", (run: () => void, ...given: unknown[]) => setTimeout(run, 0, ...given));
  for (const name of ["clearTimeout", "clearInterval", "clearImmediate"])
    define(name, (id: unknown) => timers().clear(id));
  define("queueMicrotask", (run: () => void) => void Promise.resolve().then(run));
  const globalsOf = {
    url: ["URL", "URLSearchParams"],
    buffer: ["Buffer", "atob", "btoa"],
    intl: ["Intl"],
    clone: ["structuredClone"],
    encoding: ["TextEncoder", "TextDecoder"],
    abort: ["AbortController", "AbortSignal", "Event", "EventTarget"],
    forms: ["Headers", "FormData"],
    webcrypto: ["crypto"],
  };
  for (const [module, names] of Object.entries(globalsOf)) {
    for (const name of names) {
      const get = () => (require(module) as Record<string, unknown>)[name];
      defineProperty(globalThis, name, { get, set: (value) => define(name, value), configurable: true });
    }
  }
  // The interpreter's own methods ignore locales and options, and would silently return a wrong value.
  const localized: [object, string[]][] = [
    [Date.prototype, ["toLocaleString", "toLocaleDateString", "toLocaleTimeString"]],
    [String.prototype, ["localeCompare", "toLocaleUpperCase", "toLocaleLowerCase"]],
    ...[Number, BigInt, Array].map((owner): [object, string[]] => [owner.prototype, ["toLocaleString"]]),
    [Object.getPrototypeOf(Uint8Array.prototype), ["toLocaleString"]],
  ];
  for (const [owner, names] of localized) {
    for (const name of names) {
      const value = function (this: Record<string, (...given: unknown[]) => unknown>, ...given: unknown[]) {
        localeMethods();
        return this[name]?.(...given);
      };
      defineProperty(owner, name, { value, configurable: true, writable: true });
    }
  }
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
