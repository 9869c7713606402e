import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../../../../server/src/testing/free-port.ts";

/** A Redis of a test's own, which it may disturb. */
export type TestRedis = {
  url: string;
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Stops it where it is: connections stay open, and nothing answers. */
  freeze(): void;
  thaw(): void;
};

/** Whether `redis-server` is installed. Where `TEST_REDIS_REQUIRED` is set it must be. */
export function hasRedis(): boolean {
  const isThere = spawnSync("redis-server", ["--version"]).status === 0;
  if (!isThere && process.env.TEST_REDIS_REQUIRED) throw new Error("redis-server is not installed.");
  return isThere;
}

export async function startTestRedis(t: Pick<TestContext, "after">): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), "weft-redis-"));
  const port = await freePort();
  let server: ChildProcess | undefined;
  const redis: TestRedis = {
    url: `redis://127.0.0.1:${port}`,
    async start() {
      const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--dir", folder];
      server = spawn("redis-server", options, { stdio: "ignore" });
      await answering(port);
    },
    async kill() {
      if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
      const ended = once(server, "exit");
      server.kill("SIGKILL");
      await ended;
    },
    freeze: () => void server?.kill("SIGSTOP"),
    thaw: () => void server?.kill("SIGCONT"),
  };
  t.after(async () => {
    await redis.kill();
    await rm(folder, { recursive: true, force: true });
  });
  await redis.start();
  return redis;
}

async function answering(port: number): Promise<void> {
  for (let attempt = 0; attempt < 3_000; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    const isOpen = await new Promise<boolean>((resolve) => {
      socket.once("connect", () => resolve(true));
      socket.once("error", () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(25);
  }
  throw new Error(`redis-server does not answer on port ${port}.`);
}
