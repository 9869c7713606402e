import { Worker } from "node:worker_threads";
import { serveRequests } from "./serve-requests.ts";

/**
 * A process that queries third-party databases, whose bytes are parsed only here. Its first thread has the drivers; a
 * second one monitors it, and ends the process if the first hangs while it works, if it takes too much memory, and if
 * its parent process is gone. Only the calls of this process are lost.
 */
type Watched = { shared: Int32Array; parentId: number };

const beatMs = 50;

/** Heartbeats of the first thread, how long it may hang and be busy (0: no limit), and megabytes of all memory. */
const shared = new Int32Array(new SharedArrayBuffer(16)).fill(256, 3);

process.once("disconnect", () => process.exit());
// A handler that fails on a server's message leaves no trustworthy state.
process.on("uncaughtException", () => process.exit(1));
setInterval(() => Atomics.add(shared, 0, 1), beatMs).unref();
// As text, without a file: a thread that has to load TypeScript takes 30 MB.
new Worker(`(${watch})(require("node:worker_threads").workerData)`, {
  eval: true,
  workerData: { shared, parentId: process.ppid } satisfies Watched,
  resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 1 },
});
serveRequests({
  limit({ maxStillMs = 0, maxBusyMs = 0, maxMb }) {
    Atomics.store(shared, 3, maxMb);
    Atomics.add(shared, 0, 1);
    Atomics.store(shared, 1, maxStillMs);
    Atomics.store(shared, 2, maxBusyMs);
  },
});

/** Must not use anything from its surroundings. */
function watch({ shared, parentId }: Watched): void {
  const lookMs = 25;
  let lastBeat = -1;
  let stillMs = 0;
  let busyMs = 0;
  let lookedAt = performance.now();
  let used = process.cpuUsage();
  setInterval(() => {
    const now = performance.now();
    const beat = Atomics.load(shared, 0);
    // A machine that was asleep does not count as one long silence.
    stillMs = beat === lastBeat ? stillMs + Math.min(now - lookedAt, 10 * lookMs) : 0;
    const { user, system } = process.cpuUsage(used);
    busyMs = beat === lastBeat ? busyMs + (user + system) / 1_000 : 0;
    lastBeat = beat;
    lookedAt = now;
    used = process.cpuUsage();
    const [maxStillMs, maxBusyMs] = [Atomics.load(shared, 1), Atomics.load(shared, 2)];
    const isStuck = (maxStillMs > 0 && stillMs > maxStillMs) || (maxBusyMs > 0 && busyMs > maxBusyMs);
    const isLarge = process.memoryUsage.rss() > Atomics.load(shared, 3) * 1024 * 1024;
    if (isStuck || isLarge || process.ppid !== parentId) process.kill(process.pid, "SIGKILL");
  }, lookMs);
}
