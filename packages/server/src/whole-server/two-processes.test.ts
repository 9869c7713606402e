// @tier long: it kills processes and waits for others to take over.
import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { countingFlow, countingScript } from "../testing/counting-api.ts";
import { type PlatformProcess, runServerToEnd } from "../testing/platform-process.ts";
import { openProcessBench, shortLease, sideBySide } from "../testing/process-bench.ts";

type Script = ReturnType<typeof countingScript>;

/** Two servers on one database, and an agent whose tool hangs until it is released. */
async function startTwo(
  t: TestContext,
  databases: TestDatabases,
  { script = countingScript("slow_read"), first: env = {} }: { script?: Script; first?: Record<string, string> } = {},
) {
  const { startApi, startModel, start } = await openProcessBench(t, databases);
  const api = await startApi();
  const asked = { model: 0 };
  await startModel((request) => {
    asked.model += 1;
    return script(request);
  });
  // At the same moment: both find an empty database, and no key yet.
  const [first, second] = await Promise.all([start(env), start()]);
  const flowData = countingFlow(api);
  const { id } = await first.call<{ id: string }>("POST", "/chatflows", { name: "slow", flowData });
  return { api, first, second, id, asked };
}

const messagesOf = (platform: PlatformProcess, id: string) =>
  platform.call<{ content: string }[]>("GET", `/chatmessage/${id}?chatId=chat`);

