import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate as tick } from "node:timers/promises";
import { noShare, type Share } from "@weft/schema";
import type { SessionTurn } from "../journal/session-turns.ts";
import { createTurnstile, type TurnstileOptions } from "./turnstile.ts";

/** Notes whose turn it is. */
function watch(limits: TurnstileOptions) {
  const turnstile = createTurnstile(limits);
  const called: string[] = [];
  const enter = (name: string, share: Share = noShare, session?: SessionTurn) => {
    const { turn = Promise.resolve(), leave } = turnstile.enter(share, session);
    void turn.then(() => called.push(name));
    return leave;
  };
  return { turnstile, enter, called };
}

/** A session of a run that may be somebody else's turn. */
function sessionTurn(mustWait = false) {
  const place = Promise.withResolvers<boolean>();
  const turn = Promise.withResolvers<void>();
  const session: SessionTurn = { mustWait, isNext: place.promise, turn: turn.promise };
  return { session, placed: place.resolve, call: turn.resolve };
}

const known = (name: string) => ({ name, isAnonymous: false });
const visitor = (name: string) => ({ name, isAnonymous: true });

describe("turnstile", () => {
  it("gives the slot back while it is the turn of another run of the session, and takes one when it is called", async () => {
    const { enter, called } = watch({ maxRunning: 1, maxWaiting: 10 });
    const { session, placed, call } = sessionTurn();
    const leaveFirst = enter("first", noShare, session);
    enter("other", known("other"))();
    const leaveOther = enter("another", known("other"));
    await tick();
    assert.deepEqual(called, [], "a slot is held until it is known whose turn it is");
    placed(false);
    await tick();
    assert.deepEqual(called, ["another"]);
    call();
    await tick();
    assert.equal(called.length, 1);
    leaveOther();
    await tick();
    assert.equal(called.at(-1), "first");
    leaveFirst();
  });

  it("refuses who has runs while the event loop is late, and newcomers once it is later still", () => {
    let late = 0;
    const { turnstile, enter } = watch({ maxRunning: 8, maxWaiting: 8, loop: { lateMs: () => late, limitMs: 200 } });
    const refusal = { code: "at-capacity", retryAfterSeconds: 1, message: /more to do at this moment.*in 1 second/ };
    const leave = enter("first", known("busy"));
    for (late of [0, 200]) turnstile.assertInTime(known("busy"));
    for (late of [201, 1_000]) {
      assert.throws(() => turnstile.assertInTime(known("busy")), refusal);
      turnstile.assertInTime(known("new"));
      turnstile.assertInTime(visitor("new"));
    }
    late = 1_001;
    assert.throws(() => turnstile.assertInTime(known("new")), refusal);
    turnstile.enter(known("busy")).leave();
    late = 201;
    leave();
    turnstile.assertInTime(known("busy"));
  });

  it("never refuses for a loop that nobody watches", () => {
    const { turnstile, enter } = watch({ maxRunning: 1, maxWaiting: 0 });
    enter("first");
    turnstile.assertInTime(noShare);
  });

  it("lets a run go on as soon as it is known that nothing of its session runs", async () => {
    const { enter, called } = watch({ maxRunning: 1, maxWaiting: 0 });
    const { session, placed } = sessionTurn();
    enter("first", noShare, session);
    await tick();
    assert.deepEqual(called, []);
    placed(true);
    await tick();
    assert.deepEqual(called, ["first"]);
  });

  it("holds no slot for a run that will wait for its session, and a place in line", async () => {
    const { enter, called } = watch({ maxRunning: 1, maxWaiting: 1 });
    const { session, call } = sessionTurn(true);
    const giveUp = enter("second", noShare, session);
    const leaveOther = enter("other");
    await tick();
    assert.deepEqual(called, ["other"]);
    assert.throws(() => enter("third"), { code: "at-capacity" });
    giveUp();
    call();
    leaveOther();
    enter("fourth");
    await tick();
    assert.deepEqual(called, ["other", "fourth"], "who left has no turn");
  });

  it("refuses nothing that was accepted before", async () => {
    const { turnstile, enter, called } = watch({ maxRunning: 1, maxWaiting: 0 });
    const leaveFirst = enter("first");
    const { turn } = turnstile.enterAgain(noShare);
    void turn?.then(() => called.push("again"));
    leaveFirst();
    await tick();
    assert.deepEqual(called, ["first", "again"]);
  });

  it("keeps the process's limits", async () => {
    const { enter, called } = watch({ maxRunning: 1, maxWaiting: 1 });
    const leaveFirst = enter("first");
    const leaveSecond = enter("second");
    assert.throws(() => enter("third"), { code: "at-capacity" });
    leaveFirst();
    await tick();
    assert.deepEqual(called, ["first", "second"]);
    leaveSecond();
    await tick();
    enter("fourth");
    await tick();
    assert.deepEqual(called, ["first", "second", "fourth"]);
  });

  it("has a slot for a share that comes, however many another one wants", async () => {
    const { enter, called } = watch({ maxRunning: 8, maxWaiting: 1_000 });
    for (let index = 0; index < 100; index += 1) enter("greedy", known("greedy"));
    await tick();
    assert.equal(called.length, 4);
    enter("other", known("other"));
    await tick();
    assert.equal(called.at(-1), "other");
  });

  it("gives a free slot to the share with the fewest running, no matter who came first", async () => {
    const { enter, called } = watch({ maxRunning: 2, maxWaiting: 1_000 });
    const leaveFirst = enter("a", known("a"));
    const leaveSecond = enter("b", known("b"));
    for (let index = 1; index < 10; index += 1) enter("a", known("a"));
    const leaveThird = enter("c", known("c"));
    leaveFirst();
    await tick();
    leaveSecond();
    await tick();
    assert.deepEqual(called, ["a", "b", "a", "c"]);
    leaveThird();
  });

  it("gives visitors together no more than their part, and one of them no more than half of it", async () => {
    const { enter, called } = watch({ maxRunning: 100, maxWaiting: 10, maxAnonymous: 4 });
    for (let index = 0; index < 3; index += 1) enter("a", visitor("a"));
    for (let index = 0; index < 3; index += 1) enter("b", visitor("b"));
    enter("c", visitor("c"));
    enter("known", known("a"));
    await tick();
    assert.deepEqual(called, ["a", "a", "b", "c", "known"]);
  });

  it("refuses a share that fills the line with its own message, and takes others", async () => {
    const { enter } = watch({ maxRunning: 1, maxWaiting: 6 });
    enter("a", known("a"));
    for (let index = 1; index <= 3; index += 1) enter("a", known("a"));
    assert.throws(() => enter("a", known("a")), { code: "at-capacity", message: /from this client are waiting/ });
    enter("b", known("b"));
  });

  it("frees the place in line of a run that leaves before its turn", async () => {
    const { enter, called } = watch({ maxRunning: 1, maxWaiting: 1 });
    const leaveFirst = enter("first");
    enter("second")();
    const leaveThird = enter("third");
    leaveFirst();
    leaveFirst();
    await tick();
    assert.deepEqual(called, ["first", "third"]);
    leaveThird();
  });
});
