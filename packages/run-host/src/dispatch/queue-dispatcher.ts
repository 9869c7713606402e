import { setTimeout as sleep } from "node:timers/promises";
import type { WritableDatabase } from "@weft/database";
import type { WarningLogger } from "@weft/http/logger";
import type { Queue, Worker } from "bullmq";
import { type Dispatcher, toStep, type Work } from "./dispatcher.ts";
import { openRedisLink, type RedisLink, type RedisLinkOptions } from "./redis-link.ts";
import { createNoteBox, loadNoteKey, type NoteBox } from "./sealed-notes.ts";

/** Communication between processes through Redis. */
export type RedisDispatch = { link: RedisLink; dispatcher: Dispatcher; notes: NoteBox };

/** Connects to Redis or Valkey in the background: startup does not wait for it, and nothing is lost without it. */
export async function openRedisDispatch({
  database,
  ...options
}: RedisLinkOptions & { database: WritableDatabase }): Promise<RedisDispatch> {
  const notes = createNoteBox(await loadNoteKey(database));
  const link = await openRedisLink(options);
  return { link, dispatcher: await createQueueDispatcher(link, options.logger), notes };
}

const queueNames = { runs: "ready-runs", due: "due-work" } as const satisfies Record<Work, string>;
/** Announcements within this time are added in one command. */
const gatherMs = 2;
/** Limits what is queued while Redis does not respond: polling finds later work. */
const mostGathered = 10_000;
/** Without Redis, pending announcements are dropped. */
const closeWithinMs = 1_000;

/**
 * Wakes one process for each ready run, and for each moment at which something is due, through BullMQ queues. A process
 * takes the next job when it has a place, so jobs go where there is room. A job only hints that there may be work.
 */
async function createQueueDispatcher(link: RedisLink, logger: WarningLogger): Promise<Dispatcher> {
  const bull = await import("bullmq");
  const queues = { runs: openQueue(bull, link, "runs"), due: openQueue(bull, link, "due") };

  return {
    announce(work, at) {
      const now = Date.now();
      if (work === "runs" || at === undefined) return queues[work].add({ name: work, data: "" });
      const step = toStep(at, now);
      // One of several equal moments is kept.
      if (step === undefined) return;
      const opts = { delay: step - now, jobId: `at-${step}` };
      queues.due.add({ name: work, data: "", opts });
    },
    onWake(work, wake) {
      return queues[work].onWake(() =>
        wake().catch((cause: unknown) => logger.warn("work-not-done", { cause, reason: work })),
      );
    },
    async close() {
      const ending = Promise.all([queues.runs.close(), queues.due.close()]);
      await Promise.race([ending.catch(ignore), sleep(closeWithinMs, undefined, { ref: false })]);
    },
  };
}

const ignore = (): undefined => undefined;

type Job = { name: string; data: string; opts?: { delay: number; jobId: string } };

function openQueue(bull: typeof import("bullmq"), link: RedisLink, work: Work) {
  const { prefix } = link;
  const queue: Queue = new bull.Queue(queueNames[work], {
    prefix,
    connection: link.commands,
    skipVersionCheck: true,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  // The link reports the loss of Redis.
  queue.on("error", ignore);
  const wakes = new Set<() => Promise<void>>();
  let worker: Worker | undefined;
  let gathered: Job[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> | undefined;
  let ended = false;

  /** One command at a time: without Redis it waits. */
  async function send(): Promise<void> {
    timer = undefined;
    if (sending || gathered.length === 0) return;
    const jobs = gathered;
    gathered = [];
    sending = queue.addBulk(jobs).catch(ignore);
    await sending;
    sending = undefined;
    await send();
  }

  function startWorker(): Worker {
    const wakeAll = () => Promise.all([...wakes].map((wake) => wake()));
    const started = new bull.Worker(queueNames[work], wakeAll, {
      prefix,
      connection: link.openWaiting(),
      skipVersionCheck: true,
      removeOnComplete: { count: 0 },
      removeOnFail: { count: 0 },
    });
    started.on("error", ignore);
    return started;
  }

  return {
    add(job: Job): void {
      if (ended) return;
      if (gathered.length < mostGathered) gathered.push(job);
      timer ??= setTimeout(send, gatherMs);
    },
    onWake(wake: () => Promise<void>): () => void {
      wakes.add(wake);
      worker ??= startWorker();
      return () => void wakes.delete(wake);
    },
    async close(): Promise<void> {
      ended = true;
      // The worker may still take a job before Redis learns that it closed: that job wakes nobody any more.
      wakes.clear();
      clearTimeout(timer);
      await send();
      await worker?.close(true);
      await queue.close();
    },
  };
}
