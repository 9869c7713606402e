import { type HistoryMessage, type Json, type JsonObject, type RunError, WeftError } from "@weft/schema";
import { HostUnavailableError, isExpected, RunFailure, toRunError } from "../errors.ts";
import type { Graph, GraphNode } from "../flow/graph.ts";
import type {
  CitablePassages,
  EffectInfo,
  EffectSpec,
  ItemOutcome,
  NodeContext,
  NodeResult,
  NodeServices,
  RunInfo,
  TemplatePlace,
} from "../node-type.ts";
import type { Clock } from "../ports/clock.ts";
import type { EffectRecorder } from "../ports/effect-recorder.ts";
import { LeaseLostError } from "../ports/journal.ts";
import type { RememberedMessage } from "../ports/memory.ts";
import type { RunObserver } from "../ports/observer.ts";
import { encodeForUrl, type RenderOptions, renderJson, renderTemplate, toText } from "../template/index.ts";
import { isAttached, levelOf } from "./readiness.ts";
import { type Execution, pinOf, recordFailure, recordResult } from "./record-result.ts";
import { isBudgetError, type RunBudget } from "./run-budget.ts";
import { linkSignal, type RunContext } from "./run-context.ts";
import { runEffect } from "./run-effect.ts";
import type { RunJournal } from "./run-journal.ts";
import { conversationIn, isMessage, mayAnswer, type NodeRun, type RunState, sourcesOf } from "./run-state.ts";
import { createTemplateScope } from "./template-values.ts";

/**
 * Runs one node execution and records the result. `spawned` holds the outcomes of its sub-flow's items, or the error
 * that ended one and thereby the others. Resolves without recording when the run was interrupted, or has left this
 * execution behind.
 */
export async function executeNode(
  run: RunContext,
  nodeRun: NodeRun,
  spawned?: ItemOutcome[] | RunError,
): Promise<void> {
  const node = run.graph.nodes.get(nodeRun.nodeId);
  if (!node) throw new Error(`The flow has no node ${nodeRun.nodeId}.`);
  const execution = { node, nodeRun, attempt: "attempt" in nodeRun.phase ? nodeRun.phase.attempt : 1 };
  try {
    const result = await resultOf(run, execution, spawned);
    if (result && isCurrent(run, nodeRun)) recordResult(run, execution, result);
  } catch (cause) {
    if (run.readSignal.aborted || !isCurrent(run, nodeRun)) return;
    if (cause instanceof HostUnavailableError || cause instanceof LeaseLostError) return run.abort(cause);
    if (!isExpected(cause)) run.onBug(cause);
    const isFinal = cause instanceof RunFailure && cause.isFinal;
    recordFailure(run, execution, { error: toRunError(cause), isFinal });
  }
}

/** Undefined if the run has no steps left, or looped back during a retry pause. */
async function resultOf(
  run: RunContext,
  execution: Execution,
  spawned: ItemOutcome[] | RunError | undefined,
): Promise<NodeResult | undefined> {
  const { node, nodeRun, attempt } = execution;
  const { phase, key: nodeKey } = nodeRun;
  if (spawned && !Array.isArray(spawned)) return { type: "failed", error: spawned };
  if (phase.type === "retrying") await run.clock.sleep(Math.max(0, phase.at - run.clock.now()), run.readSignal);
  if (phase.type === "idle" || phase.type === "retrying") {
    if (!isCurrent(run, nodeRun) || !(await takeStep(run)) || !isCurrent(run, nodeRun)) return undefined;
    const answers = isShown(run, execution) ? ({ isAnswer: true } as const) : {};
    run.journal.record({ type: "node-started", nodeKey, nodeId: node.id, attempt, ...answers });
  }
  const pinned = pinnedResult(run, node.id);
  if (pinned) return pinned;
  const extras: Extras = {};
  if (phase.type === "started" && phase.answer !== undefined) extras.answer = phase.answer;
  if (spawned) extras.spawned = spawned;
  return executeWithin(run, execution, extras);
}

