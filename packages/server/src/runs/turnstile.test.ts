import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { createTurnstile } from "./turnstile.ts";

/** Notes whose turn it is. */
function watch(limits: { maxRunning: number; maxWaiting: number }) {
  const turnstile = createTurnstile(limits);
  const called: string[] = [];
  const enter = (session: string, name: string) => {
    const { turn = Promise.resolve(), leave } = turnstile.enter(session);
    void turn.then(() => called.push(name));
    return leave;
  };
  return { enter, called };
}

describe("turnstile", () => {
  it("lets one of a session run at a time, in order, and other sessions beside it", async () => {
    const { enter, called } = watch({ maxRunning: 10, maxWaiting: 10 });
    const leaveFirst = enter("s", "first");
    const leaveSecond = enter("s", "second");
    enter("s", "third");
    enter("t", "other");
    await tick();
    assert.deepEqual(called, ["first", "other"]);
    leaveFirst();
    await tick();
    assert.deepEqual(called, ["first", "other", "second"]);
    leaveSecond();
    await tick();
    assert.deepEqual(called, ["first", "other", "second", "third"]);
  });

  it("lets nobody pass the one that runs when the last in line gives up", async () => {
    const { enter, called } = watch({ maxRunning: 10, maxWaiting: 10 });
    const leaveFirst = enter("s", "first");
    const giveUp = enter("s", "second");
    giveUp();
    enter("s", "third");
    await tick();
    assert.ok(!called.includes("third"));
    leaveFirst();
    await tick();
    assert.ok(called.includes("third"));
  });

  it("keeps the process's limits", async () => {
    const { enter, called } = watch({ maxRunning: 1, maxWaiting: 1 });
    const leaveFirst = enter("s", "first");
    const leaveSecond = enter("t", "second");
    assert.throws(() => enter("u", "third"), { code: "at-capacity" });
    leaveFirst();
    await tick();
    assert.deepEqual(called, ["first", "second"]);
    leaveSecond();
    await tick();
    enter("u", "fourth");
    await tick();
    assert.deepEqual(called, ["first", "second", "fourth"]);
  });
});
