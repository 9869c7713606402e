import assert from "node:assert/strict";
import { it } from "node:test";
import { createLogger } from "@weft/http/logger";
import { openTestStorage } from "../../../database/src/testing/test-databases.ts";
import { createRunStore } from "../journal/run.store.ts";
import { createSessionTurns } from "../journal/session-turns.ts";
import { systemClock } from "../system-clock.ts";
import { createRunRecovery } from "./run-recovery.ts";

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

  const turns = createSessionTurns(database);
  const isCertain = () => {
    const isAlone =
      turns.enter({ runId: "next", session: "another", isTakenOver: false, isFirst: false }) === undefined;
    turns.leave("next");
    return isAlone;
  };
  let isReachable = false;
  const recovery = createRunRecovery({
    store,
    clock: systemClock,
    entrance: { enter: () => assert.fail(), start: () => assert.fail() },
    turns,
    active: new Map(),
    broadcast: { follow: () => assert.fail() },
    async flowOfRun() {
      if (!isReachable) throw new Error("The version cannot be read.");
      return undefined;
    },
    lessee: { owner: "this", leaseMs: -1 },
    abandoned: new Set(),
    isStopping: () => false,
    goOnDue: () => Promise.resolve(),
    logger: createLogger({ level: "silent", write: () => undefined, now: Date.now }),
  });

  await recovery.recover();
  assert.equal(isCertain(), false, "The run goes on nowhere, and may still come before others of its session.");
  isReachable = true;
  await recovery.recover();
  assert.equal(await store.isRunning(runId), false, "Its version is gone, so that it has ended.");
  assert.equal(isCertain(), true);
});