/** The pinned result of a node; undefined for a node that is executed. */
function pinnedResult(run: RunContext, nodeId: string): NodeResult | undefined {
  const pin = pinOf(run, nodeId);
  if (pin === undefined) return undefined;
  const { output, ports, text, json, state } = pin;
  const completion = {
    output,
    ...(text === undefined ? {} : { text, messages: [{ role: "apiMessage" as const, content: text }] }),
    ...(json === undefined ? {} : { json }),
    ...(state === undefined ? {} : { state }),
  };
  return ports ? { type: "branch", ports, ...completion } : { type: "completed", ...completion };
}

type Extras = { answer?: Json; spawned?: ItemOutcome[] };

/** Whether the run is still open, and neither a jump nor the failure of another item has left this execution behind. */
function isCurrent(run: RunContext, nodeRun: NodeRun): boolean {
  if (run.state.end || run.signal.aborted) return false;
  const scope = run.state.scopes.get(nodeRun.scope);
  return scope?.nodes.get(nodeRun.nodeId) === nodeRun && isAttached(run.state, scope);
}

/** False if the run has no steps left, which ends it. */
async function takeStep({ budget, abort }: RunContext): Promise<boolean> {
  try {
    await budget.takeStep();
    return true;
  } catch (cause) {
    if (!isBudgetError(cause)) throw cause;
    abort(cause);
    return false;
  }
}

async function executeWithin(run: RunContext, execution: Execution, extras: Extras): Promise<NodeResult> {
  const { node } = execution;
  const timeoutMs = node.config.onFailure?.timeoutMs;
  if (timeoutMs === undefined) return execute(run, execution, extras, run);
  const timeout = new WeftError("flow-node-failed", {
    params: { reason: `${node.label} took longer than its time limit of ${timeoutMs} ms.` },
    retryable: true,
  });
  const signal = linkSignal(run.signal);
  const readSignal = linkSignal(run.readSignal);
  const ended = new AbortController();
  const expiry = run.clock.sleep(timeoutMs, ended.signal).then(
    () => {
      for (const link of [signal, readSignal]) link.abort(timeout);
      throw timeout;
    },
    () => new Promise<never>(() => undefined),
  );
  const signals = { signal: signal.signal, readSignal: readSignal.signal };
  try {
    return await Promise.race([execute(run, execution, extras, signals), expiry]);
  } finally {
    ended.abort("ended");
    for (const link of [signal, readSignal]) link.release();
  }
}

function execute(
  run: RunContext,
  { node, nodeRun, attempt }: Execution,
  extras: Extras,
  { signal, readSignal }: { signal: AbortSignal; readSignal: AbortSignal },
): Promise<NodeResult> {
  const context = createNodeContext({
    ...run,
    node,
    nodeRun,
    attempt,
    history: run.templateHistory,
    signal,
    readSignal,
    ...extras,
  });
  return node.type.execute(context, node.config);
}

/**
 * Whether the node's text is certain to be shown, so that it may be streamed: it is a message of its own, or it answers
 * and no other leaf can still answer in its place. Leaves reached only when it fails do not count: then it answers
 * nothing.
 */
function isShown(run: RunContext, { node, nodeRun }: Execution): boolean {
  const scope = run.state.scopes.get(nodeRun.scope);
  if (!scope) return false;
  const { leaves } = levelOf(run.graph, scope);
  if (isMessage(node)) return true;
  const behind = leaves.get(node.id);
  if (nodeRun.scope !== "" || behind === undefined || !mayAnswer(node)) return false;
  return [...leaves.keys()].every((id) => {
    const other = run.graph.nodes.get(id);
    if (!other || behind.has(id) || !mayAnswer(other) || isMessage(other)) return true;
    const isReply = node.type.answers === "reply";
    if (isReply && other.type.answers === "leaf") return true;
    const phase = scope.nodes.get(id)?.phase.type;
    return phase === "skipped" || phase === "failed" || (phase === "completed" && isReply);
  });
}

type NodeContextOptions = {
  info: RunInfo;
  node: GraphNode;
  nodeRun: NodeRun;
  attempt: number;
  state: RunState;
  graph: Graph;
  journal: RunJournal;
  services: NodeServices;
  observer: RunObserver;
  clock: Clock;
  timeLeftMs: () => number;
  budget: RunBudget;
  abort(reason: unknown): void;
  recorder?: EffectRecorder;
  vars: JsonObject;
  /** The session's last messages before this run; loaded on first use. */
  loadHistory: (limit?: number) => Promise<readonly RememberedMessage[]>;
  loadLastState: () => Promise<JsonObject>;
  /** The same for templates, if the flow uses them. */
  history: readonly HistoryMessage[];
  live: boolean;
  dataMark: () => string;
  signal: AbortSignal;
  readSignal: AbortSignal;
  answer?: Json;
  spawned?: readonly ItemOutcome[];
};

