import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it, type TestContext } from "node:test";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import type { Frame } from "@weft/http/event-stream";
import { createScriptedOpenAiServer } from "@weft/providers/testing";
import type { ChatMessage } from "@weft/schema";
import { onTestDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { hasRedis, startTestRedis, type TestRedis } from "../../../run-host/src/dispatch/testing/test-redis.ts";
import { openReader, readFrames } from "../predictions/testing/stream-client.ts";
import { code, say, toFlowData } from "../testing/flow-table/flow-case.ts";
import { scriptedModelEnv } from "../testing/scripted-model.ts";
import { agentWith, llmFlow, openRestartable, type TestPlatform } from "../testing/test-platform.ts";

const run = promisify(execFile);

/** Counts the messages of its session. */
const countingFlow = toFlowData({
  start: { state: { n: 0 }, persistState: true },
  nodes: {
    add: code("return Number($flow.state.n) + 1", { n: "{{ output.data }}" }),
    end: say("{{ question }} is number {{ $flow.state.n }}"),
  },
  edges: "start>add add>end",
});

type ClusterOptions = { roles: readonly Record<string, string>[]; withRedis: boolean };

async function openCluster(t: TestContext, databases: TestDatabases, { roles, withRedis }: ClusterOptions) {
  const redis = withRedis ? await startTestRedis(t) : undefined;
  const restartable = await openRestartable(t, databases, redis && { REDIS_URL: redis.url });
  const opened: TestPlatform[] = [];
  for (const env of roles) opened.push(await restartable.open(env));
  return { ...restartable, redis, opened };
}

// What both promise is the contract's to test: packages/run-host/src/dispatch/dispatcher.test.ts.
const dispatchers = hasRedis() ? ["BullMQ"] : ["the database"];

async function countRunning(api: TestPlatform): Promise<number> {
  const { total } = await api.json<{ total: number }>("GET", "/executions?state=INPROGRESS&page=1&limit=50");
  return total;
}

type Answer = { text: string; executionId: string };

await onTestDatabase((databases) => {
  if (databases.name !== "postgres") return;

  for (const dispatcher of dispatchers)
    describe(`roles, with dispatch by ${dispatcher}`, () => {
      const open = (t: TestContext, roles: readonly Record<string, string>[]) =>
        openCluster(t, databases, { roles, withRedis: dispatcher === "BullMQ" });

      it("api accepts and answers, and leaves the work to workers", async (t) => {
        const { opened, open: start } = await open(t, [{ ROLE: "api" }]);
        const [api = assert.fail()] = opened;
        const id = await agentWith(api, countingFlow);
        const asked = api.json<Answer>("POST", `/prediction/${id}`, { question: "One", chatId: "c" });
        const waiting = await api.until(async () => {
          const { data } = await api.json<{ data: { state: string }[] }>("GET", "/executions?page=1&limit=10");
          return data[0]?.state;
        });
        assert.equal(waiting, "INPROGRESS");
        await start({ ROLE: "worker" });
        assert.equal((await asked).text, "One is number 1");
        const stream = await api.send("POST", `/prediction/${id}`, { question: "Two", chatId: "c", streaming: true });
        const text = await stream.text();
        assert.match(text, /"event":"token","data":"Two is number 2"/);
        assert.match(text, /"event":"end"/);
        const messages = await api.json<ChatMessage[]>("GET", `/chatmessage/${id}?chatId=c`);
        assert.equal(messages.length, 4);
      });

      it("a worker serves nothing but its health and its metrics", async (t) => {
        const { opened } = await open(t, [{ ROLE: "worker" }]);
        const [worker = assert.fail()] = opened;
        const get = async (path: string) => (await worker.fetch(new Request(`http://platform${path}`))).status;
        assert.deepEqual([await get("/livez"), await get("/readyz")], [200, 200]);
        assert.equal((await worker.send("GET", "/chatflows")).status, 404);
        const headers = { authorization: `Bearer ${worker.token}` };
        const metrics = await worker.fetch(new Request("http://platform/metrics", { headers }));
        assert.match(await metrics.text(), /^weft_build_info\{version="[^"]+",role="worker"\} 1$/m);
      });

      it("messages of a session are answered one after the other by many workers", async (t) => {
        const worker = { ROLE: "worker", WORKER_CONCURRENCY: "2" };
        const { opened } = await open(t, [{ ROLE: "api" }, worker, worker, worker]);
        const [api = assert.fail()] = opened;
        const id = await agentWith(api, countingFlow);
        const count = 10;
        const ask = (chatId: string, question: string) =>
          api.json<Answer>("POST", `/prediction/${id}`, { question, chatId });
        const answersOf = (chatId: string) =>
          Promise.all(Array.from({ length: count }, (_, index) => ask(chatId, `Message ${index}`)));
        const counted = Array.from({ length: count }, (_, index) => index + 1);
        for (const answers of await Promise.all(["a", "b", "c", "d"].map(answersOf))) {
          const numbers = answers.map(({ text }) => Number(/number (\d+)$/.exec(text)?.[1]));
          assert.deepEqual(
            numbers.toSorted((a, b) => a - b),
            counted,
          );
        }
      });

      it("a question that a run asks is answered at an api process, and the run goes on at a worker", async (t) => {
        const { opened } = await open(t, [{ ROLE: "api" }, { ROLE: "api" }, { ROLE: "worker" }]);
        const [first = assert.fail(), second = assert.fail()] = opened;
        const flow = toFlowData({
          nodes: { ask: { type: "human-input", config: { question: "Shall I?" } }, end: say("Done: {{ question }}") },
          edges: "start>ask ask:proceed>end",
        });
        const id = await agentWith(first, flow);
        const asked = await first.json<Answer>("POST", `/prediction/${id}`, { question: "Go", chatId: "c" });
        const humanInput = { type: "proceed", startNodeId: "ask", feedback: "" };
        const answer = await second.json<Answer>("POST", `/prediction/${id}`, { chatId: "c", humanInput });
        assert.equal(answer.executionId, asked.executionId);
        assert.match(answer.text, /^Done/);
      });

      it("a run that waits for a worker can be cancelled", async (t) => {
        const { opened, open: start } = await open(t, [{ ROLE: "api" }]);
        const [api = assert.fail()] = opened;
        const id = await agentWith(api, countingFlow);
        const asked = api.send("POST", `/prediction/${id}`, { question: "One", chatId: "c" });
        const run = await api.until(async () => {
          const { data } = await api.json<{ data: { id: string }[] }>("GET", "/executions?page=1&limit=10");
          return data[0];
        });
        await api.send("POST", `/executions/${run.id}/cancel`);
        assert.equal(((await (await asked).json()) as { code: string }).code, "flow-cancelled");
        await start({ ROLE: "worker" });
        const next = await api.json<Answer>("POST", `/prediction/${id}`, { question: "Two", chatId: "c" });
        assert.equal(next.text, "Two is number 1");
      });

      it("what workers are too far behind with is refused before it is accepted", async (t) => {
        const { opened, open: start } = await open(t, [{ ROLE: "api", MAX_QUEUED_RUNS: "20" }]);
        const [api = assert.fail()] = opened;
        const [busy, quiet] = [await agentWith(api, countingFlow), await agentWith(api, countingFlow)];
        const ask = (id: string) => api.send("POST", `/prediction/${id}`, { question: "?" });
        const asked: Promise<Response>[] = [];
        for (let n = 0; n < 10; n += 1) asked.push(ask(busy));
        await api.until(async () => ((await countRunning(api)) === 10 ? true : undefined));
        const refused = await ask(busy);
        assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "2"]);
        asked.push(ask(quiet));
        await start({ ROLE: "worker" });
        for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
        await api.until(async () => ((await ask(busy)).status === 200 ? true : undefined));
      });

      it("visitors together leave half of the places that wait, and one session a hundred at most", async (t) => {
        const env = { ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0", MAX_QUEUED_RUNS: "220" };
        const { opened, open: start } = await open(t, [{ ROLE: "api", ...env }]);
        const [api = assert.fail()] = opened;
        const create = () => agentWith(api, countingFlow, { isPublic: true });
        const [first, second, third] = [await create(), await create(), await create()];
        const ask = (id: string, chatId?: string) => api.send("POST", `/prediction/${id}`, { question: "?", chatId });
        const visit = (id: string) => {
          const init = { method: "POST", headers: { "content-type": "application/json" }, body: '{"question":"?"}' };
          return api.fetch(new Request(`http://platform/api/v1/prediction/${id}`, init));
        };
        const asked: Promise<Response>[] = [];
        /** A burst may be refused somewhat sooner than the same runs one after the other: what is refused is sent again. */
        const insist = async (send: () => Promise<Response>): Promise<Response> => {
          const response = await send();
          if (response.status !== 503) return response;
          await setTimeout(250);
          return insist(send);
        };
        const accepted = async (send: () => Promise<Response>, count: number) => {
          for (let left = count; left > 0; ) {
            const burst = left > 20 ? 10 : 1;
            asked.push(...Array.from({ length: burst }, () => insist(send)));
            left -= burst;
            await api.until(async () => ((await countRunning(api)) === asked.length ? true : undefined));
          }
        };
        await accepted(() => ask(first, "long"), 100);
        const refused = await ask(first, "long");
        assert.deepEqual([refused.status, refused.headers.get("retry-after")], [503, "2"]);
        const problem = (await refused.json()) as { code: string; message: string };
        assert.equal(problem.code, "at-capacity");
        assert.match(problem.message, /^100 messages of this session are waiting .* try again in 2 seconds\.$/);
        await accepted(() => ask(first, "other"), 1);
        await accepted(() => visit(second), 55);
        await accepted(() => visit(third), 55);
        const turnedAway = await visit(third);
        assert.deepEqual([turnedAway.status, turnedAway.headers.get("retry-after")], [503, "2"]);
        await accepted(() => ask(third), 1);
        await start({ ROLE: "worker" });
        for (const { status } of await Promise.all(asked)) assert.equal(status, 200);
      });

      it("what a process that stops had left is taken on by another at once", async (t) => {
        const slow = toFlowData({
          nodes: { wait: code("const end = Date.now() + 300; while (Date.now() < end); return 1"), end: say("Done") },
          edges: "start>wait wait>end",
        });
        const { opened } = await open(t, [{ ROLE: "api" }, { ROLE: "worker" }, { ROLE: "worker" }]);
        const [api = assert.fail(), first = assert.fail()] = opened;
        const id = await agentWith(api, slow);
        const answers = Array.from({ length: 8 }, (_, n) =>
          api.json<Answer>("POST", `/prediction/${id}`, { question: "?", chatId: `c${n}` }),
        );
        await setTimeout(100);
        await first.close();
        for (const { text } of await Promise.all(answers)) assert.equal(text, "Done");
      });
    });

  it("a visitor's run ends at a worker when its last listener leaves an api process, and goes on while one is there", async (t) => {
    const model = await startHeldModel(t);
    const env = { ...scriptedModelEnv({ url: model.url }), ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "0" };
    // Runs without a listener are looked for four times in a lease.
    const roles = ["api", "api", "worker"].map((ROLE) => ({ ...env, ROLE, RUN_LEASE_MS: "2000" }));
    const { opened } = await openCluster(t, databases, { roles, withRedis: false });
    const [first = assert.fail(), second = assert.fail()] = opened;
    const apiConfig = JSON.stringify({ abandonedRuns: { endAfterSeconds: 0.01 } });
    const id = await agentWith(first, llmFlow(), { isPublic: true, apiConfig });
    const visit = async (chatId: string) => {
      const body = JSON.stringify({ question: "?", streaming: true, chatId });
      const headers = { "content-type": "application/json" };
      const request = new Request(`http://platform/api/v1/prediction/${id}`, { method: "POST", headers, body });
      return openReader(await first.fetch(request));
    };
    const stateOf = async (chatId: string) => {
      const path = `/executions?sessionId=${chatId}&page=1&limit=1`;
      const { data } = await first.json<{ data: { id: string; state: string }[] }>("GET", path);
      return data[0] ?? { id: "", state: "" };
    };
    const [leaving, staying] = [randomUUID(), randomUUID()];
    const [left, stayed] = [await visit(leaving), await visit(staying)];
    await left.read((frames) => frames.length > 0);
    await stayed.read((frames) => frames.length > 0);
    // Who comes back elsewhere is a listener, too.
    const back = openReader(await second.send("GET", `/executions/${(await stateOf(staying)).id}/events`));
    await stayed.cut();
    await left.cut();
    await first.until(async () => ((await stateOf(leaving)).state === "TERMINATED" ? true : undefined));
    assert.equal((await stateOf(staying)).state, "INPROGRESS");
    await back.cut();
    await first.until(async () => ((await stateOf(staying)).state === "TERMINATED" ? true : undefined));
  });

  for (const withRedis of hasRedis() ? [false, true] : [false]) {
    it(`a worker that is full of one agent has a place for the next, ${withRedis ? "with" : "without"} Redis`, async (t) => {
      const model = await startHeldModel(t);
      const env = scriptedModelEnv({ url: model.url });
      const roles = [
        { ...env, ROLE: "api" },
        { ...env, ROLE: "worker", WORKER_CONCURRENCY: "2" },
      ];
      const { opened } = await openCluster(t, databases, { roles, withRedis });
      const [api = assert.fail()] = opened;
      const [busy, quiet] = [await agentWith(api, llmFlow()), await agentWith(api, countingFlow)];
      const ask = (id: string) => api.json<Answer>("POST", `/prediction/${id}`, { question: "?" });
      // The model holds what it streams, and answers all else at once.
      const stream = async () =>
        openReader(await api.send("POST", `/prediction/${busy}`, { question: "?", streaming: true })).read();
      const asked = Array.from({ length: 6 }, stream);
      await api.until(async () => ((await countRunning(api)) === 6 ? true : undefined));
      assert.equal((await ask(quiet)).text, "? is number 1");
      model.release();
      for (const frames of await Promise.all(asked)) assert.equal(readFrames(frames).text, "One, two, three.");
    });
  }

  for (const withRedis of hasRedis() ? [false, true] : [false]) {
    describe(`processes that serve ${withRedis ? "with" : "without"} Redis`, () => {
      it("count the requests of visitors and failed log-ins together", async (t) => {
        const account = { email: "admin@example.org", password: "correct horse" };
        const api = {
          ROLE: "api",
          ...{ ALLOW_PUBLIC_FLOWS: "true", PUBLIC_RATE_LIMIT: "4", TRUST_PROXY: "1" },
          ...{ ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password },
        };
        const { opened } = await openCluster(t, databases, { roles: [api, api, { ROLE: "worker" }], withRedis });
        const [first = assert.fail(), second = assert.fail()] = opened;
        const post = (platform: TestPlatform, path: string, from: string, body: object) => {
          const headers = { "content-type": "application/json", "x-forwarded-for": from };
          const init = { method: "POST", headers, body: JSON.stringify(body) };
          return platform.fetch(new Request(`http://platform/api/v1${path}`, init));
        };
        const id = await agentWith(first, countingFlow, { isPublic: true });
        const ask = async (platform: TestPlatform, from = "192.0.2.1") => {
          const { status, headers } = await post(platform, `/prediction/${id}`, from, { question: "?" });
          return [status, headers.get("x-ratelimit-remaining")];
        };
        const asked = [];
        for (const platform of [first, second, second, first, second, first]) asked.push(await ask(platform));
        assert.deepEqual(
          asked.slice(0, 4),
          [3, 2, 1, 0].map((left) => [200, String(left)]),
        );
        assert.deepEqual(asked.slice(4), [
          [429, "0"],
          [429, "0"],
        ]);
        assert.deepEqual(await ask(second, "192.0.2.2"), [200, "3"]);

        const logIn = async (platform: TestPlatform, password: string, from = "192.0.2.1") =>
          (await post(platform, "/auth/login", from, { ...account, password })).status;
        const guessed = [];
        for (const platform of [first, second, first, second, first]) guessed.push(await logIn(platform, "wrong"));
        assert.deepEqual(guessed, [401, 401, 401, 401, 401]);
        assert.deepEqual([await logIn(first, account.password), await logIn(second, account.password)], [429, 429]);
        assert.equal(await logIn(second, account.password, "192.0.2.2"), 200);
      });

      it("soon refuse keys and logins that ended at another one", async (t) => {
        const account = { email: "admin@example.org", password: "correct horse" };
        const api = { ROLE: "api", ADMIN_EMAIL: account.email, ADMIN_PASSWORD: account.password };
        const { opened } = await openCluster(t, databases, { roles: [api, api], withRedis });
        const [first = assert.fail(), second = assert.fail()] = opened;
        const logIn = async () => (await first.json<{ token: string }>("POST", "/auth/login", account)).token;
        const use = async (bearer: string) =>
          (await second.send("GET", "/chatflows", undefined, { authorization: `Bearer ${bearer}` })).status;
        const assertSoonRefused = async (bearer: string) => {
          await second.until(async () => ((await use(bearer)) === 401 ? true : undefined));
        };

        const key = { keyName: "k", permissions: ["agents:read"] };
        const { id, apiKey } = await first.json<{ id: string; apiKey: string }>("POST", "/apikey", key);
        const [ended, voided, other] = [await logIn(), await logIn(), await logIn()];
        for (const bearer of [apiKey, ended, voided, other]) assert.equal(await use(bearer), 200);
        await first.json("DELETE", `/apikey/${id}`);
        await assertSoonRefused(apiKey);
        await first.send("POST", "/auth/logout", undefined, { authorization: `Bearer ${ended}` });
        await assertSoonRefused(ended);
        assert.equal(await use(other), 200);
        const change = { currentPassword: account.password, newPassword: "battery staple" };
        const changed = await first.send("PUT", "/auth/password", change, { authorization: `Bearer ${other}` });
        assert.equal(changed.status, 200);
        for (const bearer of [voided, other]) await assertSoonRefused(bearer);
        assert.equal(await use(((await changed.json()) as { token: string }).token), 200);
      });

      it("soon run agents as they were saved at another one", async (t) => {
        const roles = [{ ROLE: "api" }, { ROLE: "api" }, { ROLE: "worker" }];
        const { opened } = await openCluster(t, databases, { roles, withRedis });
        const [first = assert.fail(), second = assert.fail()] = opened;
        const saying = (message: string) => toFlowData({ nodes: { end: say(message) }, edges: "start>end" });
        const id = await agentWith(first, saying("Version 0"));
        for (let version = 0; version < 5; version += 1) {
          const ask = async () => (await second.json<Answer>("POST", `/prediction/${id}`, { question: "?" })).text;
          if (version > 0) await first.json("PUT", `/chatflows/${id}`, { flowData: saying(`Version ${version}`) });
          await second.until(async () => ((await ask()) === `Version ${version}` ? true : undefined));
        }
      });

      it("cancel a run of a worker that another one began", async (t) => {
        const model = await startHeldModel(t);
        const env = scriptedModelEnv({ url: model.url });
        const roles = [{ ROLE: "api" }, { ROLE: "api" }, { ROLE: "worker" }].map((role) => ({ ...env, ...role }));
        const { opened } = await openCluster(t, databases, { roles, withRedis });
        const [first = assert.fail(), second = assert.fail()] = opened;
        const id = await agentWith(first, llmFlow());
        const reader = openReader(await first.send("POST", `/prediction/${id}`, { question: "?", streaming: true }));
        await second.until(async () => (model.asked() > 0 ? true : undefined));
        const { state } = await second.json<{ state: string }>("POST", `/executions/${await runIdOf(second)}/cancel`);
        assert.equal(state, "TERMINATED");
        assert.match(JSON.stringify(await reader.read()), /"data":"TERMINATED".*"event":"abort"/);
      });
    });
  }

  if (!hasRedis()) return;
  describe("streams of runs that other processes work on", () => {
    it("bring every word as it is written, to those who come back elsewhere, too", async (t) => {
      const model = await startHeldModel(t);
      const { opened } = await openStreaming(t, databases, model.url);
      const [first = assert.fail(), second = assert.fail()] = opened;
      const id = await agentWith(first, llmFlow());
      const reader = openReader(await first.send("POST", `/prediction/${id}`, { question: "?", streaming: true }));
      const said = (frames: readonly Frame[]) => readFrames(frames).text;
      assert.equal(said(await reader.read((frames) => said(frames).length >= 6)), "One, two");
      const runId = await runIdOf(first);
      await reader.cut();
      const again = openReader(await second.send("GET", `/executions/${runId}/events`));
      assert.equal(said(await again.read((frames) => said(frames).length >= 6)), "One, two");
      model.release();
      assert.equal(said(await again.read()), "One, two, three.");
    });

    it("are written for nobody where the answer is asked for as a whole", async (t) => {
      const model = await createScriptedOpenAiServer({ script: () => ({ text: "Hello." }) });
      t.after(() => model.close());
      const { opened } = await openStreaming(t, databases, model.url);
      const [api = assert.fail()] = opened;
      const id = await agentWith(api, llmFlow());
      await api.json<Answer>("POST", `/prediction/${id}`, { question: "?" });
      await (await api.send("POST", `/prediction/${id}`, { question: "?", streaming: true })).text();
      assert.deepEqual(
        model.requests.map(({ body }) => body.stream === true),
        [false, true],
      );
    });

    for (const [what, disturb] of [
      ["is emptied", (redis: TestRedis) => run("redis-cli", ["-u", redis.url, "flushall"])],
      ["is killed", (redis: TestRedis) => redis.kill()],
      ["freezes", (redis: TestRedis) => redis.freeze()],
    ] as const) {
      it(`are whole when Redis ${what} meanwhile, and further runs go on`, async (t) => {
        const model = await startHeldModel(t);
        const { opened, redis } = await openStreaming(t, databases, model.url);
        const [api = assert.fail()] = opened;
        const id = await agentWith(api, llmFlow());
        const reader = openReader(await api.send("POST", `/prediction/${id}`, { question: "?", streaming: true }));
        const said = (frames: readonly Frame[]) => readFrames(frames).text;
        await reader.read((frames) => said(frames).length >= 6);
        await disturb(redis ?? assert.fail());
        model.release();
        assert.equal(said(await reader.read()), "One, two, three.");
        const answers = await Promise.all(
          Array.from({ length: 5 }, () => api.json<Answer>("POST", `/prediction/${id}`, { question: "?" })),
        );
        assert.ok(answers.every(({ text }) => text === "One, two, three."));
      });
    }
  });
});

function openStreaming(t: TestContext, databases: TestDatabases, modelUrl: string) {
  const env = scriptedModelEnv({ url: modelUrl });
  const roles = [{ ROLE: "api" }, { ROLE: "api" }, { ROLE: "worker" }];
  return openCluster(t, databases, { roles: roles.map((role) => ({ ...env, ...role })), withRedis: true });
}

async function runIdOf(api: TestPlatform): Promise<string> {
  const { data } = await api.json<{ data: { id: string }[] }>("GET", "/executions?page=1&limit=10");
  return data[0]?.id ?? assert.fail();
}

/** A model that says the rest of a streamed answer when it is released, and from then on everything at once. */
async function startHeldModel(t: TestContext): Promise<{ url: string; release(): void; asked(): number }> {
  let asked = 0;
  const released = Promise.withResolvers<void>();
  const piece = (delta: object, more: object = {}) =>
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: null, ...more }] })}\n\n`;
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    asked += 1;
    if (JSON.parse(body).stream !== true) {
      const message = { role: "assistant", content: "One, two, three." };
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ id: "c", choices: [{ index: 0, message, finish_reason: "stop" }] }));
      return;
    }
    response.setHeader("content-type", "text/event-stream");
    response.write(piece({ role: "assistant", content: "One" }) + piece({ content: ", two" }));
    await released.promise;
    response.end(`${piece({ content: ", three." })}${piece({}, { finish_reason: "stop" })}data: [DONE]\n\n`);
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/v1`, release: () => released.resolve(), asked: () => asked };
}
