import type { HistoryMessage, Json, JsonObject } from "@weft/schema";
import type { Graph, GraphNode } from "../flow/graph.ts";
import type {
  EffectInfo,
  EffectSpec,
  ItemOutcome,
  NodeContext,
  NodeServices,
  RunInfo,
  TemplatePlace,
} from "../node-type.ts";
import type { Clock } from "../ports/clock.ts";
import type { EffectRecorder } from "../ports/effect-recorder.ts";
import type { RememberedMessage } from "../ports/memory.ts";
import type { RunObserver } from "../ports/observer.ts";
import { encodeForUrl } from "../template/encode-url.ts";
import { renderJson } from "../template/render-json.ts";
import { type RenderOptions, renderTemplate, toText } from "../template/render-template.ts";
import { runEffect } from "./run-effect.ts";
import type { RunJournal } from "./run-journal.ts";
import { conversationIn, type NodeRun, type RunState } from "./run-state.ts";
import { createTemplateScope } from "./template-values.ts";

export type NodeContextOptions = {
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
  recorder?: EffectRecorder;
  vars: JsonObject;
  /** The session's messages before this run; loads them when first asked. */
  loadHistory: () => Promise<readonly RememberedMessage[]>;
  loadLastState: () => Promise<JsonObject>;
  /** The same for templates, where a flow uses them. */
  history: readonly HistoryMessage[];
  live: boolean;
  dataMark: () => string;
  signal: AbortSignal;
  readSignal: AbortSignal;
  answer?: Json;
  spawned?: readonly ItemOutcome[];
};

/** Builds what one execution of one node sees of the world. */
export function createNodeContext(options: NodeContextOptions): NodeContext {
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
    history: options.loadHistory,
    lastState: options.loadLastState,
    answers: nodeRun.answers,
    jumps: nodeRun.jumps?.count ?? 0,
    ...(options.answer === undefined ? {} : { answer: options.answer }),
    ...(options.spawned === undefined ? {} : { spawned: options.spawned }),
    render,
    renderText: (text, place) => toText(render(text, place)),
    effect<T extends Json>(spec: EffectSpec, run: (begun: EffectInfo) => Promise<T>) {
      const { recorder, attempt } = options;
      const { isTransient: _, ...facts } = spec;
      const effect = { ...facts, run: info, nodeKey: nodeRun.key, nodeId: node.id, attempt };
      const perform = (begun: EffectInfo) =>
        recorder ? (recorder.perform({ ...effect, signal: begun.signal }, () => run(begun)) as Promise<T>) : run(begun);
      const hasOwnRetries = node.config.onFailure?.retries !== undefined;
      return runEffect({ ...options, runId: info.runId, nodeKey: nodeRun.key, hasOwnRetries }, spec, perform);
    },
    emitText(piece) {
      const delta = { runId: info.runId, nodeKey: nodeRun.key, nodeId: node.id, ...piece };
      // Nobody reads a word of a step whose beginning is not durable (E4). A journal that fails ends the run elsewhere.
      journal.flush().then(
        () => observer.delta(delta),
        () => undefined,
      );
    },
    warn,
  };
}

/** A short text would be found in places that it did not come from. */
const minOutsideCharacters = 16;

function outsideTexts({ info, state, graph }: NodeContextOptions): string[] {
  const brought = [...state.outputs]
    .filter(([key]) => graph.nodes.get(key.slice(key.lastIndexOf("/") + 1))?.type.bringsData)
    .map(([, { text }]) => toText(text))
    .filter((text) => text.length >= minOutsideCharacters);
  return [info.input.fileAttachment ?? "", ...new Set(brought)];
}
