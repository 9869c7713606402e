import type { AskKind, AskLimits } from "../limits.ts";
import type { Asker, createAsker } from "./asker.ts";
import type { createFetcher } from "./fetcher.ts";
import type { createPrinter } from "./printer.ts";
import type { createRequirer } from "./requirer.ts";

/** What the guest gets from outside: functions that take JSON text. */
export type GuestHost = {
  log(lineJson: string): void;
  ask(askId: number, kind: AskKind, requestJson: string): void;
  /** See `RequirerOptions`. */
  load(name: string): string;
  system(requestJson: string): string;
  /** Called once: `v` and the JSON of the value, or `e` and the JSON of `{ name, message }`. */
  finish(text: string): void;
};

export type GuestInput = {
  code: string;
  globals: Record<string, unknown>;
  limits: { asks: AskLimits; resultBytes: number; logBytes: number };
  /** Whether modules may ask databases. */
  hasDatabases: boolean;
};

/**
 * The other functions that run inside. Without `createAsker` the code asks for nothing outside, without `createFetcher`
 * it has no `fetch`, and without `createRequirer` no modules.
 */
export type GuestParts = {
  createPrinter: typeof createPrinter;
  createAsker?: typeof createAsker;
  createFetcher?: typeof createFetcher;
  createRequirer?: typeof createRequirer;
};

/**
 * Runs inside QuickJS, from its source text: it may refer to nothing outside itself.
 * It takes what it needs from the language before user code runs. User code may tamper with everything else; that
 * spoils only its own run, as the host trusts no text it gets.
 * The value takes the answers to what the code asks for.
 */
export function guestProgram(parts: GuestParts, host: GuestHost, inputJson: string): Asker["settle"] | undefined {
  const { parse, stringify } = JSON;
  const { defineProperty, keys } = Object;
  const { log: hostLog, ask: send, finish, load, system } = host;
  const { code, globals, limits, hasDatabases } = parse(inputJson) as GuestInput;
  const { show, describeError } = parts.createPrinter();
  const asker = parts.createAsker?.({ send, limits: limits.asks });
  const fetch = asker && parts.createFetcher?.(asker.ask);
  const require = parts.createRequirer?.({ load, system, fetch, ask: hasDatabases ? asker?.ask : undefined });

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
  if (require !== undefined) {
    define("require", require);
    for (const [name, module] of [
      ["URL", "url"],
      ["URLSearchParams", "url"],
      ["Buffer", "buffer"],
      ["atob", "buffer"],
      ["btoa", "buffer"],
    ] as const) {
      const get = () => (require(module) as Record<string, unknown>)[name];
      defineProperty(globalThis, name, { get, set: (value) => define(name, value), configurable: true });
    }
  }
  void run();
  return asker?.settle;
}
