import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { Worker } from "node:worker_threads";
import { createEgressClient } from "@weft/egress";
import { longestTurnOf } from "../../schema/src/testing/processor-time.ts";
import { createSqlClient } from "./index.ts";
import { hostileServers } from "./testing/hostile-servers.ts";
import { standardCall } from "./testing/test-sources.ts";

async function start(t: TestContext) {
  const url = new URL("./testing/hostile-servers.ts", import.meta.url);
  const worker = new Worker(url, { workerData: "serve hostile servers" });
  t.after(() => worker.terminate());
  const ports = await new Promise<number[]>((resolve) => worker.once("message", resolve));
  const { connect, reveal } = createEgressClient({ allow: ports.map((port) => `127.0.0.1:${port}`) });
  const client = createSqlClient({ connect, reveal, filesDir: "", maxStatements: 1_000, graceMs: 100 });
  t.after(client.close);
  const place = { host: "127.0.0.1", user: "weft", password: "hunter2", database: "shop", tls: false };
  const ask = (index: number) =>
    client.run({
      ...standardCall,
      ...{ database: { engine: hostileServers[index]?.engine ?? "postgres", port: ports[index] ?? 0, ...place } },
      ...{ statement: "select 1", timeoutMs: 500, signal: new AbortController().signal },
    });
  return { ask };
}

test("a database server that is none costs the one call, and nothing else notices", async (t) => {
  const { ask } = await start(t);
  const next = async (waiting: number[]): Promise<void> => {
    for (let index = waiting.shift(); index !== undefined; index = waiting.shift()) {
      const { engine, name } = hostileServers[index] ?? { engine: "postgres", name: "" };
      const outcome = await ask(index);
      const words = `${engine}, ${name}: ${JSON.stringify(outcome)}`;
      // One that keeps to the protocol may say that there is nothing.
      assert.ok(outcome.ok ? outcome.value.rows.length <= 1 : outcome.reason.length < 1_000, words);
      assert.doesNotMatch(words, /hunter2/);
    }
  };
  const askAll = async () => {
    const waiting = [...hostileServers.keys()];
    await Promise.all(Array.from({ length: 4 }, () => next(waiting)));
  };
  // Usual: 10 ms.
  const longestMs = await longestTurnOf(askAll, 300);
  assert.ok(longestMs < 300, `the loop was busy for ${longestMs} ms without a pause, three times`);
});
