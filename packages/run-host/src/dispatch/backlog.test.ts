import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep, setImmediate as tick } from "node:timers/promises";
import { WeftError } from "@weft/schema";
import type { ReadyCount } from "../journal/index.ts";
import { type BacklogRun, createBacklog, maxWaitingOfSession } from "./backlog.ts";

/** `stored`: what the database says when it is asked, which is at the first run. */
async function start(maxWaiting: number, stored: ReadyCount[] = []) {
  const warned: string[] = [];
  const logger = { warn: (event: string) => void warned.push(event) };
  const { enter, leave } = createBacklog(async () => stored, maxWaiting, logger);
  const mayEnter = (run: BacklogRun) => {
    try {
      enter(run);
      return true;
    } catch (cause) {
      assert.ok(cause instanceof WeftError && cause.code === "at-capacity" && cause.retryAfterSeconds === 2);
      return false;
    }
  };
  const probe = { agentId: "probe", isAnonymous: false };
  enter(probe);
  leave(probe);
  await tick();
  const countUntilRefused = (runs: (index: number) => BacklogRun) => {
    let count = 0;
    while (count < 1_000 && mayEnter(runs(count))) count += 1;
    return count;
  };
  return { mayEnter, leave, countUntilRefused, warned };
}

test("an agent has half of the places, and all agents have all of them", async () => {
  const { countUntilRefused } = await start(21);
  assert.equal(
    countUntilRefused(() => ({ agentId: "a", isAnonymous: false })),
    11,
  );
  assert.equal(
    countUntilRefused((index) => ({ agentId: `${index}`, isAnonymous: false })),
    9,
  );
});

test("visitors have half of the places, whatever agents they ask; known callers have theirs", async () => {
  const { countUntilRefused, mayEnter, leave } = await start(20);
  assert.equal(
    countUntilRefused((index) => ({ agentId: `${index}`, isAnonymous: true })),
    10,
  );
  assert.ok(mayEnter({ agentId: "0", isAnonymous: false }));
  assert.equal(mayEnter({ agentId: "new", isAnonymous: true }), false);
  leave({ agentId: "0", isAnonymous: true });
  assert.equal(mayEnter({ agentId: "new", isAnonymous: true }), false, "the database may count it by now");
});

test("a session has a hundred places, and its agent's others are free", async () => {
  const { countUntilRefused, mayEnter } = await start(10_000);
  const run = (session: string) => ({ agentId: "a", session, isAnonymous: false });
  assert.equal(
    countUntilRefused(() => run("s")),
    maxWaitingOfSession,
  );
  assert.ok(mayEnter(run("other")));
  assert.ok(mayEnter({ agentId: "a", isAnonymous: false }));
});

test("what other processes have left to workers counts", async () => {
  const { mayEnter } = await start(400, [
    { agentId: "a", session: "a/o/s", isAnonymous: false, count: maxWaitingOfSession },
    { agentId: "a", session: "a/anonymous/t", isAnonymous: true, count: 50 },
    { agentId: "b", session: "b/anonymous/t", isAnonymous: true, count: 150 },
  ]);
  assert.equal(mayEnter({ agentId: "a", session: "a/o/s", isAnonymous: false }), false);
  assert.equal(mayEnter({ agentId: "c", session: "c/anonymous/t", isAnonymous: true }), false);
  assert.ok(mayEnter({ agentId: "a", session: "a/o/t", isAnonymous: false }));
});

test("what entered lately counts while the database is being asked again", async () => {
  const run = { agentId: "a", isAnonymous: true };
  const answer = Promise.withResolvers<ReadyCount[]>();
  const answers = [Promise.resolve<ReadyCount[]>([]), answer.promise];
  const countReady = () => answers.shift() ?? assert.fail("asked too often");
  const { enter, leave } = createBacklog(countReady, 4, { warn: () => undefined });
  for (let count = 0; count < 2; count += 1) {
    enter(run);
    await tick();
    leave(run);
  }
  await sleep(300);
  assert.throws(() => enter(run), { code: "at-capacity" }, "asks, and knows of both before the answer");
  answer.resolve([{ ...run, session: "", count: 1 }]);
  await tick();
  enter(run);
  assert.throws(() => enter(run), { code: "at-capacity" });
});

test("a database that does not say how many wait refuses none, and the log says so", async () => {
  const warned: string[] = [];
  const { enter } = createBacklog(() => Promise.reject(new Error("gone")), 10, {
    warn: (event) => void warned.push(event),
  });
  enter({ agentId: "a", isAnonymous: false });
  await tick();
  assert.deepEqual(warned, ["ready-runs-not-counted"]);
});
