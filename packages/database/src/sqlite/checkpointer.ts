import { fstatSync } from "node:fs";
import { Worker } from "node:worker_threads";
import type { CheckpointMode } from "./checkpoint-worker.ts";

/**
 * Copies the write-ahead log into the database in a thread of its own: within a commit it would block the event loop
 * for as long as the disk takes. First what is there, while writes continue, then the rest, for which only the next
 * batch waits. Otherwise the log would grow for as long as someone writes.
 */
export type Checkpointer = {
  /** Call after a commit. */
  committed(): void;
  /** Undefined, or a promise that the next transaction must await. */
  busy(): Promise<void> | undefined;
  /** Copies all of the log, whatever its length, and empties it. Parts that someone still reads stay there. */
  empty(): Promise<void>;
  /** Resolves when its thread no longer uses the file. */
  close(): Promise<void>;
};

/** The log is copied at this length: some 1,500 runs. */
const maxLogBytes = 16 * 1024 * 1024;
/**
 * From this length on writes wait until it is copied: on a busy machine its thread is scheduled later than they are.
 */
const longestLogBytes = 3 * maxLogBytes;
/** How long the idle thread is kept. */
const idleMs = 30_000;

export type CheckpointerOptions = {
  path: string;
  /** File descriptor of the log. */
  log: number;
  /** Called when the thread failed. It is not restarted: SQLite has to copy the log itself. */
  onFailure(): void;
};

export function createCheckpointer({ path, log, onFailure }: CheckpointerOptions): Checkpointer {
  let thread: CheckpointThread | undefined;
  let work: Promise<void> | undefined;
  let restart: Promise<void> | undefined;
  let allowedBytes = maxLogBytes;
  let idle: NodeJS.Timeout | undefined;

  async function checkpoint(): Promise<void> {
    thread ??= startThread(path);
    await thread.run("passive");
    restart = thread.run("truncate");
    await restart;
    // Parts that someone still reads stay there.
    allowedBytes = maxLogBytes + fstatSync(log).size;
  }

  function begin(): Promise<void> {
    clearTimeout(idle);
    work = checkpoint()
      .catch(() => {
        allowedBytes = Number.POSITIVE_INFINITY;
        onFailure();
      })
      .finally(() => {
        work = undefined;
        restart = undefined;
        idle = setTimeout(() => void endThread(), idleMs).unref();
      });
    return work;
  }

  async function endThread(): Promise<void> {
    clearTimeout(idle);
    const ending = thread;
    thread = undefined;
    await ending?.close();
  }

  return {
    committed() {
      if (work !== undefined) {
        restart ??= fstatSync(log).size < allowedBytes + longestLogBytes - maxLogBytes ? undefined : work;
        return;
      }
      if (fstatSync(log).size >= allowedBytes) void begin();
    },
    async empty() {
      while (work !== undefined) await work;
      await begin();
    },
    busy: () => restart?.catch(() => undefined),
    async close() {
      await work;
      await endThread();
    },
  };
}

type CheckpointThread = { run(mode: CheckpointMode): Promise<void>; close(): Promise<void> };

function startThread(path: string): CheckpointThread {
  const worker = new Worker(new URL("./checkpoint-worker.ts", import.meta.url), {
    workerData: { path },
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  });
  // An otherwise idle process stays alive only for pending requests.
  worker.unref();
  const ended = new Promise<never>((_, reject) => {
    worker.once("error", reject);
    worker.once("exit", (code) => reject(new Error(`The thread of checkpoints ended with ${code}.`)));
  });
  ended.catch(() => undefined);
  return {
    async run(mode) {
      const done = new Promise<void>((resolve) => worker.once("message", () => resolve()));
      worker.ref();
      worker.postMessage(mode);
      await Promise.race([done, ended]).finally(() => worker.unref());
    },
    async close() {
      worker.ref();
      worker.postMessage("close");
      await ended.catch(() => undefined);
    },
  };
}
