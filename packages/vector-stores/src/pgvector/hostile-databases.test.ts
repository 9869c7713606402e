// @tier long: forty servers that do not answer take four processor seconds.
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { createEgressClient } from "@weft/egress";
import { createForeignPool } from "@weft/sql";
import { longestTurnOf } from "../../../schema/src/testing/processor-time.ts";
import { hostileServers } from "../../../sql/src/testing/hostile-servers.ts";
import { services } from "../testing/bench.ts";
import { createPgvectorStore, type PgvectorStoreOptions, pgvectorTraits } from "./pgvector-store.ts";

const openForeign: PgvectorStoreOptions["openForeign"] = (place, maxConnections) => {
  const { connect } = createEgressClient({ allow: [`${place.host}:${place.port}`] });
  return createForeignPool(place, { connect, maxConnections, connectMs: 500 });
};

async function failureAt(port: number): Promise<unknown> {
  const deps = { databaseUrl: "", permitsHost: () => true, openForeign, reveal: (text: string) => text };
  const store = createPgvectorStore({ ...deps, maxConnections: 1 });
  const readCredential = async () => ({ user: "weft", password: "hunter2" });
  const config = pgvectorTraits.config.parse({ host: "127.0.0.1", port, database: "shop", credential: "id" });
  try {
    const signal = AbortSignal.timeout(1_500);
    const collection = { collection: "c", embedderId: "e", dimension: 2 };
    await (await store.definition.open(config, collection, { ...services, readCredential })).count({ signal });
    return undefined;
  } catch (error) {
    return error;
  } finally {
    await store.close();
  }
}

test("a server that is no database costs the one request, and the process neither ends nor waits", async (t) => {
  const url = new URL("../../../sql/src/testing/hostile-servers.ts", import.meta.url);
  const worker = new Worker(url, { workerData: "serve hostile servers" });
  t.after(() => worker.terminate());
  const ports = await new Promise<number[]>((resolve) => worker.once("message", resolve));
  const servers = hostileServers.flatMap(({ name, engine }, index) => (engine === "postgres" ? [{ name, index }] : []));
  assert.ok(servers.length >= 40, String(servers.length));
  const next = async (waiting: typeof servers): Promise<void> => {
    for (let server = waiting.shift(); server !== undefined; server = waiting.shift()) {
      const error = await failureAt(ports[server.index] ?? 0);
      assert.ok(error instanceof Error, `${server.name}: no error`);
      assert.doesNotMatch(JSON.stringify(error) + error.message, /hunter2/, server.name);
    }
  };
  const askAll = async () => {
    const waiting = [...servers];
    await Promise.all(Array.from({ length: 4 }, () => next(waiting)));
  };
  // Usual: 10 ms.
  const longestMs = await longestTurnOf(askAll, 300);
  assert.ok(longestMs < 300, `the loop was busy for ${longestMs} ms without a pause, three times`);
});
