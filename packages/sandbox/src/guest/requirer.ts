import type { Asker } from "./asker.ts";
import type { Fetch } from "./fetcher.ts";
import type { Timers } from "./timers.ts";

/** A function that the code's own language lacks and the host provides, as data: see `answerSystemCall`. */
export type SystemCall = (request: Record<string, unknown>) => unknown;

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

export type Require = (name: unknown) => unknown;

/** Arguments of a module's text besides `module`, `exports` and `require`. */
export type ModuleParts = { fetch: Fetch | undefined; ask: Asker["ask"] | undefined; call: SystemCall } & Pick<
  RequirerOptions,
  "setTimeout"
>;

/**
 * Runs inside QuickJS, from its source text: it may refer to nothing outside itself.
 * Modules are read when the code requires them, and each is run once.
 */
export function createRequirer({ load, system, fetch, ask, setTimeout }: RequirerOptions): Require {
  type Module = { exports: unknown };
  type ModuleFunction = (module: Module, exports: unknown, require: Require, parts: ModuleParts) => void;
  const { parse, stringify } = JSON;
  const FunctionOf = (() => {}).constructor as new (body: string) => () => ModuleFunction;
  const loaded: Record<string, Module> = Object.create(null);

  const call: SystemCall = (request) => {
    const { value, error } = parse(system(stringify(request)));
    if (error !== undefined) throw new TypeError(error);
    return value;
  };

  const require: Require = (given) => {
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
  return require;
}
