import assert from "node:assert/strict";
import { it } from "node:test";
import { Client } from "pg";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { openProcessBench } from "../testing/process-bench.ts";

const rounds = 5;

await forEachDatabase((databases) => {
  if (databases.name !== "postgres") return;

  it("outlives that the database ends all its connections under load, and loses nothing that it acknowledged", async (t) => {
    const { storage, start, onEnd } = await openProcessBench(t, databases);
    const { databaseUrl, dataDir } = storage;
    const ownUrl = new URL(databaseUrl);
    // Others use the server, too.
    const application = dataDir.slice(-40);
    ownUrl.searchParams.set("application_name", application);
    const platform = await start({ DATABASE_URL: ownUrl.href.replaceAll("+", "%20") });
    const admin = new Client({ connectionString: databaseUrl });
    await admin.connect();
    onEnd(() => admin.end());
    const endBusyConnections = () =>
      until(async () => {
        const { rows } = await admin.query(
          `with mine as materialized (select pid, state from pg_stat_activity where application_name = $1)
           select pg_terminate_backend(pid) from mine where exists (select from mine where state <> 'idle')`,
          [application],
        );
        return rows.length > 0 ? rows.length : undefined;
      });

    const flowData = JSON.stringify({ weft: 1, nodes: [{ id: "start_0", type: "start" }], edges: [] });
    const { id: agentId } = await platform.call<{ id: string }>("POST", "/chatflows", { name: "Echo", flowData });
    let isLoaded = true;
    const created: string[] = [];
    const answered: string[] = [];
    const create = async (worker: number) => {
      for (let count = 0; isLoaded; count += 1) {
        const answer = await platform.send("POST", "/chatflows", { name: `Agent ${worker}-${count}`, flowData });
        const body = (await answer.json()) as { id: string };
        if (answer.ok) created.push(body.id);
      }
    };
    const ask = async (worker: number) => {
      for (let count = 0; isLoaded; count += 1) {
        const question = `${worker}-${count}`;
        const answer = await platform.send("POST", `/prediction/${agentId}`, { question, chatId: question });
        await answer.arrayBuffer();
        if (answer.ok) answered.push(question);
      }
    };
    const load = Promise.all([create(0), create(1), create(2), ask(3), ask(4), ask(5)]);
    for (let round = 1; round <= rounds; round += 1) {
      const [before, answeredBefore] = [created.length, answered.length];
      await endBusyConnections();
      await until(() => (created.length >= before + 10 && answered.length >= answeredBefore + 3 ? true : undefined));
    }
    isLoaded = false;
    await load;
    const stored = new Set((await platform.call<{ id: string }[]>("GET", "/chatflows")).map(({ id }) => id));
    assert.deepEqual(
      created.filter((id) => !stored.has(id)),
      [],
    );
    const messages = await platform.call<{ content: string }[]>("GET", `/chatmessage/${agentId}`);
    const kept = new Set(messages.map(({ content }) => content));
    assert.deepEqual(
      answered.filter((question) => !kept.has(question)),
      [],
    );
    assert.match(platform.output(), /database-connection-lost/);
  });
});
