import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExecutionEffect, ExecutionStep } from "@weft/client";
import { toolDurations } from "../../../chat/messages/answer-evidence.tsx";
import { formatDuration } from "../../../ui/content/format.ts";
import { errorAdvice } from "../execution-facts.tsx";
import { createTimeScale } from "./time-scale.ts";
import { firstChoice, passOf, toTimelineRows, toTimelineTree } from "./timeline-tree.ts";

const noUsage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
const at = (ms: number) => new Date(ms).toISOString();

function timing(from: number, to: number | null) {
  return { startedAt: at(from), finishedAt: to === null ? null : at(to), durationMs: to === null ? null : to - from };
}

const step = (nodeKey: string, from: number, to: number | null, more: Partial<ExecutionStep> = {}): ExecutionStep => ({
  nodeKey,
  nodeId: nodeKey,
  nodeLabel: nodeKey,
  type: "llm",
  status: to === null ? "INPROGRESS" : "FINISHED",
  attempt: 1,
  ...timing(from, to),
  input: null,
  output: null,
  error: null,
  usage: noUsage,
  costDollars: null,
  waits: [],
  effects: [],
  ...more,
});

const effect = (
  name: string,
  from: number,
  to: number | null,
  more: Partial<ExecutionEffect> = {},
): ExecutionEffect => ({
  key: name,
  category: "tool",
  kind: "read",
  name,
  attempt: 1,
  ...timing(from, to),
  input: {},
  output: null,
  error: null,
  usage: null,
  costDollars: null,
  ...more,
});

const outline = (steps: ExecutionStep[], toggled: string[] = []) =>
  toTimelineRows(toTimelineTree({ steps }), new Set(toggled)).map(
    ({ node, depth }) => `${" ".repeat(depth)}${node.key}`,
  );

describe("the timeline of a run", () => {
  it("nests effects below steps, and the steps of an iteration below its items, to any depth", () => {
    const steps = [
      step("start#0", 0, 1),
      step("each#0", 1, 9, { effects: [effect("look", 1, 2)] }),
      step("each#0[0]/a#0", 2, 4),
      step("each#0[1]/a#0", 3, null),
      step("each#0[1]/in#1", 5, 9, { status: "ERROR" }),
      step("each#0[1]/in#1[0]/b#0", 6, 7),
      step("end#0", 9, 10),
    ];
    const all = ["each#0[0]", "each#0[1]/in#1[0]"];
    assert.deepEqual(outline(steps, all), [
      "start#0",
      "each#0",
      " each#0:0",
      " each#0[0]",
      "  each#0[0]/a#0",
      " each#0[1]",
      "  each#0[1]/a#0",
      "  each#0[1]/in#1",
      "   each#0[1]/in#1[0]",
      "    each#0[1]/in#1[0]/b#0",
      "end#0",
    ]);
    const [, each] = toTimelineTree({ steps });
    const items = each?.children.slice(1).map(({ status, startMs, endMs }) => [status, startMs, endMs]);
    assert.deepEqual(items, [
      ["FINISHED", 2, 4],
      ["ERROR", 3, null],
    ]);
    assert.deepEqual([passOf({ nodeKey: "a[0]/b#12" }), passOf({ nodeKey: "odd" })], [12, 0]);
  });

  it("folds what is long, and unfolds what is chosen", () => {
    const items = Array.from({ length: 13 }, (_, index) => step(`each#0[${index}]/a#0`, index, index + 1));
    const steps = [step("each#0", 0, 13), ...items];
    assert.deepEqual(outline(steps), ["each#0"]);
    assert.equal(outline(steps, ["each#0"]).length, 14);
    assert.equal(outline(steps, ["each#0", "each#0[3]"])[5], "  each#0[3]/a#0");
  });

  it("shows a step whose iteration it does not know", () => {
    assert.deepEqual(outline([step("gone#0[0]/a#0", 0, 1)]), ["gone#0[0]/a#0"]);
  });

  it("says of effects how they ended, also those that nobody saw ending", () => {
    const error = { code: "tool-failed", message: "No.", retryable: false };
    const effects = [
      effect("ok", 0, 1),
      effect("error", 0, 1, { error }),
      effect("told", 0, 1, { output: { content: "No.", isError: true } }),
      effect("open", 0, null),
    ];
    const states = (status: ExecutionStep["status"]) =>
      toTimelineTree({ steps: [step("a#0", 0, 1, { status, effects })] })[0]?.children.map((child) => child.status);
    assert.deepEqual(states("INPROGRESS"), ["FINISHED", "ERROR", "ERROR", "INPROGRESS"]);
    assert.deepEqual(states("TERMINATED"), ["FINISHED", "ERROR", "ERROR", "TERMINATED"]);
  });

  it("begins with what failed, else with what goes on, else with the end", () => {
    const choice = (...steps: ExecutionStep[]) => firstChoice(toTimelineRows(toTimelineTree({ steps }), new Set()));
    const [a, b] = [step("a#0", 0, 1), step("b#0", 1, 2)];
    assert.equal(choice(a, b), "b#0");
    assert.equal(choice({ ...a, status: "ERROR" }, b), "a#0");
    assert.equal(choice({ ...a, status: "STOPPED" }, b), "a#0");
    assert.equal(choice(), undefined);
  });
});

