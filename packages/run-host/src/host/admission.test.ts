import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RunHandle } from "@weft/engine";
import { createAdmission, type Entrance, type NewRun } from "./admission.ts";
import { hostContext } from "./testing/host-context.ts";

const session = { agentId: "agent", owner: "account:1", sessionId: "chat" };

/** An admission whose runs are durable when the test says so. `known`: what the database has. */
function open({ isStopping = false } = {}) {
  const started: string[] = [];
  const known = new Set<string>();
  const durable = new Map<string, PromiseWithResolvers<void>>();
  const active = new Map<string, { handle: RunHandle; flow: NewRun["flow"] }>();
  const entrance: Entrance = {
    enter: () => ({ leave: () => undefined }),
    start({ runId }) {
      const accepted = Promise.withResolvers<void>();
      accepted.promise.catch(() => undefined);
      durable.set(runId, accepted);
      started.push(runId);
      const handle = { runId, accepted: accepted.promise } as RunHandle;
      active.set(runId, { handle, flow: {} as NewRun["flow"] });
      return handle;
    },
  };
  const run = { agentId: "agent", chatType: "EXTERNAL", owner: "" };
  const store = { find: async (id: string) => (known.has(id) ? run : undefined) };
  const stopping = isStopping ? AbortSignal.abort() : new AbortController().signal;
  const admission = createAdmission(hostContext({ store, active, stopping }), entrance);
  return { admission, started, active, known, durable };
}

function newRun(runId: string): NewRun {
  const begin = { type: "run-started", agentId: "agent", input: {}, depth: 0 } as unknown as NewRun["begin"];
  return { runId, begin, share: { name: "", isAnonymous: false }, flow: {} as NewRun["flow"], warnings: [] };
}

describe("a repetition that waits for the beginning of its run", () => {
  it("goes on when the run is durable, before its answer is there", async () => {
    const { admission, known, durable } = open();
    await admission.admit({ fixedId: "run", prepare: () => newRun("run"), live: false });
    const recalled = admission.recall("run");
    known.add("run");
    durable.get("run")?.resolve();
    assert.equal(await recalled, true);
  });

  it("is not refused when another process was first to begin the run", async () => {
    const { admission, known, durable } = open();
    const admitted = await admission.admit({ fixedId: "run", prepare: () => newRun("run"), live: false });
    const recalled = admission.recall("run");
    known.add("run");
    durable.get("run")?.reject(new Error("The run exists."));
    assert.equal(await admitted.startedElsewhere, true);
    assert.equal(await recalled, true);
  });

  it("is refused as the request that it repeats", async () => {
    const { admission } = open();
    const refusal = new Error("No such agent.");
    const first = admission.admit({ fixedId: "run", prepare: () => Promise.reject(refusal), live: false });
    const recalled = admission.recall("run");
    await assert.rejects(first, refusal);
    await assert.rejects(recalled, refusal);
  });

  it("finds nothing when nobody begins the run", async () => {
    assert.equal(await open().admission.recall("run"), false);
  });
});

describe("a message that answers a question", () => {
  it("begins nothing, tells repetitions the same, and leaves its place", async () => {
    const { admission, started } = open();
    const asked = Promise.withResolvers<{ waitId: string }>();
    const message = { fixedId: "run", prepare: () => asked.promise, live: false };
    const first = admission.admitMessage({ ...message, place: admission.arrive(session) });
    const second = admission.admitMessage({ ...message, place: admission.arrive(session) });
    const recalled = admission.recall("run");
    asked.resolve({ waitId: "wait" });
    assert.deepEqual(await Promise.all([first, second]), [{ waitId: "wait" }, { waitId: "wait" }]);
    assert.equal(await recalled, false);
    await admission.admit({ place: admission.arrive(session), prepare: () => newRun("next"), live: false });
    assert.deepEqual(started, ["next"]);
  });
});

describe("a run that two requests of this process name", () => {
  const request = { fixedId: "run", prepare: () => newRun("run"), live: false };

  it("begins once, although neither found it", async () => {
    const { admission, started, durable } = open();
    const [first, second] = await Promise.all([admission.admit(request), admission.admit(request)]);
    durable.get("run")?.resolve();
    assert.deepEqual(started, ["run"]);
    assert.equal(second.handle, first.handle);
    assert.deepEqual([await first.startedElsewhere, await second.startedElsewhere], [false, true]);
  });

  it("begins once when it was begun while the second was prepared", async () => {
    const { admission, started, active, known } = open();
    const prepared = Promise.withResolvers<NewRun>();
    const second = admission.admit({ ...request, prepare: () => prepared.promise });
    known.add("run");
    active.set("run", { handle: { runId: "run" } as RunHandle, flow: {} as NewRun["flow"] });
    prepared.resolve(newRun("run"));
    assert.equal(await (await second).startedElsewhere, true);
    assert.deepEqual(started, []);
  });

  it("is refused to both with the reason of the first, and the second leaves its place", async () => {
    const { admission, started } = open();
    const refused = { ...request, prepare: () => Promise.reject(new Error("No.")) };
    const first = admission.admit(refused);
    const second = admission.admit({ ...request, place: admission.arrive(session) });
    await assert.rejects(first, /No/);
    await assert.rejects(second, /No/);
    await admission.admit({ place: admission.arrive(session), prepare: () => newRun("next"), live: false });
    assert.deepEqual(started, ["next"]);
  });
});

it("a run that could not be written anywhere is not accepted", async () => {
  const { admission, durable } = open();
  const admitted = await admission.admit({ fixedId: "run", prepare: () => newRun("run"), live: false });
  const failure = new Error("The database is gone.");
  durable.get("run")?.reject(failure);
  await assert.rejects(admitted.startedElsewhere, failure);
});

describe("runs of a session", () => {
  it("begin in the order of their arrival, whatever each has to read", async () => {
    const { admission, started } = open();
    const [first, second] = [admission.arrive(session), admission.arrive(session)];
    const read = Promise.withResolvers<NewRun>();
    const slow = admission.admit({ place: first, prepare: () => read.promise, live: false });
    const quick = admission.admit({ place: second, prepare: () => newRun("second"), live: false });
    await new Promise(setImmediate);
    assert.deepEqual(started, []);
    read.resolve(newRun("first"));
    await Promise.all([slow, quick]);
    assert.deepEqual(started, ["first", "second"]);
  });

  it("do not wait for one that was refused", async () => {
    const { admission, started } = open();
    const [first, second] = [admission.arrive(session), admission.arrive(session)];
    const refused = admission.admit({ place: first, prepare: () => Promise.reject(new Error("No.")), live: false });
    await assert.rejects(refused);
    await admission.admit({ place: second, prepare: () => newRun("second"), live: false });
    assert.deepEqual(started, ["second"]);
  });
});

it("is told of a run before anybody else can be", async () => {
  const { admission } = open();
  const order: string[] = [];
  const begun = () => void order.push("begun");
  const admitting = admission.admit({ prepare: () => newRun("run"), live: true, begun });
  await admitting.then(({ handle }) => order.push(handle.runId));
  assert.deepEqual(order, ["begun", "run"]);
});

it("begins nothing while the process stops", async () => {
  const { admission, started } = open({ isStopping: true });
  await assert.rejects(admission.admit({ prepare: () => newRun("run"), live: false }), { code: "shutting-down" });
  assert.deepEqual(started, []);
});
