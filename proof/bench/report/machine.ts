import { availableParallelism, cpus, loadavg, totalmem } from "node:os";

/** What figures depend on besides the code. `load`: the average of the last minute, runnable processes. */
export type Machine = { cores: number; model: string; memoryGb: number; node: string; load: number };

export function readMachine(): Machine {
  return {
    cores: availableParallelism(),
    model: cpus()[0]?.model.trim() ?? "unknown",
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
    load: loadavg()[0] ?? Number.NaN,
  };
}

/** With more load than this before the start, something else uses the machine. */
const calmLoad = 0.5;

export function describeMachine({ cores, model, memoryGb, node, load }: Machine): string {
  const line = `${cores} cores (${model}), ${memoryGb} GB, Node ${node}; load ${load.toFixed(2)} before the start`;
  if (load <= calmLoad) return line;
  return `${line}\nWARNING: the machine is busy (load above ${calmLoad}). Rates will be low and latencies high; repeat when it is calm.`;
}