describe("the axis", () => {
  const scale = (steps: ExecutionStep[], nowMs = 0) => createTimeScale(toTimelineTree({ steps }), nowMs);

  it("is even where something happened all the time", () => {
    const { position, pauses, ticks } = scale([step("a#0", 1_000, 3_000), step("b#0", 3_000, 5_000)]);
    assert.deepEqual([900, 1_000, 2_000, 5_000, 9_000].map(position), [0, 0, 0.25, 1, 1]);
    assert.deepEqual(pauses, []);
    assert.deepEqual(
      ticks.map(({ elapsedMs }) => elapsedMs),
      [0, 1_000, 2_000, 3_000, 4_000],
    );
  });

  it("draws a long wait for a human narrow, inside of the step that waited", () => {
    const day = 86_400_000;
    const waits = [{ startedAt: at(1_000), finishedAt: at(1_000 + day) }];
    const { position, pauses } = scale([step("ask#0", 0, 2_000 + day, { waits })]);
    assert.equal(pauses.length, 1);
    assert.deepEqual([pauses[0]?.durationMs, pauses[0]?.width], [day, 0.08]);
    assert.ok(Math.abs(position(1_000) - 0.46) < 1e-9);
    assert.ok(Math.abs(position(1_000 + day) - 0.54) < 1e-9);
    assert.ok(Math.abs(position(2_000 + day) - 1) < 1e-9);
  });

  it("goes on with what goes on, and pauses where a run waits still", () => {
    assert.equal(scale([step("a#0", 0, null)], 4_000).position(2_000), 0.5);
    const waits = [{ startedAt: at(1_000), finishedAt: null }];
    const waiting = scale([step("a#0", 0, null, { status: "STOPPED", waits })], 9_000);
    assert.deepEqual(waiting.pauses, [{ at: waiting.position(1_000), width: 0.08, durationMs: 8_000 }]);
    assert.ok(Math.abs(waiting.position(1_000) - 0.92) < 1e-9);
    assert.equal(waiting.position(9_000), 1);
    const atOnce = [{ startedAt: at(0), finishedAt: null }];
    const { position } = scale([step("a#0", 0, null, { status: "STOPPED", waits: atOnce })], 9_000);
    assert.deepEqual([0, 4_500, 9_000].map(position), [0, 0.5, 1]);
  });

  it("has a place for everything, also where nothing took any time", () => {
    assert.deepEqual([scale([]).position(7), scale([step("a#0", 5, 5)]).position(5)], [0, 0]);
    const steps = Array.from({ length: 40 }, (_, index) => step(`a#${index}`, index * 10_000, index * 10_000 + 1));
    const { position } = scale(steps);
    const places = steps.map(({ startedAt }) => position(Date.parse(startedAt)));
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    );
    assert.ok((places.at(-1) ?? 2) <= 1);
  });
});

it("durations are said in two units at most", () => {
  const said = [-1, 0, 999, 1_250, 59_940, 200_000, 3_600_000, 7_500_000, 90_000_000].map(formatDuration);
  assert.deepEqual(said, ["0 ms", "0 ms", "999 ms", "1.25 s", "59.9 s", "3 min 20 s", "1 h", "2 h 5 min", "1 d 1 h"]);
});

it("calls of a message get the durations of the journal, the last of a run's where there are more", () => {
  const effects = [
    effect("look", 0, 5),
    effect("look", 10, 17),
    effect("save", 20, null),
    effect("model", 0, 99, { category: "model" }),
  ];
  const steps = [step("a#0", 0, 30, { effects })];
  const call = (tool: string) => ({ tool, input: {} });
  assert.deepEqual(toolDurations({ steps }, [call("look"), call("look")]), [5, 7]);
  assert.deepEqual(toolDurations({ steps }, [call("look"), call("save"), call("model")]), [7, null, null]);
});

it("a failure comes with what to do", () => {
  const error = (code: string, more: object = {}) => errorAdvice({ code, message: "", retryable: false, ...more });
  assert.equal(error("model-not-configured").link?.to, "/models");
  assert.equal(error("model-unauthorized").link?.to, "/credentials");
  assert.match(error("egress-refused").text, /EGRESS_ALLOW/);
  assert.match(error("model-rate-limited", { upstream: { status: 429, retryAfterSeconds: 7 } }).text, /wait 7 s/);
  assert.match(error("model-timeout", { retryable: true }).text, /may be temporary/);
  assert.match(error("flow-node-failed").text, /Fix the flow/);
});
