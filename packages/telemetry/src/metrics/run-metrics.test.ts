import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent, RunEventBody } from "@weft/schema";
import { createModelPrices } from "../prices/model-prices.ts";
import { parseScrape } from "../testing/scrape.ts";
import { createRegistry } from "./registry.ts";
import { createRunMetrics } from "./run-metrics.ts";

const usage = { inputTokens: 7, outputTokens: 3, totalTokens: 10 };

function start(agentId: string): RunEventBody {
  const ids = { flowVersionId: "v", chatId: "c", sessionId: "s", userMessageId: "m", apiMessageId: "n" };
  return { type: "run-started", agentId, ...ids, chatType: "EXTERNAL", input: {}, depth: 0 };
}

function callOf(name: string, nodeKey = "llm#1"): RunEventBody {
  const key = { nodeKey, effectKey: "model-0", attempt: 1 };
  return { type: "effect-started", ...key, kind: "read", category: "model", name, input: {} };
}

const answered: RunEventBody = {
  type: "effect-finished",
  nodeKey: "llm#1",
  effectKey: "model-0",
  outcome: { ok: true, value: { usage } },
};
const completed: RunEventBody = { type: "run-completed", text: "", answerNodeKey: null, usage };

function createMeasured(here: ReadonlyMap<string, string> = new Map()) {
  const registry = createRegistry();
  const metrics = createRunMetrics(registry, {
    runs: { agentOf: (runId) => here.get(runId), stepTypeOf: () => "llm" },
    prices: createModelPrices({ "openai-compatible/own": { input: 2, output: 10 } }),
    now: () => 1_300,
  });
  const tell = (runId: string, ...bodies: RunEventBody[]) =>
    metrics.committed(
      runId,
      bodies.map((body, index): RunEvent => ({ ...body, seq: index + 1, at: 1_000 + index * 100 })),
    );
  return { metrics, tell, samples: () => parseScrape(registry.write()).samples };
}

test("agents and models beyond the first 200 count as other", () => {
  const { tell, samples } = createMeasured();
  for (let number = 0; number < 250; number += 1) {
    tell(`run ${number}`, start(`agent ${number}`), callOf(`openai/model ${number}`), answered, completed);
  }
  const seen = samples();
  assert.equal(seen.get('weft_runs_started_total{agent="agent 199"}'), 1);
  assert.equal(seen.get('weft_runs_started_total{agent="other"}'), 50);
  assert.equal(seen.get('weft_model_tokens_total{direction="input",provider="openai",model="other"}'), 350);
  assert.equal([...seen.keys()].filter((name) => name.startsWith("weft_runs_started_total")).length, 201);
});

test("a first token counts once, whether it comes before its call is committed or after", () => {
  const { metrics, tell, samples } = createMeasured();
  const delta = { nodeKey: "llm#1", nodeId: "llm", effectSeq: 2, text: "a" };
  metrics.delta({ runId: "early", ...delta, offset: 0 });
  tell("early", start("a"), callOf("openai/m"));
  tell("late", start("a"), callOf("openai/m"));
  metrics.delta({ runId: "late", ...delta, offset: 0 });
  metrics.delta({ runId: "late", ...delta, offset: 1 });
  metrics.delta({ runId: "late", ...delta, nodeKey: "llm#2", effectSeq: 9, offset: 0 });
  const labels = '{provider="openai",model="m"}';
  assert.equal(samples().get(`weft_model_first_token_seconds_count${labels}`), 2);
  assert.equal(samples().get(`weft_model_first_token_seconds_sum${labels}`), 0.4);
});

test("a run that goes on here has its agent from the host; one that is gone is unknown, and clocks that differ do no harm", () => {
  const { tell, samples } = createMeasured(new Map([["here", "agent-1"]]));
  tell("here", completed);
  tell("gone", { type: "node-completed", nodeKey: "a#1", nodeId: "a", output: null }, completed);
  const seen = samples();
  assert.equal(seen.get('weft_runs_ended_total{state="completed",agent="agent-1"}'), 1);
  assert.equal(seen.get('weft_runs_ended_total{state="completed",agent="unknown"}'), 1);
  assert.ok(![...seen.keys()].some((name) => name.startsWith("weft_step_duration_seconds_count")));
});

test("what began here and went on elsewhere is forgotten", () => {
  const here = new Map<string, string>();
  const { tell, samples } = createMeasured(here);
  here.set("stays", "agent-1");
  tell("stays", start("agent-1"));
  for (let number = 0; number < 3_000; number += 1) tell(`handed over ${number}`, start("agent-1"));
  tell("stays", completed);
  tell("handed over 0", completed);
  // Only of a run whose beginning is remembered is the duration known.
  assert.equal(samples().get('weft_run_duration_seconds_count{state="completed"}'), 1);
});

test("model calls cost what the operator says, or the list, and what has no price costs nothing", () => {
  const { tell, samples } = createMeasured();
  const models = [
    "openai-compatible/own",
    "openai-compatible/gpt-4o",
    "openai/gpt-4o-2024-08-06",
    "openai/no-such-model",
  ];
  for (const [index, name] of [...models, "ollama/gpt-4o", "unnamed"].entries()) {
    tell(`run ${index}`, start("a"), callOf(name), answered, completed);
  }
  const listed = 'weft_model_cost_dollars_total{provider="openai",model="gpt-4o-2024-08-06"}';
  const dollars = samples().get(listed) ?? 0;
  // $2.50 and $10 for a million tokens.
  assert.ok(Math.abs(dollars - (7 * 2.5 + 3 * 10) / 1e6) < 1e-12, `${dollars}`);
  const costs = [...samples()].filter(([name]) => name.startsWith("weft_model_cost_dollars_total"));
  assert.deepEqual(
    costs.map(([name]) => name).toSorted(),
    ['weft_model_cost_dollars_total{provider="openai-compatible",model="own"}', listed].toSorted(),
  );
  assert.ok(Math.abs(Number(costs.find(([name]) => name.includes("own"))?.[1]) - (7 * 2 + 3 * 10) / 1e6) < 1e-12);
});
