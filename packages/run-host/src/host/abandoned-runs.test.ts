import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { it } from "node:test";
import type { Signals } from "@weft/database";
import type { RunHandle } from "@weft/engine";
import { createVirtualClock } from "@weft/engine/testing";
import { createAbandonedRuns } from "./abandoned-runs.ts";
import type { ActiveRun } from "./host-context.ts";
import { hostContext } from "./testing/host-context.ts";

function bench() {
  let now = 0;
  const cancelled: string[] = [];
  const followed = new Set<string>();
  const active = new Map<string, Partial<ActiveRun>>();
  const elsewhere = { hears: true, followed: new Set<string>(), answer: (_: string): void => undefined };
  const signals: Partial<Signals> = {
    seesOthers: () => elsewhere.hears,
    tell(topic, text) {
      assert.equal(topic, "run-followed-asked");
      assert.ok(text.length <= 1_000);
      const answered = text.split(",").filter((runId) => elsewhere.followed.has(runId));
      if (answered.length > 0) elsewhere.answer(answered.join());
    },
    hear(topic, listener) {
      if (topic === "run-followed") elsewhere.answer = listener;
      return () => undefined;
    },
  };
  const clock = { ...createVirtualClock(), now: () => now };
  const broadcast = { isFollowed: (runId: string) => followed.has(runId) };
  const abandoned = createAbandonedRuns(hostContext({ signals, clock, active, broadcast }), async (agentId) =>
    agentId === "patient" ? undefined : 60_000,
  );
  abandoned.answer();
  return {
    elsewhere,
    cancelled,
    followed,
    begin(
      runId: string,
      { isAnonymous = true, depth = 0, agentId = "agent", isUnattended = false, isDelegated = false } = {},
    ) {
      const state = { started: { depth, agentId }, isUnattended };
      const cancel = () => cancelled.push(runId);
      active.set(runId, {
        handle: { runId, state, cancel } as unknown as RunHandle,
        share: { name: "", isAnonymous },
        isDelegated,
      });
    },
    async after(ms: number) {
      now += ms;
      await abandoned.sweep();
    },
  };
}

it("ends a visitor's run that was alone for a minute, and no other", async () => {
  const { begin, after, cancelled } = bench();
  begin("visit");
  begin("known", { isAnonymous: false });
  begin("asked by a run", { depth: 1 });
  begin("patient", { agentId: "patient" });
  begin("answered before it went on by itself", { isUnattended: true });
  await after(0);
  await after(59_999);
  assert.deepEqual(cancelled, []);
  await after(1);
  assert.deepEqual(cancelled, ["visit"]);
});

it("counts from the moment at which the last listener left", async () => {
  const { begin, after, followed, cancelled } = bench();
  begin("visit");
  await after(0);
  await after(59_000);
  followed.add("visit");
  await after(10_000);
  followed.clear();
  await after(1_000);
  await after(59_000);
  assert.deepEqual(cancelled, []);
  await after(1_000);
  assert.deepEqual(cancelled, ["visit"]);
});

it("a run that another process left here goes on while one of them follows it, or cannot be heard", async () => {
  const { begin, after, elsewhere, followed, cancelled } = bench();
  const runIds = Array.from({ length: 60 }, () => randomUUID());
  for (const runId of runIds) begin(runId, { isDelegated: true });
  const [first = "", second = ""] = runIds;
  for (const runId of runIds) elsewhere.followed.add(runId);
  for (let round = 0; round < 50; round += 1) await after(1_500);
  assert.deepEqual(cancelled, []);
  elsewhere.followed.delete(first);
  elsewhere.hears = false;
  for (let round = 0; round < 50; round += 1) await after(1_500);
  assert.deepEqual(cancelled, []);
  elsewhere.hears = true;
  followed.add(second);
  elsewhere.followed.delete(second);
  for (let round = 0; round < 40; round += 1) await after(1_500);
  assert.deepEqual(cancelled, []);
  await after(3_000);
  assert.deepEqual(cancelled, [first]);
});

it("a process tells others which of their runs are followed here", () => {
  const told: string[] = [];
  let ask = (_: string): void => undefined;
  const signals: Partial<Signals> = {
    seesOthers: () => true,
    tell: (topic, text) => void told.push(`${topic} ${text}`),
    hear(topic, listener) {
      if (topic === "run-followed-asked") ask = listener;
      return () => undefined;
    },
  };
  const broadcast = { isFollowed: (runId: string) => runId === "b" };
  const abandoned = createAbandonedRuns(hostContext({ signals, broadcast }), async () => 1);
  abandoned.answer();
  for (const text of ["a,b,c", "a", ""]) ask(text);
  assert.deepEqual(told, ["run-followed b"]);
});
