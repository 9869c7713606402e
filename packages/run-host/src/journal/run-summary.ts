import { type CompiledFlow, openQuestions, openWaits, type RunState } from "@weft/engine";
import type { MessageAction, RunError, RunEvent, Usage } from "@weft/schema";
import { questionText } from "./run-turn.ts";
import { toAction } from "./wait-action.ts";

/** What lists of runs show without reading their journals. Texts are cut. */
export type RunSummary = {
  question: string;
  text: string | null;
  error: RunError | null;
  usage: Usage;
  /** What the run asked last, where it waits. */
  action: MessageAction | null;
  /** Names of the signals that it waits for. */
  signals: string[];
};

const maxTextLength = 500;

export const emptySummary: RunSummary = {
  question: "",
  text: null,
  error: null,
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  action: null,
  signals: [],
};

/** Of a run that begins with these events. */
export function beginningSummary([started]: readonly RunEvent[]): RunSummary {
  return { ...emptySummary, question: started?.type === "run-started" ? cut(questionText(started.input)) : "" };
}

/** Of a run that ends or waits with `end`. */
export function toSummary({ state, flow }: { state: RunState; flow: CompiledFlow }, end: RunEvent): RunSummary {
  const isSuspended = end.type === "run-suspended";
  const asked = isSuspended ? openQuestions(state).at(-1)?.wait : undefined;
  const last = asked ?? (isSuspended ? openWaits(state).at(-1)?.wait : undefined);
  const text = end.type === "run-completed" ? end.text : (last?.text ?? null);
  return {
    question: state.started ? cut(questionText(state.started.input)) : "",
    text: text === null ? null : cut(text),
    error: end.type === "run-failed" ? { ...end.error, message: cut(end.error.message) } : null,
    usage: state.usage,
    action: asked === undefined ? null : toAction(flow, asked),
    signals: isSuspended ? signalsOf(state) : [],
  };
}

export function signalsOf(state: RunState): string[] {
  return [...new Set(openWaits(state).flatMap(({ wait }) => wait.signal ?? []))];
}

export function summaryText(summary: RunSummary): string {
  return JSON.stringify(summary);
}

export function parseSummary(text: string | null): RunSummary {
  return text === null ? emptySummary : { ...emptySummary, ...(JSON.parse(text) as Partial<RunSummary>) };
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}
