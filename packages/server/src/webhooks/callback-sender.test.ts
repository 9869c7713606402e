import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import { compileFlow } from "@weft/engine";
import { createLogger } from "@weft/http/logger";
import { nodeRegistry } from "@weft/nodes";
import { createExecutionService, createRunStore, createRunTailStore } from "@weft/run-host";
import type { RunEvent, RunEventBody } from "@weft/schema";
import { forEachDatabase, type TestDatabases } from "../../../database/src/testing/test-databases.ts";
import { createCallbackSender } from "./callback-sender.ts";
import { isSigned, toStandardSecret } from "./standard-webhooks.ts";
import { startReceiver } from "./testing/receiver.ts";
import { signatureOf } from "./testing/webhook-agent.ts";

const agentId = randomUUID();
const secrets = [toStandardSecret(Buffer.alloc(32, 7)), "shared-before"];
const failed: RunEventBody = {
  type: "run-failed",
  error: { code: "flow-limit", message: "Too long.", retryable: false },
  nodeKey: null,
};
const completed: RunEventBody = {
  type: "run-completed",
  text: "Done.",
  answerNodeKey: null,
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
};
const flow = compileFlow(
  JSON.stringify({ weft: 1, nodes: [{ id: "start_0", type: "start" }], edges: [] }),
  nodeRegistry,
);

/** Runs, two processes that send their callbacks, and a clock that the test moves. */
async function setUp(t: TestContext, databases: TestDatabases, ...statuses: number[]) {
  const receiver = await startReceiver(t, ...statuses);
  const http = createEgressClient({ allow: [receiver.host] });
  t.after(() => http.close());
  const database = await databases.openTestDatabase(t as never);
  const runs = createRunStore({ database, project: () => [] });
  const executions = createExecutionService({
    ...({} as Parameters<typeof createExecutionService>[0]),
    store: { ...runs, ...createRunTailStore(database.read) },
    flowOfRun: async () => flow,
  });
  let now = Date.parse("2026-01-01T00:00:00.000Z");
  const announced: (number | undefined)[] = [];
  const logger = createLogger({ level: "silent", write: () => undefined, now: () => now });
  const open = (through: Pick<typeof http, "request"> = http) =>
    createCallbackSender({
      database,
      clock: { now: () => now },
      logger,
      http: through,
      executions,
      secrets: { read: async () => secrets },
      due: { announce: (at) => void announced.push(at) },
    });
  const [sender, other] = [open(), open()];
  const signal = new AbortController().signal;
  const lastSeqs = new Map<string, number>();
  return {
    received: receiver.received,
    announced,
    sender,
    /** A process that stands still after its first answer, until it is let go; and the round that it is in. */
    stuck() {
      const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
      const { promise: answered, resolve } = Promise.withResolvers<void>();
      const held: Pick<typeof http, "request"> = {
        async request(call) {
          const answer = await http.request(call);
          resolve();
          await gate;
          return answer;
        },
      };
      return { round: open(held).round(signal), answered, letGo };
    },
    state: async () => (await sender.list(agentId, { page: 1, limit: 10 })).data.map(({ state }) => state),
    expect: (runId: string) => sender.expect({ runId, agentId, url: receiver.url, credential: undefined }),
    /** Begins a run, or moves it on. */
    async record(runId: string, ...bodies: RunEventBody[]) {
      const before = lastSeqs.get(runId) ?? 0;
      const events = bodies.map((body, index) => ({ ...body, seq: before + index + 1, at: now })) as RunEvent[];
      lastSeqs.set(runId, before + events.length);
      const chat = { chatId: "chat", sessionId: "chat", chatType: "EXTERNAL", owner: "" };
      const run = { id: runId, agentId, agentVersionId: "v", ...chat };
      if (before === 0) await runs.create({ run, events, owner: "p", leaseMs: 60_000 });
      else await runs.append({ runId, epoch: (await runs.load(runId))?.run.leaseEpoch ?? 1, events });
    },
    claim: (runId: string) => runs.claim(runId, "p", 60_000),
    /** One round of both processes, some time later. */
    async later(ms: number) {
      now += ms;
      await Promise.all([sender.round(signal), other.round(signal)]);
    },
    count: async () => (await database.read.selectFrom("callbacks").selectAll().execute()).length,
  };
}

const started: RunEventBody = {
  type: "run-started",
  agentId,
  flowVersionId: "v",
  chatId: "chat",
  sessionId: "chat",
  chatType: "EXTERNAL",
  userMessageId: randomUUID(),
  apiMessageId: randomUUID(),
  input: { question: "q" },
  depth: 0,
};

