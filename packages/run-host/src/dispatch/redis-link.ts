import type { WarningLogger } from "@weft/http/logger";
import type { Redis } from "ioredis";

export type RedisLink = {
  /** Prefix of all names in Redis. */
  prefix: string;
  /** For commands. They fail at once while disconnected, and after two seconds without a reply. */
  commands: Redis;
  /** Opens a connection for a queue's worker. */
  openWaiting(): Redis;
  /** Opens a connection for subscriptions. */
  openListening(): Redis;
  close(): Promise<void>;
};

export type RedisLinkOptions = { url: string; prefix: string; logger: WarningLogger };

const answerWithinMs = 2_000;
const mostPauseMs = 2_000;
/** The system probes a connection that has been idle for this long. */
const keepAliveMs = 5_000;
/** A connection without a reply for this long is dead and replaced. */
const silentMs = 4_000;
/** A queue's worker waits up to ten seconds for a job. */
const silentWaitingMs = 15_000;
/** How often a subscription, which otherwise only listens, sends a ping. */
const askEveryMs = 2_000;

/** Connects in the background, with retries. Loads the driver lazily, since nothing needs it without Redis. */
export async function openRedisLink({ url, prefix, logger }: RedisLinkOptions): Promise<RedisLink> {
  const { Redis } = await import("ioredis");
  const open: Redis[] = [];
  let isLost = false;

  function connect(options: object): Redis {
    const redis = new Redis(url, {
      connectionName: "weft",
      keepAlive: keepAliveMs,
      retryStrategy: (attempts) => Math.min(attempts * 100, mostPauseMs),
      ...options,
    });
    // One line per disconnection, not per attempt.
    redis.on("error", (cause: unknown) => {
      if (!isLost) logger.warn("redis-unreachable", { cause });
      isLost = true;
    });
    redis.on("ready", () => {
      isLost = false;
    });
    open.push(redis);
    return redis;
  }

  return {
    prefix,
    commands: connect({
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: answerWithinMs,
      socketTimeout: silentMs,
    }),
    openWaiting: () => connect({ maxRetriesPerRequest: null, socketTimeout: silentWaitingMs }),
    openListening() {
      const redis = connect({ maxRetriesPerRequest: null, socketTimeout: silentMs });
      const ask = setInterval(() => {
        if (redis.status === "ready") redis.ping().catch(() => undefined);
      }, askEveryMs).unref();
      redis.once("end", () => clearInterval(ask));
      return redis;
    },
    async close() {
      for (const redis of open) redis.disconnect();
    },
  };
}
