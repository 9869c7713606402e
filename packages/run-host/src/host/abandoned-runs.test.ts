import assert from "node:assert/strict";
import { it } from "node:test";
import type { RunHandle } from "@weft/engine";
import { createLogger } from "@weft/http/logger";
import { createAbandonedRuns } from "./abandoned-runs.ts";
import type { ActiveRun } from "./admission.ts";

function bench() {
  let now = 0;
  const cancelled: string[] = [];
  const followed = new Set<string>();
  const active = new Map<string, Pick<ActiveRun, "handle" | "share" | "isLeftHere">>();
  const abandoned = createAbandonedRuns({
    clock: { now: () => now },
    active,
    broadcast: { isFollowed: (runId) => followed.has(runId) },
    patienceMs: async (agentId) => (agentId === "patient" ? undefined : 60_000),
    logger: createLogger({ level: "silent", write: () => undefined, now: () => now }),
  });
  return {
    cancelled,
    followed,
    begin(runId: string, { isAnonymous = true, depth = 0, agentId = "agent", isUnattended = false } = {}) {
      const state = { started: { depth, agentId }, isUnattended };
      const cancel = () => cancelled.push(runId);
      active.set(runId, {
        handle: { runId, state, cancel } as unknown as RunHandle,
        share: { name: "", isAnonymous },
        isLeftHere: false,
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
