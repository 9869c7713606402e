import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ExecutionEffect, ExecutionStep } from "@weft/client";
import { toolDurations } from "../../../chat/messages/answer-evidence.tsx";
import { formatDuration } from "../../../ui/content/format.ts";
import { errorAdvice } from "../error-details.tsx";
import { createTimeScale, waitedForPeopleMs } from "./time-scale.ts";
import {
  firstChoice,
  nodeIdOf,
  passOf,
  stepOfNode,
  stepsIn,
  toOpened,
  toTimelineRows,
  toTimelineTree,
  usedBy,
  workMsOf,
} from "./timeline-tree.ts";

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
  toTimelineRows(toTimelineTree(steps), new Set(toggled)).map(({ node, depth }) => `${" ".repeat(depth)}${node.key}`);

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
    const [, each] = toTimelineTree(steps);
    const items = each?.children.slice(1).map(({ status, startMs, endMs }) => [status, startMs, endMs]);
    assert.deepEqual(items, [
      ["FINISHED", 2, 4],
      ["ERROR", 3, null],
    ]);
    assert.deepEqual([passOf("a[0]/b#12"), passOf("odd")], [12, 0]);
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
      toTimelineTree([step("a#0", 0, 1, { status, effects })])[0]?.children.map((child) => child.status);
    assert.deepEqual(states("INPROGRESS"), ["FINISHED", "ERROR", "ERROR", "INPROGRESS"]);
    assert.deepEqual(states("TERMINATED"), ["FINISHED", "ERROR", "ERROR", "TERMINATED"]);
  });

  it("begins with what failed, else with what goes on, else with the end", () => {
    const choice = (...steps: ExecutionStep[]) => firstChoice(toTimelineRows(toTimelineTree(steps), new Set()));
    const [a, b] = [step("a#0", 0, 1), step("b#0", 1, 2)];
    assert.equal(choice(a, b), "b#0");
    assert.equal(choice({ ...a, status: "ERROR" }, b), "a#0");
    assert.equal(choice({ ...a, status: "STOPPED" }, b), "a#0");
    assert.equal(choice(), undefined);
  });
});

describe("what a row says of itself", () => {
  const usage = (totalTokens: number) => ({ inputTokens: totalTokens, outputTokens: 0, totalTokens });

  it("sums what was used, and knows no cost where a part of it is not known", () => {
    const steps = [
      step("each#0", 0, 9),
      step("each#0[0]/a#0", 1, 2, { usage: usage(10), costDollars: 0.5 }),
      step("each#0[1]/a#0", 2, 3, { usage: usage(30), costDollars: 0.25 }),
      step("b#0", 3, 4, {
        usage: usage(5),
        effects: [effect("m", 3, 4, { category: "model", usage: usage(5), costDollars: null })],
      }),
      step("c#0", 4, 5),
    ];
    const [each, b, c] = toTimelineTree(steps);
    assert.ok(each && b && c && each.children[0] && b.children[0]);
    assert.deepEqual(usedBy(each), { tokens: 40, costDollars: 0.75 });
    assert.deepEqual(usedBy(each.children[0]), { tokens: 10, costDollars: 0.5 });
    assert.deepEqual(usedBy(b), { tokens: 5, costDollars: null });
    assert.deepEqual(usedBy(b.children[0]), { tokens: 5, costDollars: null });
    assert.deepEqual(usedBy(c), { tokens: 0, costDollars: null });
    const free = step("d#0", 0, 1, { usage: usage(5), costDollars: 0 });
    assert.deepEqual(toTimelineTree([free]).map(usedBy), [{ tokens: 5, costDollars: 0 }]);
    const [mixed] = toTimelineTree([
      step("each#0", 0, 9),
      ...steps.slice(1, 2),
      { ...free, nodeKey: "each#0[0]/d#0", costDollars: null },
    ]);
    assert.deepEqual(mixed && usedBy(mixed), { tokens: 15, costDollars: null });
  });

  it("counts work without waits, those that go on included", () => {
    const waits = [
      { startedAt: at(1_000), finishedAt: at(5_000) },
      { startedAt: at(6_000), finishedAt: null },
    ];
    const [open] = toTimelineTree([step("ask#0", 0, null, { status: "STOPPED", waits })]);
    const [closed] = toTimelineTree([step("ask#0", 0, 7_000, { waits: waits.slice(0, 1) })]);
    assert.ok(open && closed);
    assert.equal(workMsOf(open, 60_000), 2_000);
    assert.equal(workMsOf(closed, 60_000), 3_000);
  });
});

