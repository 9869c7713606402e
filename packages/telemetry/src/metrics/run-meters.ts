import { type EffectOutcome, toJsonObject, usageOf } from "@weft/schema";
import type { ModelPrices } from "../prices/model-prices.ts";
import { createLabelBound, type Registry } from "./registry.ts";

const quick = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300];
const slow = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120, 300, 600];

/** The provider and the model of a model's id, as labels. */
export type ModelLabels = readonly [provider: string, model: string];

/** `id`: of the model, such as `openai/gpt-4o-mini`. */
export type ModelCall = { id: string; labels: ModelLabels };

/** The metrics of runs. */
export function createRunMeters(registry: Registry, prices: ModelPrices) {
  const model = ["provider", "model"];
  const boundModel = createLabelBound(200);
  const boundProvider = createLabelBound(50);
  const known = new Map<string, ModelLabels>();
  const modelSeconds = registry.histogram({
    name: "weft_model_call_duration_seconds",
    help: "Time of model calls, each attempt by itself.",
    labels: model,
    buckets: slow,
  });
  const modelFailures = registry.counter({
    name: "weft_model_call_failures_total",
    help: "Model calls that failed, each attempt by itself, by the code of the error.",
    labels: [...model, "code"],
  });
  const tokens = registry.counter({
    name: "weft_model_tokens_total",
    help: "Tokens as model servers counted them.",
    labels: ["direction", ...model],
  });
  const cost = registry.counter({
    name: "weft_model_cost_dollars_total",
    help: "US dollars that model calls cost by list prices, for models whose price is known.",
    labels: model,
  });
  const boundCode = createLabelBound(100);
  return {
    boundStepType: createLabelBound(100),
    started: registry.counter({
      name: "weft_runs_started_total",
      help: "Runs that began in this process.",
      labels: ["agent"],
    }),
    ended: registry.counter({
      name: "weft_runs_ended_total",
      help: "Runs that ended in this process.",
      labels: ["state", "agent"],
    }),
    suspended: registry.counter({
      name: "weft_runs_suspended_total",
      help: "How often runs stopped to wait for a person, a signal or a moment.",
      labels: ["agent"],
    }),
    runSeconds: registry.histogram({
      name: "weft_run_duration_seconds",
      help: "Time from the beginning to the end of runs that did both here without waiting.",
      labels: ["state"],
      buckets: slow,
    }),
    stepSeconds: registry.histogram({
      name: "weft_step_duration_seconds",
      help: "Time of the steps of runs, each attempt by itself.",
      labels: ["type", "outcome"],
      buckets: quick,
    }),
    effectSeconds: registry.histogram({
      name: "weft_effect_duration_seconds",
      help: "Time of what steps ask of the outside: models, tools, requests, retrieval, code and other agents.",
      labels: ["category", "outcome"],
      buckets: quick,
    }),
    retried: registry.counter({
      name: "weft_effect_retries_total",
      help: "Reads that failed and were attempted again.",
      labels: ["category"],
    }),
    firstToken: registry.histogram({
      name: "weft_model_first_token_seconds",
      help: "Time from a model call to the first piece of its answer, where answers are streamed.",
      labels: model,
      buckets: slow,
    }),
    modelLabels(id: string): ModelLabels {
      const labels = known.get(id);
      if (labels !== undefined) return labels;
      const slash = id.indexOf("/");
      const provider = boundProvider(slash < 0 ? "unknown" : id.slice(0, slash));
      const made: ModelLabels = [provider, boundModel(id.slice(slash + 1))];
      // Bounded values need no cache.
      if (known.size < 200) known.set(id, made);
      return made;
    },
    modelAnswered(seconds: number, { id, labels }: ModelCall, outcome: EffectOutcome): void {
      modelSeconds.observe(seconds, ...labels);
      if (!outcome.ok) modelFailures.add(1, ...labels, boundCode(outcome.error.code));
      const counted = outcome.ok ? tokensOf(outcome.value) : { input: 0, output: 0 };
      if (counted.input > 0) tokens.add(counted.input, "input", ...labels);
      if (counted.output > 0) tokens.add(counted.output, "output", ...labels);
      const dollars = prices.costOf(id, usageOf(counted.input, counted.output)) ?? 0;
      if (dollars > 0) cost.add(dollars, ...labels);
    },
  };
}

/** From a model's answer in the journal. */
export function tokensOf(answer: unknown): { input: number; output: number } {
  const { inputTokens, outputTokens } = toJsonObject(toJsonObject(answer).usage);
  return { input: Number(inputTokens ?? 0), output: Number(outputTokens ?? 0) };
}