function createNodeContext(options: NodeContextOptions): NodeContext {
  const { info, node, nodeRun, state, journal, observer } = options;
  const scope = createTemplateScope({ ...options, run: info });

  function warn(code: string, message: string): void {
    journal.record({ type: "run-warned", code, message, nodeKey: nodeRun.key });
  }

  function render(text: string, place: TemplatePlace = "text"): Json {
    const onUnknown = (source: string) =>
      warn("template-empty", `${node.label}: ${source} has no value in this run and was left empty.`);
    const rendering: RenderOptions = place === "url" ? { onUnknown, encode: encodeForUrl } : { onUnknown };
    return place === "json" ? renderJson(text, scope, rendering) : renderTemplate(text, scope, rendering);
  }

  return {
    run: info,
    nodeKey: nodeRun.key,
    nodeId: node.id,
    label: node.label,
    signal: options.signal,
    services: options.services,
    state: state.flowState,
    conversation: conversationIn(state, nodeRun),
    vars: options.vars,
    live: options.live,
    dataMark: options.dataMark,
    outsideTexts: () => outsideTexts(options),
    citable: () => ({ after: nodeRun.numberedTo ?? 0, brought: passagesBrought(options) }),
    history: options.loadHistory,
    lastState: options.loadLastState,
    answers: nodeRun.answers,
    pass: nodeRun.pass,
    jumps: nodeRun.jumps?.count ?? 0,
    ...(options.answer === undefined ? {} : { answer: options.answer }),
    ...(options.spawned === undefined ? {} : { spawned: options.spawned }),
    render,
    renderText: (text, place) => toText(render(text, place)),
    effect<T extends Json>(spec: EffectSpec, run: (begun: EffectInfo) => Promise<T>) {
      const { recorder, attempt } = options;
      const { isTransient: _, expects: __, ...facts } = spec;
      const effect = { ...facts, run: info, nodeKey: nodeRun.key, nodeId: node.id, attempt };
      const perform = (begun: EffectInfo) =>
        recorder ? (recorder.perform({ ...effect, signal: begun.signal }, () => run(begun)) as Promise<T>) : run(begun);
      const hasOwnRetries = node.config.onFailure?.retries !== undefined;
      const made = runEffect({ ...options, runId: info.runId, nodeKey: nodeRun.key, hasOwnRetries }, spec, perform);
      return made.catch((cause: unknown) => {
        if (isBudgetError(cause)) options.abort(cause);
        throw cause;
      });
    },
    emitText(piece) {
      const delta = { runId: info.runId, nodeKey: nodeRun.key, nodeId: node.id, ...piece };
      // No text of a step is published before its start is durable (E4). A failing journal ends the run elsewhere.
      journal.onceDurable(() => observer.delta(delta));
    },
    warn,
    turn: () => options.clock.sleep(0, options.signal),
    now: () => options.clock.now(),
  };
}

/** Shorter texts would be matched in places they did not come from. */
const minOutsideCharacters = 16;

function outsideTexts(options: NodeContextOptions): string[] {
  return [options.info.input.fileAttachment ?? "", ...new Set(outputsBrought(options).map(({ text }) => text))];
}

function outputsBrought({ state, graph }: NodeContextOptions) {
  return [...state.outputs]
    .filter(([key]) => graph.nodes.get(key.slice(key.lastIndexOf("/") + 1))?.type.bringsData)
    .map(([, { text, output }]) => ({ text: toText(text), output }))
    .filter(({ text }) => text.length >= minOutsideCharacters);
}

function passagesBrought(options: NodeContextOptions): CitablePassages["brought"] {
  return outputsBrought(options)
    .map(({ text, output }) => ({ text, sourceDocuments: sourcesOf(output) }))
    .filter(({ sourceDocuments }) => sourceDocuments.length > 0);
}
