import assert from "node:assert/strict";
import { it } from "node:test";
import type { CompiledFlow } from "@weft/engine";
import type { RunEvent } from "@weft/schema";
import type { RunRow } from "../run-tables.ts";
import { createRunContinuation, type RunContinuationDeps } from "./run-continuation.ts";

/** One whose wall clock goes back by an hour whenever somebody sleeps. */
function clockThatGoesBack(): RunContinuationDeps["clock"] & { sleeps: number } {
  const clock = {
    sleeps: 0,
    wallMs: 0,
    elapsedMs: 0,
    now: () => clock.wallMs,
    elapsed: () => clock.elapsedMs,
    async sleep(ms: number) {
      clock.sleeps += 1;
      clock.elapsedMs += ms;
      clock.wallMs -= 3_600_000;
      if (clock.sleeps > 1_000) throw new Error("It waits for ever.");
    },
  };
  return clock;
}

it("an answer waits for its run no longer when the wall clock is set back", async () => {
  const clock = clockThatGoesBack();
  const run = { id: "run", stoppedDate: null } as RunRow;
  const continuation = createRunContinuation({
    store: {
      load: async () => ({ run, events: [] as RunEvent[] }),
      claim: async () => undefined,
      create: () => assert.fail(),
      release: () => assert.fail(),
    },
    clock,
    newId: () => "id",
    entrance: { enter: () => assert.fail(), start: () => assert.fail() },
    active: new Map(),
    flowOfRun: async () => ({}) as CompiledFlow,
    lessee: { owner: "this", leaseMs: 6_000 },
    assertAccepting: () => undefined,
  });
  const answering = continuation.resume({ runId: "run", waitId: "wait", answer: { type: "proceed" }, live: false });
  await assert.rejects(answering, { code: "conflict" });
  assert.equal(clock.sleeps, 200);
});
