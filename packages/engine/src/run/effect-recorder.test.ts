import assert from "node:assert/strict";
import { test } from "node:test";
import { RunFailure } from "../errors.ts";
import type { EffectRecorder, RunEffect } from "../ports/effect-recorder.ts";
import { completed, createTestProcess, testFlow } from "../testing/test-process.ts";

const flow = testFlow("start>a");
const spec = { key: "look", kind: "write", category: "tool", name: "look", input: { city: "Paris" } } as const;

test("a recorder answers in place of the world, and its answer is journalled", async () => {
  const seen: RunEffect[] = [];
  const recorder: EffectRecorder = {
    async perform(effect) {
      seen.push(effect);
      return "recorded";
    },
  };
  const process = createTestProcess({
    flow,
    deps: { recorder },
    behaviours: { a: async (context) => completed(await context.effect(spec, () => assert.fail("made"))) },
  });
  assert.equal(await process.start().done, "completed");
  const { run, signal, ...facts } = seen[0] as RunEffect;
  assert.deepEqual(facts, { ...spec, nodeKey: "a#0", nodeId: "a", attempt: 1 });
  assert.deepEqual([seen.length, run.depth, signal.aborted], [1, 0, false]);
  const finished = process.events().find(({ type }) => type === "effect-finished");
  assert.deepEqual(finished?.type === "effect-finished" && finished.outcome, { ok: true, value: "recorded" });
});

test("a recorder that rejects fails the effect; one that makes it changes nothing", async () => {
  const error = { code: "recording-missing", message: "Record it.", retryable: false };
  const recorder: EffectRecorder = {
    perform: (effect, make) => (effect.nodeId === "a" ? Promise.reject(new RunFailure(error)) : make()),
  };
  const process = createTestProcess({
    flow: testFlow("start>a start>b"),
    deps: { recorder },
    behaviours: {
      a: async (context) => completed(await context.effect(spec, async () => "made")),
      b: async (context) => completed(await context.effect(spec, async () => "made")),
    },
  });
  assert.equal(await process.start().done, "failed");
  const outcomes = process.events().flatMap((event) => (event.type === "effect-finished" ? [event.outcome] : []));
  assert.deepEqual(
    outcomes.find(({ ok }) => !ok),
    { ok: false, error },
  );
  assert.deepEqual(
    outcomes.find(({ ok }) => ok),
    { ok: true, value: "made" },
  );
});
