import { readdirSync, readFileSync } from "node:fs";

/** Processor time of a process so far, in milliseconds: of its main thread, and of all threads that still run. */
export type CpuTime = { mainMs: number; allMs: number };

/**
 * Reads the kernel's counters, which are exact to the nanosecond (proc_pid_schedstat). NaN where the kernel keeps none:
 * not on Linux, or without CONFIG_SCHED_INFO.
 */
export function readCpuTime(pid: number): CpuTime {
  try {
    const threads = readdirSync(`/proc/${pid}/task`).map((thread) => {
      const [runNs] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
      return { isMain: thread === String(pid), ms: Number(runNs) / 1e6 };
    });
    return {
      mainMs: threads.find(({ isMain }) => isMain)?.ms ?? Number.NaN,
      allMs: threads.reduce((sum, { ms }) => sum + ms, 0),
    };
  } catch {
    return { mainMs: Number.NaN, allMs: Number.NaN };
  }
}

/** Resident memory of a process in MB; NaN where `/proc` does not tell. */
export function readResidentMb(pid: number): number {
  try {
    return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
  } catch {
    return Number.NaN;
  }
}
