// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { it } from "node:test";
import type { Execution } from "@weft/schema";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { countingFlow, countingScript } from "../testing/counting-api.ts";
import { openProcessBench, shortLease } from "../testing/process-bench.ts";
import { flowOf } from "../testing/test-platform.ts";

type Message = { role: string; content: string; usedTools: { tool: string; toolOutput: string }[] };

await forEachDatabase((databases) => {
  for (const slowTool of ["slow_read", "slow_write"] as const) {
    it(`survives kill -9 while ${slowTool} runs: the finished call was made once, the answer is in the chat`, async (t) => {
      const bench = await openProcessBench(t, databases);
      const api = await bench.startApi();
      await bench.startModel(countingScript(slowTool));
      const first = await bench.start(shortLease);
      const flowData = countingFlow(api);
      const { id } = await first.call<{ id: string }>("POST", "/chatflows", { name: "slow", flowData });
      const asked = first.send("POST", `/prediction/${id}`, { question: "Go", chatId: "chat" }).catch(() => undefined);
      await api.reached;
      await first.kill("SIGKILL");
      await asked;
      api.release();

      const second = await bench.start(shortLease);
      const [question, answer] = await until(async () => {
        const list = await second.call<Message[]>("GET", `/chatmessage/${id}?chatId=chat`);
        return list.length === 2 ? list : undefined;
      });
      assert.equal(question?.content, "Go");
      assert.match(answer?.content ?? "", /^Finished: /);
      assert.equal(api.counts.get("/quick"), 1);
      const isWrite = slowTool === "slow_write";
      assert.equal(api.counts.get(`/${slowTool.replace("_", "-")}`), isWrite ? 1 : 2);
      if (isWrite) assert.match(answer?.content ?? "", /unknown whether it took effect/);
    });
  }

  it("gives a run up that ends its process again and again, although each time it asks for the same once more", async (t) => {
    const bench = await openProcessBench(t, databases);
    let requests = 0;
    const api = createServer(() => {
      requests += 1;
    });
    api.listen(0, "127.0.0.1");
    await once(api, "listening");
    bench.onEnd(() => {
      api.closeAllConnections();
      api.close();
    });
    const host = `127.0.0.1:${(api.address() as AddressInfo).port}`;
    const start = () => bench.start({ ...shortLease, EGRESS_ALLOW: host });
    let server = await start();
    const flowData = flowOf("http", "Call", { url: `http://${host}/` });
    const { id } = await server.call<{ id: string }>("POST", "/chatflows", { name: "Poison", flowData });
    const read = async () => {
      const { data } = await server.call<{ data: { id: string; state: string }[] }>("GET", "/executions?limit=1");
      return data[0];
    };
    server.send("POST", `/prediction/${id}`, { question: "Go" }).catch(() => undefined);
    const isOver = async () => (await read())?.state === "ERROR";
    let deaths = 0;
    for (;;) {
      const isAsked = () => requests > deaths;
      await until(async () => (isAsked() || (await isOver()) ? true : undefined));
      if (!isAsked()) break;
      // A call may begin before the journal has its run or step, which would then be a step further.
      await until(async () => {
        const run = await read();
        const { steps = [] } = run === undefined ? {} : await server.call<Execution>("GET", `/executions/${run.id}`);
        return steps.length === 2 ? steps : undefined;
      });
      await server.kill("SIGKILL");
      deaths += 1;
      assert.ok(deaths < 10, "the run goes on and on");
      server = await start();
    }
    assert.equal(deaths, 6);
    const failed = await server.call<{ error: { code: string } }>("GET", `/executions/${(await read())?.id}`);
    assert.equal(failed.error.code, "flow-crashed");
  });
});
