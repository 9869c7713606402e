import assert from "node:assert/strict";
import { it } from "node:test";
import type { Clock } from "@weft/engine/ports/clock";
import type { RunRow } from "../run-tables.ts";
import { createRunContinuation } from "./run-continuation.ts";
import { hostContext } from "./testing/host-context.ts";

/** One whose wall clock goes back by an hour whenever somebody sleeps. */
function clockThatGoesBack(): Clock & { sleeps: number } {
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
  const store = {
    load: async () => ({ run, events: [] }),
    claim: async () => undefined,
    create: () => assert.fail(),
    release: () => assert.fail(),
  };
  const entrance = { enter: () => assert.fail(), start: () => assert.fail() };
  const continuation = createRunContinuation(hostContext({ store, clock }), entrance);
  const answering = continuation.resume({ runId: "run", waitId: "wait", answer: { type: "proceed" }, live: false });
  await assert.rejects(answering, { code: "conflict" });
  assert.equal(clock.sleeps, 200);
});
