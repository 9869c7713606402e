import type {
  EffectCategory,
  EffectKind,
  EffectOutcome,
  HistoryMessage,
  Json,
  JsonObject,
  NodeKey,
  RunError,
  RunEventOf,
  Usage,
  Wait,
} from "@weft/schema";

/** Where one execution of one node stands. */
export type NodePhase =
  | { type: "idle" }
  | { type: "started"; attempt: number; answer?: Json }
  | { type: "retrying"; attempt: number; at: number }
  | { type: "waiting"; attempt: number; wait: Wait }
  | { type: "spawned"; attempt: number; items: readonly Json[]; concurrency: number }
  | { type: "completed" }
  | { type: "failed"; error: RunError }
  | { type: "skipped" };

export type NodeRun = {
  readonly nodeId: string;
  readonly scope: string;
  readonly key: NodeKey;
  readonly pass: number;
  /** A jump ended here: it runs without waiting for its incoming edges. */
  readonly forced: boolean;
  phase: NodePhase;
};

/** One level of the graph while it runs: the top, or one item of a spawned sub-flow. */
export type ScopeState = {
  readonly path: string;
  /** Id of the node that spawned it; the empty string at the top. */
  readonly parent: string;
  readonly item: { readonly index: number; readonly value: Json } | null;
  readonly nodes: Map<string, NodeRun>;
  readonly edges: Map<string, "delivered" | "dead">;
  /** Set when a node of this scope failed and nothing caught it. */
  failure: RunError | null;
  /** Output of the last leaf that completed. */
  result: Json;
};

export type EffectRecord = {
  readonly kind: EffectKind;
  readonly category: EffectCategory;
  readonly attempt: number;
  readonly seq: number;
  outcome: EffectOutcome | null;
};

/** An answer that a leaf of the top level gave. */
export type Answer = { nodeKey: NodeKey; text: string; json?: Json; isReply: boolean };

/** The fold of a run's journal (invariant E1): nothing here that the events do not say. */
export type RunState = {
  started: RunEventOf<"run-started"> | null;
  readonly scopes: Map<string, ScopeState>;
  readonly effects: Map<string, EffectRecord>;
  readonly outputs: Map<string, { output: Json; text: Json }>;
  readonly flowState: JsonObject;
  readonly messages: HistoryMessage[];
  readonly warnings: { code: string; message: string }[];
  usage: Usage;
  answer: Answer | null;
  /** Nodes started so far. */
  steps: number;
  /** Jumps made so far by the most recent loop. */
  loopCount: number;
  lastSeq: number;
  end: "completed" | "failed" | "cancelled" | null;
};

export function emptyRunState(): RunState {
  return {
    started: null,
    scopes: new Map(),
    effects: new Map(),
    outputs: new Map(),
    flowState: {},
    messages: [],
    warnings: [],
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    answer: null,
    steps: 0,
    loopCount: 0,
    lastSeq: 0,
    end: null,
  };
}

export function effectId(nodeKey: NodeKey, effectKey: string): string {
  return `${nodeKey}:${effectKey}`;
}

/** Splits `<scope><nodeId>#<pass>`. */
export function scopeOfKey(nodeKey: NodeKey): string {
  return nodeKey.slice(0, nodeKey.lastIndexOf("/") + 1);
}
