import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./fault.ts";

/** SIGKILL of one server while it works, and its restart. */
export const kill: Fault = {
  name: "kill -9",
  async strike({ cluster, random, struck }) {
    const index = random.between(0, cluster.count - 1);
    struck();
    await cluster.kill(index);
    await sleep(random.between(0, 1_000));
    await cluster.start(index);
  },
};

/** Longer than any lease (6 s): others take its runs over, and then it goes on where it was. */
const frozenMs = { from: 8_000, to: 11_000 };

/** SIGSTOP of one server, then SIGCONT. */
export const freeze: Fault = {
  name: "freeze",
  async strike({ cluster, random, struck }) {
    const index = random.between(0, cluster.count - 1);
    struck();
    cluster.freeze(index);
    await sleep(random.between(frozenMs.from, frozenMs.to));
    cluster.thaw(index);
  },
};
