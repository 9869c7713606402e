import { writeSync } from "node:fs";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";

// Loaded into the server and its worker threads by `--import`, before their own code: counts what runs through
// node:sqlite, `begin` and `commit` included, and writes `sqlite statements: N` to standard error at SIGUSR2.

const key = "weft-bench-statements";
if (isMainThread) setEnvironmentData(key, new SharedArrayBuffer(4));
const counter = new Int32Array(getEnvironmentData(key) as unknown as SharedArrayBuffer);

countCalls(StatementSync.prototype, ["run", "get", "all", "iterate"]);
countCalls(DatabaseSync.prototype, ["exec"]);
if (isMainThread) process.on("SIGUSR2", () => writeSync(2, `sqlite statements: ${Atomics.load(counter, 0)}\n`));

function countCalls<Prototype extends object>(
  prototype: Prototype,
  names: readonly (keyof Prototype & string)[],
): void {
  for (const name of names) {
    const original = prototype[name] as (...args: unknown[]) => unknown;
    const counted = function (this: unknown, ...args: unknown[]) {
      Atomics.add(counter, 0, 1);
      return original.apply(this, args);
    };
    Object.defineProperty(prototype, name, { value: counted });
  }
}
