import type { Asker } from "./asker.ts";
import type { Fetch } from "./fetcher.ts";
import type { Timers } from "./timers.ts";

/** A function that the code's own language lacks and the host provides, as data: see `answerSystemCall`. */
export type SystemCall = {
  <Name extends keyof SystemAnswers>(request: { do: Name } & Record<string, unknown>): SystemAnswers[Name];
  (request: Record<string, unknown>): unknown;
};

/** The answers that modules compute with; others are passed on. */
type SystemAnswers = {
  "parse-url": Address | null;
  "change-url": Address | null;
  "parse-params": [name: string, value: string][];
  "write-params": string;
  digest: string;
  "random-bytes": string;
};

/** The parts of a URL, by name. */
export type Address = Record<string, string>;

export type RequirerOptions = {
  /** The text of a module, which is a function of `ModuleParts`; empty if there is none of this name. */
  load(name: string): string;
  /** Takes JSON text of a request, returns JSON text of `{ value }` or `{ error }`. */
  system(requestJson: string): string;
  /** Absent: the code may not call other hosts. */
  fetch: Fetch | undefined;
  /** Absent: the code may not query databases. */
  ask: Asker["ask"] | undefined;
  setTimeout: Timers["setTimeout"];
};

export type Require = {
  <Name extends keyof OwnModules>(name: Name): OwnModules[Name];
  (name: unknown): unknown;
};

/** The modules that others use. */
type OwnModules = {
  buffer: { Buffer: { from(data: unknown, encoding?: string): Bytes } };
};

export type Bytes = Uint8Array & { toString(encoding?: string): string };

/** Arguments of a module's text besides `module`, `exports` and `require`. */
export type ModuleParts = Omit<RequirerOptions, "load" | "system"> & { call: SystemCall };

/**
 * Runs inside QuickJS, from its source text: it may refer to nothing outside itself.
 * Modules are read when the code requires them, and each is run once.
 */
export function createRequirer({ load, system, fetch, ask, setTimeout }: RequirerOptions): Require {
  type Module = { exports: unknown };
  type Load = (name: unknown) => unknown;
  type ModuleFunction = (module: Module, exports: unknown, require: Load, parts: ModuleParts) => void;
  const { parse, stringify } = JSON;
  const FunctionOf = (() => {}).constructor as new (body: string) => () => ModuleFunction;
  const loaded: Record<string, Module> = Object.create(null);

  const call: SystemCall = (request: object) => {
    const { value, error } = parse(system(stringify(request)));
    if (error !== undefined) throw new TypeError(error);
    return value;
  };

  const require: Load = (given) => {
    const name = String(given).replace(/^node:/, "");
    const known = loaded[name];
    if (known !== undefined) return known.exports;
    const text = load(name);
    if (text === "") throw new Error(`The sandbox has no module ${name}. Use fetch and plain JavaScript.`);
    const module: Module = { exports: {} };
    loaded[name] = module;
    new FunctionOf(`return ${text}`)()(module, module.exports, require, { fetch, ask, call, setTimeout });
    return module.exports;
  };
  return require as Require;
}
