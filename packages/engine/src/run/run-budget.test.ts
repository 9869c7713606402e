import assert from "node:assert/strict";
import { test } from "node:test";
import { usageOf } from "@weft/schema";
import type { EffectSpec } from "../node-type.ts";
import type { RunBudgets } from "../ports/budget.ts";
import { createRunBudget, defaultRunLimits, isBudgetError } from "./run-budget.ts";

const spec = (category: EffectSpec["category"], tokens = 0): EffectSpec => ({
  key: "k",
  kind: "read",
  category,
  name: "m",
  input: null,
  expects: usageOf(tokens, 0),
});

/** Budgets that note what they are asked. */
function open({ isShared = false, depth = 0, isCounted = false } = {}) {
  const asked: string[] = [];
  const note = (what: string) => async (run: { rootRunId: string }, use: object) => {
    asked.push(`${what} ${run.rootRunId} ${JSON.stringify(use)}`);
  };
  const budgets: RunBudgets = {
    isShared: async () => isShared,
    share: note("share"),
    take: note("take"),
    settle: note("settle"),
    limitHttp: (_root, client) => client,
  };
  const state = { usage: usageOf(0, 0), steps: 3, calls: { model: 1, tool: 2 } };
  const info = {
    runId: "own",
    depth,
    budget: { ...(depth > 0 && { rootRunId: "root" }), ...(isCounted && { isCounted: true as const }) },
  };
  const limits = { ...defaultRunLimits, maxModelCalls: 2, maxToolCalls: 3, maxTokens: 100 };
  return { asked, state, budget: createRunBudget({ budgets, info, state, limits, isShared }) };
}

test("a run that is alone counts by its journal and asks nobody", async () => {
  const { asked, budget, state } = open();
  assert.ok(budget.takeCall(spec("model", 60)));
  assert.throws(
    () => budget.takeCall(spec("model", 60)),
    isBudgetError,
    "60 tokens are reserved for the call under way",
  );
  state.calls.model = 2;
  assert.throws(() => budget.takeCall(spec("model")), /made 2 model calls/);
  assert.ok(budget.takeCall(spec("tool")));
  state.calls.tool = 3;
  assert.throws(() => budget.takeCall(spec("tool")), /made 3 tool calls/);
  assert.equal(budget.takeCall(spec("http")), undefined);
  assert.deepEqual(asked, []);
});

test("what is not used is there again after a call", async () => {
  const { budget, state } = open();
  const taken = await budget.takeCall(spec("model", 90));
  await taken?.settle({ usage: { inputTokens: 10, outputTokens: 0, totalTokens: 10 } });
  state.usage = usageOf(10, 0);
  assert.ok(budget.takeCall(spec("model", 90)));
});

test("a run that calls another shares what it took with it, once, and asks from then on", async () => {
  const { asked, budget } = open();
  const underWay = await budget.takeCall(spec("model", 5));
  await budget.share();
  await budget.share();
  await underWay?.settle(undefined);
  await budget.takeStep();
  const taken = await budget.takeCall(spec("model", 7));
  await taken?.settle(undefined);
  assert.deepEqual(asked, [
    'share own {"modelCalls":1,"toolCalls":2,"steps":3,"tokens":5}',
    'settle own {"model":"m","usage":{"inputTokens":5,"outputTokens":0,"totalTokens":5}}',
    'take own {"modelCalls":0,"toolCalls":0,"steps":1,"tokens":0}',
    'take own {"modelCalls":1,"toolCalls":0,"steps":0,"tokens":7}',
    'settle own {"model":"m","usage":{"inputTokens":7,"outputTokens":0,"totalTokens":7}}',
  ]);
});

test("a called run, and one that is taken over from another process, ask from the beginning", async () => {
  const called = open({ isShared: true, depth: 1 });
  await called.budget.takeCall(spec("tool"));
  assert.deepEqual(called.asked, ['take root {"modelCalls":0,"toolCalls":1,"steps":0,"tokens":0}']);
  const takenOver = open({ isShared: true });
  await takenOver.budget.takeStep();
  assert.deepEqual(takenOver.asked, ['take own {"modelCalls":0,"toolCalls":0,"steps":1,"tokens":0}']);
});

test("a visitor's run that is alone asks for its model calls alone", async () => {
  const { asked, budget } = open({ isCounted: true });
  await budget.takeStep();
  await budget.takeCall(spec("tool"));
  await budget.takeCall(spec("model", 9));
  assert.deepEqual(asked, ['take own {"modelCalls":1,"toolCalls":0,"steps":0,"tokens":9}']);
});
