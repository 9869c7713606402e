// @tier long: it starts the previous release.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it, type TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { forEachDatabase } from "../../../database/src/testing/test-databases.ts";
import { until } from "../../../database/src/testing/until.ts";
import { person, say, toFlowData } from "../testing/flow-table/flow-case.ts";
import type { PlatformProcess } from "../testing/platform-process.ts";
import { createUntouchedStorage, unpackPreviousRelease } from "../testing/previous-release.ts";
import { openProcessBench, shortLease } from "../testing/process-bench.ts";
import { llmFlow } from "../testing/test-platform.ts";

const asking = toFlowData({
  nodes: { ask: person("Well?"), yes: say("Yes: {{ ask }}") },
  edges: "start>ask ask:proceed>yes",
});

type Execution = { id: string; state: string };

/** Servers of both releases on one database, which the earlier one makes. */
async function openBench(t: TestContext, sources: string) {
  const bench = await openProcessBench(t, { createTestStorage: () => createUntouchedStorage(t, "postgres") });
  // Says how many questions it has seen.
  await bench.startModel(({ messages }) => ({
    text: `${messages.filter(({ role }) => role === "user").length}`,
    delayMs: 150,
  }));
  return { startOld: () => bench.start({}, sources), startNew: (env = {}) => bench.start(env) };
}

/** Asks under one key at these servers in turn until one has an answer, as a client does while servers come and go. */
async function ask<T>(servers: () => readonly PlatformProcess[], path: string, body: object): Promise<T> {
  const key = randomUUID();
  for (let attempt = 0; attempt < 1_000; attempt += 1) {
    const list = servers();
    const server = list[attempt % list.length];
    const answer = await fetch(`${server?.url}/api/v1${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${server?.token}`,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.ok && text !== undefined) return JSON.parse(text) as T;
    const isLater = answer === undefined || answer.status === 503 || text === undefined || text.includes("running");
    if (!isLater) throw new Error(`${answer.status} ${text}`);
    await sleep(100);
  }
  throw new Error(`${path} has no answer.`);
}

await forEachDatabase((databases) => {
  if (databases.name !== "postgres") return;
  const release = unpackPreviousRelease();
  if ("why" in release) {
    process.stderr.write(`NO ROLLING UPGRADE WAS TRIED: ${release.why}.\n`);
    it("servers of the last release and this one take turns", { skip: release.why }, () => undefined);
    return;
  }

  it(`servers of ${release.version} and of this release work side by side, and each goes on with what the other left`, async (t) => {
    const { startOld, startNew } = await openBench(t, release.folder);
    const [first, second] = [await startOld(), await startOld()];
    const create = (name: string, flowData: string) =>
      first.call<{ id: string }>("POST", "/chatflows", { name, flowData });
    const [chat, question] = [await create("Chat", llmFlow()), await create("Question", asking)];
    let serving: PlatformProcess[] = [first, second];
    let isOver = false;
    const sessions = await Promise.all(
      Array.from({ length: 6 }, async () => ({ chatId: randomUUID(), answers: [] as string[] })),
    );
    const load = Promise.all(
      sessions.map(async ({ chatId, answers }) => {
        while (!isOver) {
          const body = { question: "How many?", chatId };
          const { text } = await ask<{ text: string }>(() => serving, `/prediction/${chat.id}`, body);
          answers.push(text);
        }
      }),
    );
    const answered = (count: number) =>
      until(() => (sessions.every(({ answers }) => answers.length >= count) ? true : undefined));
    const waiting = async (at: PlatformProcess) => {
      const chatId = randomUUID();
      await at.call("POST", `/prediction/${question.id}`, { question: "hi", chatId });
      return chatId;
    };
    const answer = async (at: PlatformProcess, chatId: string) => {
      const body = { chatId, humanInput: { type: "proceed" } };
      const { text } = await at.call<{ text: string }>("POST", `/prediction/${question.id}`, body);
      assert.match(text, /^Yes: /);
    };
    const more = async () => answered(Math.max(...sessions.map(({ answers }) => answers.length)) + 2);

    await answered(2);
    const askedByOld = await waiting(first);
    const third = await startNew(shortLease);
    serving = [first, second, third];
    await more();
    const askedByNew = await waiting(third);
    await answer(third, askedByOld);
    await answer(first, askedByNew);
    // What runs on each goes on with the other.
    serving = [second, third];
    await first.kill("SIGKILL");
    await more();
    const fourth = await startNew();
    serving = [second, fourth];
    await third.kill("SIGKILL");
    await more();
    // Back and forth again: the release before reads what this one wrote.
    serving = [second];
    await fourth.kill("SIGTERM");
    await more();
    const fifth = await startNew();
    serving = [fifth];
    await second.kill("SIGTERM");
    await more();
    isOver = true;
    await load;

    for (const { answers } of sessions) {
      assert.deepEqual(
        answers,
        answers.map((_, index) => `${index + 1}`),
      );
    }
    const total = sessions.reduce((sum, { answers }) => sum + answers.length, 2);
    const finished = () =>
      fifth.call<{ data: Execution[]; total: number }>("GET", "/executions?limit=100&state=FINISHED");
    assert.equal(await until(async () => ((await finished()).total === total ? total : undefined)), total);
    assert.equal((await fifth.call<{ total: number }>("GET", "/executions?limit=1")).total, total);
  });
});
