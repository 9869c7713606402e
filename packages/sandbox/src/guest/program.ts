import type { createFetcher, Fetcher } from "./fetcher.ts";
import type { createPrinter } from "./printer.ts";
import type { createRequirer } from "./requirer.ts";

/** What the guest gets from outside: functions that take JSON text. */
export type GuestHost = {
  log(lineJson: string): void;
  fetch(fetchId: number, requestJson: string): void;
  /** See `RequirerOptions`. */
  load(name: string): string;
  system(requestJson: string): string;
  /** Called once: `v` and the JSON of the value, or `e` and the JSON of `{ name, message }`. */
  finish(text: string): void;
};

export type GuestInput = {
  code: string;
  globals: Record<string, unknown>;
  limits: { fetchCalls: number; fetchBytes: number; resultBytes: number; logBytes: number };
};

/**
 * The other functions that run inside. Without `createFetcher` the code has no `fetch`, without `createRequirer` no
 * modules.
 */
export type GuestParts = {
  createPrinter: typeof createPrinter;
  createFetcher?: typeof createFetcher;
  createRequirer?: typeof createRequirer;
};

/**
 * Runs inside QuickJS, from its source text: it may refer to nothing outside itself.
 * It takes what it needs from the language before user code runs. User code may tamper with everything else; that
 * spoils only its own run, as the host trusts no text it gets.
 * The value answers the calls of `fetch`.
 */
export function guestProgram(parts: GuestParts, host: GuestHost, inputJson: string): Fetcher["settle"] | undefined {
  const { parse, stringify } = JSON;
  const { defineProperty, keys } = Object;
  const { log: hostLog, fetch: send, finish, load, system } = host;
  const { code, globals, limits } = parse(inputJson) as GuestInput;
  const { show, describeError } = parts.createPrinter();
  const fetcher = parts.createFetcher?.({ send, ...limits });
  const require = parts.createRequirer?.({ load, system, fetch: fetcher?.fetch });

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
  if (fetcher !== undefined) define("fetch", fetcher.fetch);
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
  return fetcher?.settle;
}
