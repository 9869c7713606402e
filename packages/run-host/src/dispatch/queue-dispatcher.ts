import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@weft/http/logger";
import type { Queue, Worker } from "bullmq";
import type { Dispatcher } from "./dispatcher.ts";
import { openRedisLink, type RedisLink, type RedisLinkOptions } from "./redis-link.ts";

/** What processes tell each other through Redis. */
export type RedisDispatch = { link: RedisLink; dispatcher: Dispatcher };

/** Connects to Redis or Valkey in the background: a start does not wait for it, and nothing is lost without it. */
export async function openRedisDispatch(options: RedisLinkOptions): Promise<RedisDispatch> {
  const link = await openRedisLink(options);
  return { link, dispatcher: await createQueueDispatcher(link, options.logger) };
}

const queueName = "ready-runs";
/** What is announced within this time is added in one command. */
const gatherMs = 2;
/** Bounds what is kept while Redis does not answer: later runs are found by looking. */
const mostGathered = 10_000;
/** Without Redis nothing is said any more. */
const closeWithinMs = 1_000;

/**
 * Wakes one process for each ready run, through a BullMQ queue. A process takes the next job when it has a place, so jobs
 * go where room is. A job says no more than that there may be a run.
 */
async function createQueueDispatcher(link: RedisLink, logger: Pick<Logger, "warn">): Promise<Dispatcher> {
  const bull = await import("bullmq");
  const { prefix } = link;
  const queue: Queue = new bull.Queue(queueName, {
    prefix,
    connection: link.commands,
    skipVersionCheck: true,
    defaultJobOptions: { removeOnComplete: true, removeOnFail: true },
  });
  const ignore = (): undefined => undefined;
  // The link says when Redis is lost.
  queue.on("error", ignore);
  let worker: Worker | undefined;
  let gathered: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<unknown> | undefined;

  /** One command at a time: without Redis it waits. */
  async function send(): Promise<void> {
    timer = undefined;
    if (sending || gathered.length === 0) return;
    const jobs = gathered.map((runId) => ({ name: "ready", data: runId }));
    gathered = [];
    sending = queue.addBulk(jobs).catch(ignore);
    await sending;
    sending = undefined;
    await send();
  }

  return {
    announce(runId) {
      if (gathered.length < mostGathered) gathered.push(runId);
      timer ??= setTimeout(send, gatherMs);
    },
    onWake(wake) {
      const work = () => wake().catch((cause: unknown) => logger.warn("ready-runs-not-claimed", { cause }));
      worker = new bull.Worker(queueName, work, {
        prefix,
        connection: link.openWaiting(),
        skipVersionCheck: true,
        removeOnComplete: { count: 0 },
        removeOnFail: { count: 0 },
      });
      worker.on("error", ignore);
    },
    async close() {
      clearTimeout(timer);
      const ending = async () => {
        await send();
        await worker?.close(true);
        await queue.close();
      };
      await Promise.race([ending().catch(ignore), sleep(closeWithinMs, undefined, { ref: false })]);
    },
  };
}
