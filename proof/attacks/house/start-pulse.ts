import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/**
 * Answers of `/api/v1/ping` since the last look, in milliseconds; those still open count as long as they have waited.
 * `failed`: why the others were not answered.
 */
export type Beats = { maxMs: number; p99Ms: number; count: number; failed: readonly string[] };

/** Pings a server every 10 ms from a process of its own, in an open loop. */
export type Pulse = { take(): Promise<Beats>; stop(): Promise<void> };

export async function startPulse(url: string): Promise<Pulse> {
  const child: ChildProcess = fork(fileURLToPath(new URL("pulse-process.ts", import.meta.url)), [`${url}/api/v1/ping`]);
  process.once("exit", () => child.kill("SIGKILL"));
  return {
    async take() {
      child.send("take");
      const [{ times, failed }] = (await once(child, "message")) as [{ times: number[]; failed: string[] }];
      const sorted = times.toSorted((a, b) => a - b);
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
      return { maxMs: at(1), p99Ms: at(0.99), count: times.length, failed };
    },
    async stop() {
      child.disconnect();
      await once(child, "exit");
    },
  };
}