describe("the flow beside the rows", () => {
  const items = Array.from({ length: 13 }, (_, index) =>
    step(`each#0[${index}]/in#0`, index, index + 1, { nodeId: "in" }),
  );
  const tree = toTimelineTree([step("each#0", 0, 13), ...items, step("end#0", 13, 14, { nodeId: "end" })]);
  const steps = stepsIn(tree);

  it("leads from a node to its last step, then to the one before", () => {
    const last = stepOfNode(steps, { nodeId: "in", after: undefined });
    assert.equal(last?.key, "each#0[12]/in#0");
    assert.equal(stepOfNode(steps, { nodeId: "in", after: last })?.key, "each#0[11]/in#0");
    const first = steps.find(({ key }) => key === "each#0[0]/in#0");
    assert.equal(stepOfNode(steps, { nodeId: "in", after: first })?.key, "each#0[12]/in#0");
    assert.equal(stepOfNode(steps, { nodeId: "gone", after: last }), undefined);
  });

  it("opens what is around a step that is folded away, and nothing else", () => {
    const key = "each#0[12]/in#0";
    const keys = (toggled: ReadonlySet<string>) => toTimelineRows(tree, toggled).map(({ node }) => node.key);
    assert.ok(!keys(new Set()).includes(key));
    const opened = toOpened(tree, key, new Set());
    assert.ok(keys(opened).includes(key));
    assert.ok(!keys(opened).includes("each#0[3]/in#0"));
    assert.deepEqual(toOpened(tree, key, opened), opened);
    assert.deepEqual([...toOpened(tree, "gone#0", new Set())], []);
  });

  it("knows which node a row is about", () => {
    const [, call] = toTimelineRows(
      toTimelineTree([step("a#0", 0, 1, { nodeId: "a", effects: [effect("look", 0, 1)] })]),
      new Set(),
    );
    assert.equal(call && nodeIdOf(call.node), "a");
    assert.equal(tree[0]?.children[0] && nodeIdOf(tree[0].children[0]), undefined);
  });
});

describe("the axis", () => {
  const scale = (steps: ExecutionStep[], nowMs = 0) => createTimeScale(toTimelineTree(steps), nowMs);

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

  it("has one band where the run waited for people, whoever of them, and none for a wait for a moment", () => {
    const wait = (from: number, to: number | null, more: object = {}) => ({
      startedAt: at(from),
      finishedAt: to === null ? null : at(to),
      ...more,
    });
    const steps = [
      step("a#0", 0, 6_000, { waits: [wait(1_000, 5_000)] }),
      step("b#0", 0, 8_000, { waits: [wait(2_000, 7_000)] }),
      step("c#0", 8_000, 20_000, { waits: [wait(9_000, 19_000, { asks: false })] }),
    ];
    const { bands, position } = scale(steps);
    assert.deepEqual(bands, [
      { at: position(1_000), width: position(7_000) - position(1_000), durationMs: 6_000, isOpen: false },
    ]);
    assert.equal(waitedForPeopleMs(steps, 0), 6_000);
    const open = [...steps, step("d#0", 20_000, null, { status: "STOPPED", waits: [wait(20_000, null)] })];
    assert.deepEqual(
      scale(open, 23_000).bands.map(({ durationMs, isOpen }) => [durationMs, isOpen]),
      [
        [6_000, false],
        [3_000, true],
      ],
    );
    assert.equal(waitedForPeopleMs(open, 23_000), 9_000);
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
  assert.deepEqual(toolDurations(steps, [call("look"), call("look")]), [5, 7]);
  assert.deepEqual(toolDurations(steps, [call("look"), call("save"), call("model")]), [7, null, null]);
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
