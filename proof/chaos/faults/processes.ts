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

/**
 * Everything that one server holds open to PostgreSQL and Redis stays open, and nothing comes through any more, as when a
 * firewall forgets connections. The other end keeps its side: a transaction is held there until it times out.
 */
export const deadLines: Fault = {
  name: "half-open connections",
  whyNot: ({ name }) => (name === "sqlite" ? "SQLite has no connections" : undefined),
  async strike({ cluster, random, struck }) {
    struck();
    cluster.silence(random.between(0, cluster.count - 1));
    await sleep(random.between(4_000, 8_000));
  },
};
