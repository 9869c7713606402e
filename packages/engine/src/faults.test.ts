import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { LeaseLostError } from "./ports/journal.ts";
import { failEveryCall } from "./testing/fail-every-call.ts";
import { runWithFaults, type Scenario } from "./testing/fault-runs.ts";
import { scenarios } from "./testing/fault-scenarios.ts";
import { createMemoryJournal } from "./testing/memory-journal.ts";
import { runId } from "./testing/test-process.ts";

const scenario = (name: string) => scenarios[name] as Scenario;

/** Fails the k-th call of every port for every k, in every way, then recovers and asserts the guarantees. */
describe("faults at every port call", () => {
  for (const [name, planned] of Object.entries(scenarios)) {
    it(`keeps the guarantees: ${name}`, async (test) => {
      const { calls, runs } = await failEveryCall(planned, { pairs: false });
      const total = [...calls.values()].reduce((sum, count) => sum + count, 0);
      assert.ok(total > 2);
      const listed = [...calls].map(([port, count]) => `${port} ${count}`).join(", ");
      test.diagnostic(`${name}: ${total} calls (${listed}), ${runs} runs with a fault`);
    });
  }

  it("tells an agent's model when the outcome of a call is unknown, and does not repeat the call", async () => {
    const base = await runWithFaults(scenario("tool that writes"), []);
    const at = (base.lives[0]?.fault.calls.indexOf("http") ?? -1) + 1;
    assert.ok(at > 0);
    const { events, world } = await runWithFaults(scenario("tool that writes"), [{ at, way: "crash-after" }]);
    assert.ok(events.some((event) => event.type === "effect-finished" && !event.outcome.ok));
    assert.equal(events.at(-1)?.type, "run-completed");
    assert.deepEqual([...world.writes.values()], [1, 1]);
  });

  it("asks a human before each call, and calls once what was allowed", async () => {
    const { events, world } = await runWithFaults(scenario("approval"), []);
    const order = events.flatMap((event) => {
      if (event.type === "node-suspended") return [`ask ${event.wait.key}`];
      return event.type === "effect-started" && event.category === "tool" ? [`call ${event.effectKey}`] : [];
    });
    const keys = ["tool-1-0", "tool-1-1", "tool-2-0"];
    assert.deepEqual(
      order,
      keys.flatMap((key) => [`ask ${key}`, `call ${key}`]),
    );
    assert.equal(world.writes.size, 3);
  });

  it("refuses the appends of a process that lost the run", async () => {
    const journal = createMemoryJournal();
    const epoch = journal.takeOver(runId);
    journal.takeOver(runId);
    await assert.rejects(journal.append({ runId, epoch, events: [] }), LeaseLostError);
  });
});
