import type { Logger } from "@weft/http/logger";
import type { Redis } from "ioredis";

/** Connections of this process to Redis or Valkey. */
export type RedisLink = {
  /** Names in Redis begin with it. */
  prefix: string;
  /** For commands. They fail at once while disconnected, and after two seconds without a reply. */
  commands: Redis;
  /** One more connection, for a queue's worker. */
  openWaiting(): Redis;
  /** One more connection, for subscriptions. */
  openListening(): Redis;
  close(): Promise<void>;
};

export type RedisLinkOptions = { url: string; prefix: string; logger: Pick<Logger, "warn"> };

const answerWithinMs = 2_000;
const mostPauseMs = 2_000;
/** A connection that nothing came through for so long is probed by the system. */
const keepAliveMs = 5_000;
/** One over which no answer came for so long is dead: another one takes its place. */
const silentMs = 4_000;
/** A queue's worker waits up to ten seconds for a job. */
const silentWaitingMs = 15_000;
/** How often a subscription, which otherwise only listens, asks for a sign of life. */
const askEveryMs = 2_000;

/** Connects in the background, again and again. Loads the driver, which nothing needs without Redis. */
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
    // One line for each time that it is lost, not one for each attempt.
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
