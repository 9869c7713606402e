import type { HistoryMessage, Json, JsonObject } from "@weft/schema";
import type { GraphNode } from "../flow/graph.ts";
import type { NodeContext, NodeServices, RunInfo, TemplatePlace } from "../node-type.ts";
import type { Clock } from "../ports/clock.ts";
import type { RunObserver } from "../ports/observer.ts";
import { encodeForUrl } from "../template/encode-url.ts";
import { renderJson } from "../template/render-json.ts";
import { type RenderOptions, renderTemplate, toText } from "../template/render-template.ts";
import { runEffect } from "./run-effect.ts";
import type { RunJournal } from "./run-journal.ts";
import type { NodeRun, RunState } from "./run-state.ts";
import { createTemplateScope } from "./template-values.ts";

export type NodeContextOptions = {
  info: RunInfo;
  node: GraphNode;
  nodeRun: NodeRun;
  attempt: number;
  state: RunState;
  journal: RunJournal;
  services: NodeServices;
  observer: RunObserver;
  clock: Clock;
  vars: JsonObject;
  /** The session's messages before this run; loads them when first asked. */
  loadHistory: () => Promise<readonly HistoryMessage[]>;
  /** The same for templates, where a flow uses them. */
  history: readonly HistoryMessage[];
  live: boolean;
  isAnswer: boolean;
  signal: AbortSignal;
  readSignal: AbortSignal;
  answer?: Json;
  spawned?: readonly Json[];
};

/** Builds what one execution of one node sees of the world. */
export function createNodeContext(options: NodeContextOptions): NodeContext {
  const { info, node, nodeRun, state, journal, observer } = options;
  const scope = createTemplateScope({ ...options, run: info, scopePath: nodeRun.scope });

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
    conversation: state.messages,
    vars: options.vars,
    live: options.live,
    history: options.loadHistory,
    ...(options.answer === undefined ? {} : { answer: options.answer }),
    ...(options.spawned === undefined ? {} : { spawned: options.spawned }),
    render,
    renderText: (text, place) => toText(render(text, place)),
    effect: (spec, run) => runEffect({ ...options, runId: info.runId, nodeKey: nodeRun.key }, spec, run),
    emitText(text, offset) {
      const { isAnswer } = options;
      const delta = { runId: info.runId, nodeKey: nodeRun.key, nodeId: node.id, isAnswer, offset, text };
      // Nobody reads a word of a step whose beginning is not durable (E4). A journal that fails ends the run elsewhere.
      journal.flush().then(
        () => observer.delta(delta),
        () => undefined,
      );
    },
    warn,
  };
}