await forEachDatabase((databases) => {
  if (databases.name !== "postgres") return;

  describe("two processes on one PostgreSQL", sideBySide, () => {
    it("both serve, and each sees at once what the other wrote", async (t) => {
      const { api, first, second, id } = await startTwo(t, databases);
      api.release();
      assert.deepEqual(await second.call("GET", `/chatflows/${id}`), await first.call("GET", `/chatflows/${id}`));
      const ask = (platform: PlatformProcess, chatId: string) =>
        platform.call<{ text: string }>("POST", `/prediction/${id}`, { question: "Go", chatId });
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => ask(index % 2 === 0 ? first : second, `chat-${index}`)),
      );
      for (const { text } of answers) assert.match(text, /^Finished: /);
      assert.equal((await first.call<unknown[]>("GET", `/chatmessage/${id}`)).length, 20);
      assert.equal(api.counts.get("/quick"), 10);

      await second.call("PUT", `/chatflows/${id}`, { name: "Renamed" });
      assert.equal((await first.call<{ name: string }>("GET", `/chatflows/${id}`)).name, "Renamed");
      const flow = JSON.parse(countingFlow(api));
      flow.nodes[1].config.tools = [];
      await second.call("PUT", `/chatflows/${id}`, { flowData: JSON.stringify(flow) });
      await ask(first, "without tools");
      assert.equal(api.counts.get("/quick"), 10);
      await second.call("DELETE", `/chatflows/${id}`);
      assert.equal((await first.send("POST", `/prediction/${id}`, { question: "Go" })).status, 404);
    });

    it("share no folder where their keys come from the environment", async (t) => {
      const { storage, start } = await openProcessBench(t, databases);
      const key = Buffer.alloc(32, 3).toString("base64");
      const keys = { ENCRYPTION_KEY: key, JWT_KEY: key };
      const [first, second] = await Promise.all([
        start(keys),
        start({ ...keys, DATA_DIR: `${storage.dataDir}/other` }),
      ]);
      const body = { name: "OpenAI", credentialName: "openAIApi", plainDataObj: { openAIApiKey: "sk-stored" } };
      const { id } = await first.call<{ id: string }>("POST", "/credentials", body);
      const headers = { authorization: `Bearer ${first.token}` };
      const shown = await fetch(`${second.url}/api/v1/credentials/${id}`, { headers });
      assert.equal(((await shown.json()) as { readable: boolean }).readable, true);
      for (const folder of [storage.dataDir, `${storage.dataDir}/other`]) {
        assert.deepEqual(globSync("**/*.key", { cwd: folder }), []);
      }
    });

    it("one with other key files does not start beside the other, and does when it is alone", async (t) => {
      const { storage, place, start } = await openProcessBench(t, databases);
      const first = await start();
      const DATA_DIR = `${storage.dataDir}/other`;
      const refused = await runServerToEnd({ ...place, DATA_DIR, PORT: "0" });
      assert.deepEqual([refused.exitCode, refused.stdout], [1, ""]);
      assert.match(
        refused.stderr,
        /^\S+other\/jwt\.key is not the key [^\n]+ Copy the file from the data folder [^\n]+\.\n$/,
      );
      await copyFile(join(storage.dataDir, "jwt.key"), join(DATA_DIR, "jwt.key"));
      const stillOther = await runServerToEnd({ ...place, DATA_DIR, PORT: "0" });
      assert.match(
        stillOther.stderr,
        /^\S+other\/encryption\.key does not hold the key [^\n]+ Copy the file [^\n]+\.\n$/,
      );
      await first.kill("SIGTERM");
      const second = await start({ DATA_DIR });
      assert.equal((await second.send("GET", "/auth/me")).status, 200);
    });

    it("a key that one revokes is soon refused by the other", async (t) => {
      const { first, second } = await startTwo(t, databases);
      const key = await first.call<{ id: string; apiKey: string }>("POST", "/apikey", {
        keyName: "k",
        permissions: ["agents:read"],
      });
      const use = async () =>
        (await fetch(`${second.url}/api/v1/chatflows`, { headers: { authorization: `Bearer ${key.apiKey}` } })).status;
      assert.equal(await use(), 200);
      await first.call("DELETE", `/apikey/${key.id}`);
      assert.equal(await until(async () => ((await use()) === 401 ? 401 : undefined)), 401);
    });

    it("equal requests with one Idempotency-Key, at both at the same moment, are one run and one answer", async (t) => {
      const { api, first, second, id } = await startTwo(t, databases);
      api.release();
      for (let round = 0; round < 10; round += 1) {
        const ask = (platform: PlatformProcess) =>
          fetch(`${platform.url}/api/v1/prediction/${id}`, {
            method: "POST",
            headers: {
              authorization: `Bearer ${platform.token}`,
              "content-type": "application/json",
              "idempotency-key": `key ${round}`,
            },
            body: JSON.stringify({ question: "Go", chatId: `chat ${round}` }),
          });
        const answers = await Promise.all(
          Array.from({ length: 20 }, async (_, index) => {
            const answer = await ask(index % 2 === 0 ? first : second);
            return { status: answer.status, body: (await answer.json()) as { executionId?: string; code?: string } };
          }),
        );
        const others = answers.filter(({ status }) => status !== 200);
        assert.deepEqual(
          others.filter(({ body }) => body.code !== "idempotency-key-running"),
          [],
        );
        const runIds = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.executionId));
        assert.equal(runIds.size, 1);
        assert.equal(api.counts.get("/quick"), round + 1);
        assert.equal((await first.call<unknown[]>("GET", `/chatmessage/${id}?chatId=chat ${round}`)).length, 2);
      }
    });

    it("one finishes the run that the other was killed in", async (t) => {
      const { api, first, second, id } = await startTwo(t, databases, { first: shortLease });
      const asked = first.send("POST", `/prediction/${id}`, { question: "Go", chatId: "chat" }).catch(() => undefined);
      await api.reached;
      await first.kill("SIGKILL");
      await asked;
      api.release();
      const messages = await until(async () => {
        const list = await messagesOf(second, id);
        return list.length === 2 ? list : undefined;
      });
      assert.match(messages[1]?.content ?? "", /^Finished: .*slow-read/);
      assert.equal(api.counts.get("/quick"), 1);
    });

    it("one stops the run of the other, and nothing more happens in it", async (t) => {
      const { api, first, second, id, asked: calls } = await startTwo(t, databases, { script: everWriting });
      const told = first.send("POST", `/prediction/${id}`, { question: "Go", chatId: "chat" });
      await until(() => ((api.counts.get("/quick") ?? 0) >= 5 ? true : undefined));
      await second.call("PUT", `/chatmessage/abort/${id}/chat`);
      // What was on its way to the API and to the model at that moment.
      await sleep(50);
      const counted = [api.counts.get("/quick"), calls.model];
      await sleep(500);
      assert.deepEqual([api.counts.get("/quick"), calls.model], counted);
      const answer = await told;
      assert.equal(answer.status, 500);
      assert.equal(((await answer.json()) as { code: string }).code, "flow-cancelled");
      const messages = await messagesOf(second, id);
      assert.deepEqual(
        messages.map(({ content }) => content),
        ["Go", "The run was cancelled."],
      );
      assert.deepEqual(await messagesOf(first, id), messages);
    });

    it("one stops the run of the other that does not hear it, and nothing more happens in it", async (t) => {
      const script = countingScript("slow_write");
      const { api, first, second, id, asked: calls } = await startTwo(t, databases, { script });
      const told = first.send("POST", `/prediction/${id}`, { question: "Go", chatId: "chat" }).catch(() => undefined);
      await api.reached;
      const counted = calls.model;
      first.freeze();
      const [run] = (await second.call<{ data: { id: string }[] }>("GET", `/executions?agentflowId=${id}`)).data;
      const { state } = await second.call<{ state: string }>("POST", `/executions/${run?.id}/cancel`);
      assert.equal(state, "TERMINATED");
      api.release();
      first.thaw();
      await told;
      await sleep(500);
      assert.deepEqual([api.counts.get("/quick"), api.counts.get("/slow-write"), calls.model], [1, 1, counted]);
      const messages = await messagesOf(first, id);
      assert.deepEqual(
        messages.map(({ content }) => content),
        ["Go", "The run was cancelled."],
      );
    });
  });
});

/** A model that calls `quick_write` again and again. */
const everWriting: Script = () => ({
  toolCalls: [{ name: "quick_write", arguments: "{}" }],
});
