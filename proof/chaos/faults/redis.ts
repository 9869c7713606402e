import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../house/cluster.ts";
import type { Fault } from "./fault.ts";

const onlyRedis = ({ redis }: Cluster) => (redis === undefined ? "there is no Redis between these servers" : undefined);

/** Everything that Redis knows is gone: what was to wake processes, and who follows what. */
export const flushedRedis: Fault = {
  name: "FLUSHALL",
  whyNot: onlyRedis,
  async strike({ cluster, struck }) {
    struck();
    execFileSync("redis-cli", ["-u", cluster.redis?.url ?? "", "flushall"], { stdio: "ignore" });
  },
};

/** Redis ends at once, keeps nothing, and comes back. */
export const restartedRedis: Fault = {
  name: "Redis restart",
  whyNot: onlyRedis,
  async strike({ cluster, random, struck }) {
    struck();
    await cluster.redis?.kill();
    await sleep(random.between(0, 3_000));
    await cluster.redis?.start();
  },
};

/** Connections stay open, and nothing answers. */
export const frozenRedis: Fault = {
  name: "Redis freeze",
  whyNot: onlyRedis,
  async strike({ cluster, random, struck }) {
    struck();
    cluster.redis?.freeze();
    await sleep(random.between(3_000, 8_000));
    cluster.redis?.thaw();
  },
};
