import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { endBySignal, openWaits } from "@weft/engine";
import { createVirtualClock } from "@weft/engine/testing";
import { flowOf, say } from "./testing/flow-of.ts";
import { chain, completionOf, createFlowProcess, findingsOf, runFlow } from "./testing/run-flow.ts";

const hourMs = 3_600_000;
const startMs = Date.UTC(2026, 0, 1);
const pause = (config: object) => ({ id: "w", type: "wait", label: "Pause", config });

/** Runs a flow whose only step waits, on a clock that begins with 2026. */
function open(config: object, input: Parameters<typeof createFlowProcess>[1] = {}) {
  const process = createFlowProcess(chain(pause(config)), { ...input, clock: createVirtualClock(startMs) });
  const run = process.start();
  const suspended = async () => {
    assert.equal(await run.done, "suspended");
    const [open_] = openWaits(run.state);
    assert.ok(open_);
    return open_;
  };
  return { process, run, suspended };
}

describe("wait", () => {
  it("waits for a while, in any unit", async () => {
    for (const [amount, unit, ms] of [
      ["90", "seconds", 90_000],
      ["1.5", "hours", 1.5 * hourMs],
      ["2", "minutes", 120_000],
      ["366", "days", 366 * 24 * hourMs],
    ] as const) {
      const { wait } = await open({ amount, unit }).suspended();
      assert.equal(wait.until, startMs + ms);
      assert.equal(wait.asks, false);
    }
  });

  it("reads the amount and the moment from templates", async () => {
    const vars = { days: 3, at: "2026-01-02T01:00:00+01:00", epoch: startMs + hourMs };
    for (const [config, until] of [
      [{ amount: "{{ $vars.days }}", unit: "days" }, startMs + 72 * hourMs],
      [{ mode: "until", until: "{{ $vars.at }}" }, startMs + 24 * hourMs],
      [{ mode: "until", until: "{{ $vars.epoch }}" }, startMs + hourMs],
      [{ mode: "until", until: String(startMs + 2 * hourMs) }, startMs + 2 * hourMs],
      [{ mode: "until", until: "2026-01-01 02:00:00Z" }, startMs + 2 * hourMs],
    ] as const) {
      assert.equal((await open(config, { vars }).suspended()).wait.until, until);
    }
  });

  it("says when it went on, and that time ended the wait", async () => {
    const { process, suspended } = open({ amount: "2", unit: "hours" });
    await suspended();
    await process.clock.sleep(3 * hourMs, new AbortController().signal);
    assert.equal(await process.recover().done, "completed");
    const { output, text } = completionOf(process.events(), "w") ?? {};
    assert.deepEqual(output, { waitedUntil: "2026-01-01T02:00:00.000Z", resumedBy: "time" });
    assert.equal(text, "2026-01-01T02:00:00.000Z");
  });

  it("continues earlier with its signal, and says what came with it", async () => {
    const { process, suspended } = open({ amount: "2", unit: "days", signal: "order.paid" });
    const wait = await suspended();
    assert.equal(wait.wait.signal, "order.paid");
    assert.match(wait.wait.text, /^Waiting until 2026-01-03T00:00:00.000Z, or for the signal "order.paid".$/);
    const resume = endBySignal(wait, { total: 3 }, startMs + hourMs);
    assert.equal(await process.recover({ resume }).done, "completed");
    assert.deepEqual(completionOf(process.events(), "w")?.output, {
      waitedUntil: "2026-01-01T01:00:00.000Z",
      resumedBy: "signal",
      signal: "order.paid",
      payload: { total: 3 },
    });
  });

  it("continues at once at a moment in the past, and after no time", async () => {
    for (const config of [{ mode: "until", until: "2020-01-01T00:00:00Z" }, { amount: "0" }]) {
      const { run, process } = open(config);
      assert.equal(await run.done, "completed");
      assert.equal(
        process.events().some(({ type }) => type === "node-suspended"),
        false,
      );
    }
  });

  it("fails with a sentence for what is no duration and no moment", async () => {
    for (const [config, message] of [
      [{ amount: "-1" }, 'Pause needs a number of minutes that is zero or more, but got "-1".'],
      [{ amount: "soon" }, 'Pause needs a number of minutes that is zero or more, but got "soon".'],
      [{ amount: "NaN" }, 'Pause needs a number of minutes that is zero or more, but got "NaN".'],
      [{ amount: "Infinity" }, 'Pause needs a number of minutes that is zero or more, but got "Infinity".'],
      [{ amount: "" }, "Pause needs a number of minutes that is zero or more, but got nothing."],
      [{ amount: "400", unit: "days" }, "Pause would wait for 400 days, which is more than a year."],
      [
        { mode: "until", until: "2028-01-01T00:00:00Z" },
        "Pause would wait until 2028-01-01T00:00:00.000Z, which is more than a year.",
      ],
    ] as const) {
      const { error } = await runFlow(chain(pause(config)), { clock: createVirtualClock(startMs) });
      assert.equal(error?.code, "flow-node-failed");
      assert.equal(error?.message, message);
    }
    for (const until of ["", "tomorrow", "2026-03-01", "2026-03-01T09:00:00", "2026-13-45T09:00:00Z", "9e99"]) {
      const { error } = await runFlow(chain(pause({ mode: "until", until })), { clock: createVirtualClock(startMs) });
      assert.match(error?.message ?? "", /^Pause needs a date and time with its offset, such as .*, but got /);
    }
  });

  it("says its own words while it waits", async () => {
    const { wait } = await open({ message: "I will be back, {{ question }}." }).suspended();
    assert.equal(wait.text, "I will be back, hello.");
  });

  it("refuses a name that no request can give", () => {
    assert.deepEqual(findingsOf(pause({ signal: "paid" })), []);
    assert.deepEqual(findingsOf(pause({})), []);
    const [finding] = findingsOf(pause({ signal: "a/b" }));
    assert.equal(finding?.level, "error");
  });

  it("waits in each item of an iteration and in each pass of a loop", async () => {
    const nodes = {
      each: { type: "iteration", config: { items: "[1, 2]", concurrency: 2 } },
      w: { type: "wait", config: { amount: "1", unit: "hours" }, within: "each" },
      again: { type: "loop", config: { target: "each", times: 1 } },
      end: say("done"),
    };
    const flow = flowOf(nodes, "start>each each>again again>end");
    const process = createFlowProcess(flow, { clock: createVirtualClock(startMs) });
    let outcome = await process.start().done;
    for (let wakes = 0; outcome === "suspended" && wakes < 5; wakes += 1) {
      await process.clock.sleep(hourMs, new AbortController().signal);
      outcome = await process.recover().done;
    }
    assert.equal(outcome, "completed");
    const waited = process.events().flatMap((event) => (event.type === "node-resumed" ? [event.nodeKey] : []));
    const pass = (at: number) => [`each#${at}[0]/w#0`, `each#${at}[1]/w#0`];
    assert.deepEqual(waited, [...pass(0), ...pass(1)]);
  });
});
