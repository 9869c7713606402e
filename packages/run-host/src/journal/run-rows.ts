import { type CompiledFlow, openQuestions, openWaits, type RunState, type WithGraph } from "@weft/engine";
import {
  type FileUpload,
  type Json,
  type JsonObject,
  type MessageAction,
  type RunError,
  type RunEvent,
  type RunEventOf,
  type RunInput,
  type RunUpload,
  toJsonList,
  toJsonObject,
  type Usage,
  type Wait,
} from "@weft/schema";

/** Shown in lists of runs without reading their journals. Texts are truncated. */
export type RunSummary = {
  question: string;
  text: string | null;
  error: RunError | null;
  usage: Usage;
  /** The run's last question, if it waits. */
  action: MessageAction | null;
  /** Names of the signals that it waits for. */
  signals: string[];
};

/** Recorded in a run's row when it ends or waits. */
export type RunDigest = {
  summary: RunSummary;
  /** Milliseconds since the epoch; undefined for a run that did not start. */
  startedAt: number | undefined;
  /** See `RunRow.costNanos`. */
  costNanos: number | null;
};

/** US dollars for model calls; undefined if a model has no known price. */
export type CostOf = (modelId: string, usage: Usage) => number | undefined;

const nanos = 1_000_000_000;

/** A run's cost so far, in US dollars; null if nothing was used, or a model has no known price. */
export function costDollarsOf(usageByModel: RunState["usageByModel"], costOf: CostOf): number | null {
  let sum: number | null = null;
  for (const [modelId, usage] of usageByModel) {
    if (usage.totalTokens === 0) continue;
    const dollars = costOf(modelId, usage);
    if (dollars === undefined) return null;
    sum = (sum ?? 0) + dollars;
  }
  return sum;
}

export function toCostNanos(dollars: number | null): number | null {
  return dollars === null ? null : Math.round(dollars * nanos);
}

export function toDollars(costNanos: number | null): number | null {
  return costNanos === null ? null : Number(costNanos) / nanos;
}

const maxTextLength = 500;

export const emptySummary: RunSummary = {
  question: "",
  text: null,
  error: null,
  usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
  action: null,
  signals: [],
};

/** Of a run that starts with these events. */
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

/** Omits the values that `parseSummary` assumes by default. */
export function summaryText({ error, action, signals, ...rest }: RunSummary): string {
  return JSON.stringify({
    ...rest,
    error: error ?? undefined,
    action: action ?? undefined,
    signals: signals.length > 0 ? signals : undefined,
  });
}

/** Matches the summary of a run that asks a human, and no other: quotation marks within its texts are escaped. */
export const askingPattern = '%,"action":{%';

/**
 * Matches a summary whose question contains this, written as JSON and with the wildcards of `like` escaped. The
 * question comes first, and what follows it appears in no text: quotation marks are escaped there.
 */
export function questionPattern(part: string): string {
  return `{"question":"%${part}%","text":%`;
}

export function parseSummary(text: string | null): RunSummary {
  return text === null ? emptySummary : { ...emptySummary, ...(JSON.parse(text) as Partial<RunSummary>) };
}

function cut(text: string): string {
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}…` : text;
}

/** One question and answer of a chat: started by a run's start, or by its resumption after it was suspended. */
export type RunTurn = {
  /** Milliseconds since the epoch. */
  askedAt: number;
  /** Undefined without a new user message: the run continues a failed one, or resumes after time or a signal. */
  userMessageId: string | undefined;
  apiMessageId: string;
  /** The user's message as text. */
  content: string;
  fileUploads: readonly FileUpload[];
  /** Its session was created for it, so nothing came before. Default false. */
  isFirst?: boolean | undefined;
};

/** The turn that a run starts with. */
export function firstTurn(started: RunEventOf<"run-started">, askedAt: number): RunTurn {
  const { input, userMessageId, apiMessageId, retriedFrom } = started;
  return {
    askedAt,
    userMessageId: retriedFrom === undefined ? userMessageId : undefined,
    apiMessageId,
    content: questionText(input),
    fileUploads: (input.uploads ?? []).map((upload) => toFileUpload(started, upload)),
  };
}

/** An upload as the chat message shows it. A stored file is read by its name in the chat. */
function toFileUpload({ agentId, chatId }: RunEventOf<"run-started">, upload: RunUpload): FileUpload {
  const { data, type, name, mime, sizeBytes, fileId } = upload;
  const place = new URLSearchParams({ chatflowId: agentId, chatId, fileName: name });
  return {
    data,
    type,
    name,
    mime,
    ...(sizeBytes !== undefined && { size: sizeBytes }),
    ...(fileId !== undefined && { url: `/api/v1/get-upload-file?${place}` }),
  };
}

/** The turn that starts when a suspended run resumes. */
export function resumedTurn(turn: NonNullable<RunEventOf<"node-resumed">["turn"]>, askedAt: number): RunTurn {
  const { userMessageId, ...said } = turn;
  return { ...said, userMessageId, askedAt, fileUploads: [] };
}

/** The run's current turn; undefined for a journal without a start. */
export function turnOf(events: readonly RunEvent[]): RunTurn | undefined {
  const resumed = events.findLast((event) => event.type === "node-resumed" && event.turn !== undefined);
  if (resumed?.type === "node-resumed" && resumed.turn) return resumedTurn(resumed.turn, resumed.at);
  const [started] = events;
  return started?.type === "run-started" ? firstTurn(started, started.at) : undefined;
}

/** The question, or the fields of the form, as text. */
export function questionText(input: RunInput): string {
  if (input.question === "" && input.webhook) return JSON.stringify(input.webhook.body);
  if (input.question !== undefined) return input.question;
  return Object.entries(input.form ?? {})
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("\n");
}

/** A run's open question, in the shape in which existing clients show and answer it. */
export function toAction({ graph }: WithGraph, { waitId, nodeId, details }: Wait): MessageAction {
  const { approve, reject } = labelsOf(details);
  const toolCalls = toJsonList(details.toolCalls);
  const { answer } = details;
  return {
    id: waitId,
    mapping: { approve, reject, toolCalls },
    elements: details.needsAccount === true ? [] : buttonsOf(details),
    data: {
      nodeId,
      nodeLabel: graph.nodes.get(nodeId)?.label ?? nodeId,
      input: {
        humanInputEnableFeedback: details.feedbackEnabled !== false,
        ...(answer === undefined ? {} : { answer }),
      },
    },
  };
}

/**
 * Visitors see no buttons for questions they may not answer. Clients that know only yes and no send text with a yes.
 */
function buttonsOf(details: JsonObject): MessageAction["elements"] {
  const { approve, reject } = labelsOf(details);
  const yes = { type: "agentflowv2-approve-button", label: approve };
  return details.answer === undefined ? [yes, { type: "agentflowv2-reject-button", label: reject }] : [yes];
}

/** The labels of both answers, as the node names them. */
export function labelsOf({ labels, answer }: JsonObject): { approve: string; reject: string } {
  const named = toJsonObject(labels);
  return {
    approve: textOr(named.proceed, answer === undefined ? "Proceed" : "Answer"),
    reject: textOr(named.reject, "Reject"),
  };
}

function textOr(value: Json | undefined, fallback: string): string {
  return typeof value === "string" && value !== "" ? value : fallback;
}
