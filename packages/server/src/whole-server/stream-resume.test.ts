// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import type { Frame } from "@weft/http/event-stream";
import type { Script } from "@weft/providers/testing";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { openReader, readFrames } from "../predictions/testing/stream-client.ts";
import { countingFlow, countingScript } from "../testing/counting-api.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { openProcessBench, shortLease, sideBySide } from "../testing/process-bench.ts";
import { llmFlow } from "../testing/test-platform.ts";

const message = { question: "Go", chatId: "chat", streaming: true };
const isToken = ({ event }: Frame) => event === "token";

async function setUp(t: TestContext, databases: TestDatabases, script: Script) {
  const { startApi, startModel, start } = await openProcessBench(t, databases);
  return { api: await startApi(), model: await startModel(script), start: () => start(shortLease) };
}

async function createAgent(platform: PlatformProcess, flowData: string): Promise<string> {
  return (await platform.call<{ id: string }>("POST", "/chatflows", { name: "Agent", flowData })).id;
}

/** The stream of a run: after a frame, or from its start. */
async function connect(platform: PlatformProcess, runId: string, last?: Frame) {
  const headers = { authorization: `Bearer ${platform.token}`, ...(last && { "last-event-id": last.id }) };
  const response = await fetch(`${platform.url}/api/v1/executions/${runId}/events`, { headers });
  assert.equal(response.status, 200);
  return openReader(response);
}

const runOf = (frames: readonly Frame[]) => frames[0]?.id.split(":")[0] ?? "";

/** Says half a sentence and no more when it is asked for the first time, another sentence from then on. */
const interrupted: Script = (_request, index) =>
  index === 0 ? { hang: true, afterText: "Once upon a" } : { text: "There was a king." };

await forEachDatabase((databases) => {
  describe("a stream whose server is killed", sideBySide, () => {
    it("goes on at the next server: what was half said is void, what is said instead follows", async (t) => {
      const { model, start } = await setUp(t, databases, interrupted);
      const first = await start();
      const agentId = await createAgent(first, llmFlow());
      const reader = openReader(await first.send("POST", `/prediction/${agentId}`, message));
      const had = await reader.read((frames) => readFrames(frames).text === "Once upon a");
      await first.kill("SIGKILL");
      assert.deepEqual(await reader.read(), had);

      const second = await start();
      const runId = runOf(had);
      const rest = await (await connect(second, runId, had.at(-1))).read();
      const all = [...had, ...rest];
      assert.deepEqual(rest.find(({ event }) => event === "restart")?.data, { keep: 0 });
      assert.equal(readFrames(all).text, "There was a king.");
      assert.deepEqual(readFrames(all), readFrames(await (await connect(second, runId)).read()));
      assert.equal(all.at(-1)?.event, "end");
      assert.equal(model.count(), 2);
      const messages = await second.call<{ content: string }[]>("GET", `/chatmessage/${agentId}?chatId=chat`);
      assert.equal(messages[1]?.content, "There was a king.");
    });

    it("has every step of an agent once, wherever the client was cut off", async (t) => {
      const { api, start } = await setUp(t, databases, countingScript("slow_read"));
      const first = await start();
      const agentId = await createAgent(first, countingFlow(api));
      const reader = openReader(await first.send("POST", `/prediction/${agentId}`, message));
      const reading = reader.read();
      await api.reached;
      await first.kill("SIGKILL");
      const had = await reading;
      api.release();

      const second = await start();
      const runId = runOf(had);
      const whole = readFrames(await (await connect(second, runId)).read());
      assert.match(whole.text, /^Finished: /);
      assert.equal(whole.events.filter(([event]) => event === "usedTools").length, 2);
      for (const [index, last] of had.entries()) {
        const rest = await (await connect(second, runId, last)).read();
        assert.deepEqual(readFrames([...had.slice(0, index + 1), ...rest]), whole, last.id);
      }
      assert.equal(api.counts.get("/quick"), 1);
    });

    it("is the stream of the same run when the prediction is repeated with its key", async (t) => {
      const { model, start } = await setUp(t, databases, interrupted);
      const first = await start();
      const agentId = await createAgent(first, llmFlow());
      const ask = (platform: PlatformProcess, body: object, key: string) =>
        fetch(`${platform.url}/api/v1/prediction/${agentId}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${first.token}`,
            "content-type": "application/json",
            "idempotency-key": key,
          },
          body: JSON.stringify(body),
        });
      const reader = openReader(await ask(first, message, "streamed"));
      const had = await reader.read((frames) => frames.some(isToken));
      const answered = await (await ask(first, { question: "Go", chatId: "another" }, "plain")).json();
      await first.kill("SIGKILL");

      const second = await start();
      const again = await openReader(await ask(second, message, "streamed")).read();
      assert.equal(runOf(again), runOf(had));
      assert.equal(readFrames(again).text, "There was a king.");
      assert.deepEqual(await (await ask(second, { question: "Go", chatId: "another" }, "plain")).json(), answered);
      assert.equal(model.count(), 3);
    });

    it("is broken off, and not ended, by a server that stops", async (t) => {
      const { start } = await setUp(t, databases, interrupted);
      const first = await start();
      const agentId = await createAgent(first, llmFlow());
      const reader = openReader(await first.send("POST", `/prediction/${agentId}`, message));
      const had = await reader.read((frames) => readFrames(frames).text === "Once upon a");
      const follower = await connect(first, runOf(had));
      await follower.read((frames) => frames.some(isToken));
      await first.kill("SIGTERM");
      assert.deepEqual(await reader.read(), had);
      assert.equal(
        (await follower.read()).some(({ event }) => event === "end"),
        false,
      );

      const second = await start();
      const rest = await (await connect(second, runOf(had), had.at(-1))).read();
      assert.equal(readFrames([...had, ...rest]).text, "There was a king.");
    });
  });

  if (databases.name !== "postgres") return;

  describe("a stream read at another process", sideBySide, () => {
    it("has the same events and text, as they are journalled", async (t) => {
      const { api, start } = await setUp(t, databases, countingScript("slow_read"));
      const [first, second] = await Promise.all([start(), start()]);
      const agentId = await createAgent(first, countingFlow(api));
      const stays = openReader(await first.send("POST", `/prediction/${agentId}`, message));
      const had = await stays.read((frames) => frames.filter(({ event }) => event === "calledTools").length === 2);
      const elsewhere = await connect(second, runOf(had), had[2]);
      await elsewhere.read((frames) => frames.at(-1)?.id === had.at(-1)?.id);
      api.release();
      const stayed = readFrames(await stays.read());
      assert.deepEqual(readFrames([...had.slice(0, 3), ...(await elsewhere.read())]), stayed);
    });

    it("goes on when that process takes the run over from one that was killed", async (t) => {
      const { start } = await setUp(t, databases, interrupted);
      const [first, second] = await Promise.all([start(), start()]);
      const agentId = await createAgent(first, llmFlow());
      const reader = openReader(await first.send("POST", `/prediction/${agentId}`, message));
      const had = await reader.read((frames) => readFrames(frames).text === "Once upon a");
      const elsewhere = await connect(second, runOf(had), had.at(-1));
      await first.kill("SIGKILL");
      const all = [...had, ...(await elsewhere.read())];
      assert.equal(readFrames(all).text, "There was a king.");
      assert.deepEqual(readFrames(all), readFrames(await (await connect(second, runOf(had))).read()));
    });
  });
});
