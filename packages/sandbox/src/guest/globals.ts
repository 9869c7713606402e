import type { Fetch } from "./fetcher.ts";
import type { Timers } from "./timers.ts";

export type GlobalsOptions = {
  log(...values: unknown[]): void;
  /** Absent: the code may not call other hosts. */
  fetch: Fetch | undefined;
  timers(): Timers;
  setTimeout: Timers["setTimeout"];
  require(name: unknown): unknown;
  /** Replaces the methods of the language that depend on the locale. */
  installLocaleMethods(): void;
};

/**
 * Runs inside QuickJS, from its source text: it may refer to nothing outside itself. Defines the globals that the
 * language lacks; what stands for a module is read when the code uses it.
 */
export function defineGlobals(options: GlobalsOptions): void {
  const { log, fetch, timers, setTimeout, require, installLocaleMethods } = options;
  const { defineProperty } = Object;
  const define = (name: string, value: unknown) => {
    defineProperty(globalThis, name, { value, configurable: true, writable: true });
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
        installLocaleMethods();
        return this[name]?.(...given);
      };
      defineProperty(owner, name, { value, configurable: true, writable: true });
    }
  }
}