const key = { nodeKey: "start_0#0", nodeId: "start_0" };
const suspended: RunEventBody[] = [
  { type: "node-started", ...key, attempt: 1 },
  {
    type: "node-suspended",
    ...key,
    wait: { waitId: "w", nodeId: "start_0", text: "May I?", details: {} },
  },
  { type: "run-suspended" },
];

await forEachDatabase((databases) => {
  test("a callback is sent once the run has ended, signed, and by one of the processes", async (t) => {
    const api = await setUp(t, databases);
    const runId = randomUUID();
    await api.expect(runId);
    await api.later(0);
    await api.record(runId, started);
    await api.later(1_000);
    assert.equal(api.received.length, 0);
    await api.record(runId, completed);
    await api.later(1_000);
    await api.later(60_000);
    const [sent, ...more] = api.received;
    assert.deepEqual(more, []);
    assert.ok(sent);
    const { status, chatId, executionId, data } = JSON.parse(sent.body);
    assert.deepEqual(
      [status, chatId, executionId, data.executionId, data.chatId],
      ["SUCCESS", "chat", runId, runId, "chat"],
    );
    const [current = "", previous = ""] = secrets;
    const signature = `sha256=${signatureOf(current, sent.body)}`;
    const [id, timestamp] = [String(sent.headers["webhook-id"]), Number(sent.headers["webhook-timestamp"])];
    for (const secret of [current, previous]) {
      const header = String(sent.headers["webhook-signature"]);
      assert.ok(isSigned(header, [secret], { id, timestamp, body: sent.body }));
    }
    assert.equal(sent.headers["x-weft-signature"], signature);
    assert.equal(sent.headers["x-flowise-signature"], signature);
    assert.equal(sent.headers["x-weft-delivery"], `${runId}:2`);
    assert.equal(sent.headers["content-type"], "application/json");
    assert.equal(await api.count(), 0);
  });

  test("a receiver that fails is tried again with growing pauses for a day, under one id, and then no more", async (t) => {
    const api = await setUp(t, databases, ...Array.from({ length: 20 }, (_, n) => [500, 302, 404][n % 3] ?? 500));
    const runId = randomUUID();
    await api.expect(runId);
    await api.record(runId, started, failed);
    const pauses: number[] = [];
    let sinceMs = 0;
    await api.later(0);
    while (sinceMs < 13 * 3_600_000) {
      const stepMs = Math.max(1_000, Math.round((pauses.at(-1) ?? 0) / 20));
      const before = api.received.length;
      await api.later(stepMs);
      sinceMs += stepMs;
      if (api.received.length === before) continue;
      pauses.push(sinceMs);
      sinceMs = 0;
    }
    assert.equal(api.received.length, 11);
    const totalHours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000;
    assert.ok(totalHours > 21 && totalHours < 28, String(totalHours));
    assert.ok(
      pauses.every((pause, index) => index === 0 || pause > 1.1 * (pauses[index - 1] ?? 0)),
      String(pauses),
    );
    assert.equal(new Set(api.received.map(({ headers }) => headers["webhook-id"])).size, 1);
    assert.equal(new Set(api.received.map(({ body }) => body)).size, 1);
    assert.deepEqual(JSON.parse(api.received[2]?.body ?? ""), {
      status: "ERROR",
      chatId: "chat",
      executionId: runId,
      error: "Too long.",
    });
    const { data, total } = await api.sender.list(agentId, { state: "FAILED", page: 1, limit: 10 });
    const [delivery] = data;
    assert.deepEqual(
      [total, delivery?.attempts, delivery?.lastStatus, delivery?.error, delivery?.nextDate],
      [1, 11, 302, "The receiver answered 302.", null],
    );
    await api.sender.resend(agentId, delivery?.id ?? "");
    await api.later(0);
    assert.equal(api.received.length, 12);
    assert.equal(api.received[11]?.headers["webhook-id"], delivery?.id);
  });

  test("a receiver that recovers hears the same, once", async (t) => {
    const api = await setUp(t, databases, 503);
    const runId = randomUUID();
    await api.expect(runId);
    await api.record(runId, started, completed);
    for (const ms of [0, 4_000, 2_000, 60_000]) await api.later(ms);
    assert.equal(api.received.length, 2);
    const [again = 0, ...others] = api.announced;
    const pauseMs = again - Date.parse("2026-01-01T00:00:00.000Z");
    assert.ok(pauseMs >= 4_500 && pauseMs <= 5_500, `the second attempt is announced for ${pauseMs} ms later`);
    assert.deepEqual(others, []);
    assert.equal(api.received[0]?.body, api.received[1]?.body);
    assert.equal(await api.count(), 0);
    const { data } = await api.sender.list(agentId, { page: 1, limit: 10 });
    assert.deepEqual(
      data.map(({ state, attempts, lastStatus, error }) => [state, attempts, lastStatus, error]),
      [["DELIVERED", 2, 200, null]],
    );
    const totalOf = async (executionId: string) =>
      (await api.sender.list(agentId, { executionId, page: 1, limit: 10 })).total;
    assert.deepEqual([await totalOf(runId), await totalOf(randomUUID())], [1, 0]);
  });

  test("a failure that a process tells of late takes back nothing that another one delivered", async (t) => {
    const api = await setUp(t, databases, 500);
    const runId = randomUUID();
    await api.expect(runId);
    await api.record(runId, started, completed);
    const { round, answered, letGo } = api.stuck();
    await answered;
    await api.later(20_000);
    assert.deepEqual(await api.state(), ["DELIVERED"]);
    letGo();
    await round;
    assert.deepEqual(await api.state(), ["DELIVERED"]);
    await api.later(60_000);
    assert.equal(api.received.length, 2);
  });

  test("a clock that is set back puts no callback off", async (t) => {
    const api = await setUp(t, databases, 503);
    const [tried, fresh] = [randomUUID(), randomUUID()];
    await api.expect(tried);
    await api.record(tried, started, completed);
    await api.later(0);
    assert.equal(api.received.length, 1);
    await api.later(-3_600_000);
    assert.equal(api.received.length, 2);
    await api.expect(fresh);
    await api.record(fresh, started, completed);
    await api.later(0);
    assert.equal(api.received.length, 3);
  });

  test("a receiver that says 410 hears no more, of this run and the others", async (t) => {
    const api = await setUp(t, databases, 500, 410);
    const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
    await api.expect(first);
    await api.record(first, started, completed);
    await api.later(0);
    await api.expect(second);
    await api.expect(third);
    await api.record(third, started);
    await api.record(second, started, completed);
    await api.later(0);
    await api.record(third, completed);
    for (const ms of [10_000, 86_400_000]) await api.later(ms);
    assert.equal(api.received.length, 2);
    const { data } = await api.sender.list(agentId, { state: "STOPPED", page: 1, limit: 10 });
    assert.deepEqual(data.map(({ executionId }) => executionId).sort(), [first, second].sort());
    assert.equal(await api.count(), 0);
  });

  test("a message about a wait stays what it was when the run has gone on", async (t) => {
    const api = await setUp(t, databases, 500);
    const runId = randomUUID();
    await api.expect(runId);
    await api.record(runId, started, ...suspended);
    await api.later(0);
    await api.claim(runId);
    await api.record(runId, { type: "node-resumed", ...key, waitId: "w", answer: {} }, completed);
    for (const ms of [1_000, 6_000]) await api.later(ms);
    const told = api.received.map(({ headers, body }) => `${JSON.parse(body).status} ${headers["webhook-id"]}`);
    assert.equal(told.length, 3);
    assert.equal(told[0], told[2]);
    assert.match(told[1] ?? "", /^SUCCESS /);
  });

  test("a run that waits is told of, and again when it ends", async (t) => {
    const api = await setUp(t, databases);
    const runId = randomUUID();
    await api.expect(runId);
    await api.record(runId, started, ...suspended);
    for (const ms of [0, 60_000]) await api.later(ms);
    assert.deepEqual(
      api.received.map(({ body }) => [JSON.parse(body).status, JSON.parse(body).data.text]),
      [["STOPPED", "May I?"]],
    );
    await api.claim(runId);
    await api.record(runId, { type: "node-resumed", ...key, waitId: "w", answer: {} });
    await api.later(1_000);
    assert.equal(api.received.length, 1);
    await api.record(runId, completed);
    await api.later(1_000);
    assert.equal(JSON.parse(api.received[1]?.body ?? "").status, "SUCCESS");
    assert.equal(await api.count(), 0);
  });

  test("what a process left behind before its run began is cleared, what is new is kept", async (t) => {
    const api = await setUp(t, databases);
    const [left, running, fresh] = [randomUUID(), randomUUID(), randomUUID()];
    await api.expect(left);
    await api.expect(running);
    await api.record(running, started);
    await api.later(61_000);
    await api.expect(fresh);
    await api.sender.clear();
    assert.equal(await api.count(), 2);
    await api.sender.forget(fresh);
    assert.equal(await api.count(), 1);
  });
});
