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

/** The unit of `/proc/stat` (USER_HZ), the same on all architectures that Node supports. */
const tickMs = 10;

/** Processor time of everything on the machine so far, in milliseconds; NaN where `/proc/stat` does not tell (proc_stat). */
export function readMachineMs(): number {
  try {
    const [, ...ticks] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0]?.split(/ +/) ?? [];
    const [user = 0, nice = 0, system = 0, , , interrupts = 0, softInterrupts = 0, steal = 0] = ticks.map(Number);
    return (user + nice + system + interrupts + softInterrupts + steal) * tickMs;
  } catch {
    return Number.NaN;
  }
}
