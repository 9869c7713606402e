import assert from "node:assert/strict";
import { it } from "node:test";
import type { RunEvent } from "@weft/schema";
import { createRunBroadcast } from "./run-broadcast.ts";

const delta = (effectSeq: number, offset: number, text: string) => ({
  runId: "run",
  nodeKey: "a#0",
  nodeId: "a",
  effectSeq,
  offset,
  text,
});
const finished: RunEvent = {
  type: "effect-finished",
  nodeKey: "a#0",
  effectKey: "model-0",
  outcome: { ok: true, value: null },
  seq: 5,
  at: 0,
};

it("keeps a message while it is being written, and no longer", () => {
  const broadcast = createRunBroadcast();
  const texts = () => broadcast.textsOf("run").map(({ effectSeq, offset, text }) => [effectSeq, offset, text]);
  assert.deepEqual(texts(), []);
  broadcast.delta(delta(4, 0, "Hel"));
  broadcast.delta(delta(4, 3, "lo"));
  assert.deepEqual(texts(), [[4, 0, "Hello"]]);
  broadcast.delta(delta(2, 5, " of an earlier call"));
  assert.deepEqual(texts(), [[4, 0, "Hello"]]);
  broadcast.committed("run", [finished]);
  assert.deepEqual(texts(), []);
  broadcast.delta(delta(6, 0, "Again"));
  assert.deepEqual(texts(), [[6, 0, "Again"]]);
  broadcast.leave("run");
  assert.deepEqual(texts(), []);
});

it("keeps no message that has become very long", () => {
  const broadcast = createRunBroadcast();
  broadcast.delta(delta(4, 0, "x".repeat(1_000_000)));
  broadcast.delta(delta(4, 1_000_000, "y"));
  broadcast.delta(delta(4, 1_000_001, "z"));
  assert.deepEqual(broadcast.textsOf("run"), []);
});

it("tells the followers of a run that this process has nothing more to tell", () => {
  const broadcast = createRunBroadcast();
  const left: string[] = [];
  const follow = (runId: string, name: string) =>
    broadcast.follow(runId, { events: () => undefined, left: () => left.push(name) });
  follow("run", "a");
  const stop = follow("run", "b");
  follow("another", "c");
  stop();
  broadcast.leave("run");
  assert.deepEqual(left, ["a"]);
});

it("a follower that stops twice takes no other with it", () => {
  const broadcast = createRunBroadcast();
  const heard: string[] = [];
  const follow = (name: string) => broadcast.follow("run", { events: () => void heard.push(name) });
  const stopFirst = follow("first");
  stopFirst();
  follow("second");
  stopFirst();
  assert.ok(broadcast.isFollowed("run"));
  broadcast.committed("run", [finished]);
  assert.deepEqual(heard, ["second"]);
});
