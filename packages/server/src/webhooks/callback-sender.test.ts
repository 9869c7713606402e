import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { createEgressClient } from "@weft/egress";
import { compileFlow } from "@weft/engine";
import { nodeRegistry } from "@weft/nodes";
import type { RunEvent, RunEventBody } from "@weft/schema";
import { createLogger } from "../logger.ts";
import { createExecutionService } from "../runs/execution.service.ts";
import { createRunStore } from "../runs/run.store.ts";
import { createRunTailStore } from "../runs/run-tail.store.ts";
import { forEachDatabase, type TestDatabases } from "../storage/testing/test-databases.ts";
import { createCallbackSender } from "./callback-sender.ts";
import { startReceiver } from "./testing/receiver.ts";
import { signatureOf } from "./testing/webhook-agent.ts";

const agentId = randomUUID();
const secret = "shared";
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
  const runs = createRunStore({ database, project: async () => undefined });
  const executions = createExecutionService({
    ...({} as Parameters<typeof createExecutionService>[0]),
    store: { ...runs, ...createRunTailStore(database.read) },
    flowOfRun: async () => flow,
  });
  let now = Date.parse("2026-01-01T00:00:00.000Z");
  const logger = createLogger({ level: "silent", write: () => undefined, now: () => now });
  const open = () =>
    createCallbackSender({
      database,
      clock: { now: () => now },
      logger,
      http,
      executions,
      secrets: { read: async () => secret },
    });
  const [sender, other] = [open(), open()];
  const signal = new AbortController().signal;
  const lastSeqs = new Map<string, number>();
  return {
    received: receiver.received,
    sender,
    expect: (runId: string) => sender.expect({ runId, agentId, url: receiver.url, credential: undefined }),
    /** Begins a run, or moves it on. */
    async record(runId: string, ...bodies: RunEventBody[]) {
      const before = lastSeqs.get(runId) ?? 0;
      const events = bodies.map((body, index) => ({ ...body, seq: before + index + 1, at: now })) as RunEvent[];
      lastSeqs.set(runId, before + events.length);
      const run = { id: runId, agentId, agentVersionId: "v", chatId: "chat", sessionId: "chat", chatType: "EXTERNAL" };
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
    const signature = `sha256=${signatureOf(secret, sent.body)}`;
    assert.equal(sent.headers["x-weft-signature"], signature);
    assert.equal(sent.headers["x-flowise-signature"], signature);
    assert.equal(sent.headers["x-weft-delivery"], `${runId}:2`);
    assert.equal(sent.headers["content-type"], "application/json");
    assert.equal(await api.count(), 0);
  });

  test("a receiver that fails is tried again after three and six seconds, and no fourth time", async (t) => {
    const api = await setUp(t, databases, 500, 302, 404);
    const runId = randomUUID();
    await api.expect(runId);
    await api.record(runId, started, failed);
    const counts: number[] = [];
    for (const ms of [0, 2_900, 100, 5_900, 100, 60_000]) {
      await api.later(ms);
      counts.push(api.received.length);
    }
    assert.deepEqual(counts, [1, 1, 2, 2, 3, 3]);
    assert.deepEqual(JSON.parse(api.received[2]?.body ?? ""), {
      status: "ERROR",
      chatId: "chat",
      executionId: runId,
      error: "Too long.",
    });
    assert.equal(await api.count(), 0);
  });

  test("a receiver that recovers hears the same, once", async (t) => {
    const api = await setUp(t, databases, 503);
    const runId = randomUUID();
    await api.expect(runId);
    await api.record(runId, started, completed);
    for (const ms of [0, 3_000, 6_000, 60_000]) await api.later(ms);
    assert.equal(api.received.length, 2);
    assert.equal(api.received[0]?.body, api.received[1]?.body);
    assert.equal(await api.count(), 0);
  });

  test("a run that waits is told of, and again when it ends", async (t) => {
    const api = await setUp(t, databases);
    const runId = randomUUID();
    const key = { nodeKey: "start_0#0", nodeId: "start_0" };
    const wait = { waitId: "w", nodeId: "start_0", text: "May I?", details: {} };
    await api.expect(runId);
    await api.record(
      runId,
      started,
      { type: "node-started", ...key, attempt: 1 },
      { type: "node-suspended", ...key, wait },
      { type: "run-suspended" },
    );
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
