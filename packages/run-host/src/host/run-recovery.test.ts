import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it, type TestContext, test } from "node:test";
import type { CompiledFlow, RunHandle } from "@weft/engine";
import { openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { createRunStore } from "../journal/run.store.ts";
import { createSessionTurns } from "../journal/session-turns.ts";
import { toRunTimings } from "../run-timings.ts";
import { systemClock } from "../system-clock.ts";
import type { Entrance } from "./admission.ts";
import { createRunRecovery } from "./run-recovery.ts";
import { hostContext } from "./testing/host-context.ts";
import { createRun, journal, leaseMs, warned } from "./testing/store-runs.ts";

/** Nobody follows a run. */
const quiet = { follow: () => () => undefined };

const [runId, agentId] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-00000000000a"];

it("looks for earlier runs in the database only while a run is out of its sight", async (t) => {
  const database = await (await openTestStorage("sqlite", t)).open();
  t.after(() => database.close());
  const store = createRunStore({ database, project: () => [] });
  const chat = { agentId, chatId: "chat", sessionId: "chat", chatType: "EXTERNAL" } as const;
  const versions = { agentVersionId: agentId, owner: "" };
  const messages = { userMessageId: runId, apiMessageId: agentId };
  const started = { type: "run-started", ...chat, ...messages, flowVersionId: agentId, depth: 0 } as const;
  const events = [{ ...started, input: { question: "Hello" }, seq: 1, at: 1 }];
  await store.create({ run: { ...chat, ...versions, id: runId }, events, owner: "gone", leaseMs: -1 });

  const turns = createSessionTurns(database, toRunTimings());
  const isCertain = () => {
    const isAlone =
      turns.enter({ runId: "next", session: "another", isTakenOver: false, isFirst: false }) === undefined;
    turns.leave("next");
    return isAlone;
  };
  let isReachable = false;
  const context = hostContext({
    ...{ store, turns, clock: systemClock, lessee: { owner: "this", leaseMs: -1 } },
    async flowOfRun() {
      if (!isReachable) throw new Error("The version cannot be read.");
      return undefined;
    },
  });
  const entrance = { enter: () => assert.fail(), start: () => assert.fail() };
  const recovery = createRunRecovery(context, entrance, () => Promise.resolve());

  await recovery.recover();
  assert.equal(isCertain(), false, "The run goes on nowhere, and may still come before others of its session.");
  isReachable = true;
  await recovery.recover();
  assert.equal(await store.isRunning(runId), false, "Its version is gone, so that it has ended.");
  assert.equal(isCertain(), true);
});

test("a run that a lost commit claimed is claimed again when its lease has ended, and one that goes on is not", async (t) => {
  const database = await (await openTestStorage("sqlite", t)).open();
  t.after(() => database.close());
  const store = createRunStore({ database, project: () => [] });
  const [unheard, running] = [await createRun(store), await createRun(store)];
  await database.write((tx) => tx.updateTable("runs").set({ leaseOwner: "this", leaseUntil: 1 }).execute());
  const started: string[] = [];
  const context = hostContext({
    ...{ store, turns: createSessionTurns(database, toRunTimings()), broadcast: quiet },
    active: new Map([[running.id, {}]]),
    flowOfRun: async () => ({}) as CompiledFlow,
  });
  const entrance: Entrance = {
    enter: () => ({ leave: () => undefined }),
    start({ runId }) {
      started.push(runId);
      return { fail: () => undefined, cancel: () => undefined } as unknown as RunHandle;
    },
  };
  const recovery = createRunRecovery(context, entrance, () => Promise.resolve());
  await recovery.recover();
  assert.deepEqual(started, [unheard.id]);
});

/** A run each of whose lives ends its process; `committed` says which of them recorded something that it had finished. */
async function deathsOf(t: TestContext, committed: (life: number) => boolean): Promise<number> {
  const database = await (await openTestStorage("sqlite", t)).open();
  t.after(() => database.close());
  const store = createRunStore({ database, project: () => [] });
  const run = await createRun(store);
  let lastSeq = 1;
  for (let life = 1; life < 100; life += 1) {
    if (committed(life)) {
      const { leaseEpoch: epoch } = (await store.load(run.id))?.run ?? assert.fail();
      lastSeq += 1;
      await store.append({ runId: run.id, epoch, events: journal(lastSeq, warned) });
    }
    if (await isGivenUp()) return life;
  }
  assert.fail("It is never given up.");

  /** The next process takes the run over. */
  async function isGivenUp(): Promise<boolean> {
    await database.write((tx) => tx.updateTable("runs").set({ leaseUntil: 1 }).execute());
    let failed = false;
    let begun: Promise<void> | undefined;
    const handle = { fail: () => (failed = true), cancel: () => assert.fail() } as unknown as RunHandle;
    const context = hostContext({
      ...{ store, turns: createSessionTurns(database, toRunTimings()), broadcast: quiet },
      lessee: { owner: randomUUID(), leaseMs },
      flowOfRun: async () => ({}) as CompiledFlow,
    });
    const entrance: Entrance = {
      enter: () => ({ leave: () => undefined }),
      start: (_options, _turn, place) => {
        begun = place.turn;
        return handle;
      },
    };
    const recovery = createRunRecovery(context, entrance, () => Promise.resolve());
    await recovery.recover();
    await begun;
    return failed;
  }
}

test("a run that ends its process is given up after six lives that brought it no further", async (t) => {
  assert.equal(await deathsOf(t, (life) => life === 1), 6);
  assert.equal(await deathsOf(t, () => false), 6);
});

test("a life that records what the ones before it lost counts as the first of six", async (t) => {
  assert.equal(await deathsOf(t, (life) => life === 2), 7);
  assert.equal(await deathsOf(t, (life) => life <= 4), 9);
});
