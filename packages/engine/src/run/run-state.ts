import {
  type Document,
  documentSchema,
  type EffectCategory,
  type EffectKind,
  type EffectOutcome,
  type HistoryMessage,
  type Json,
  type JsonObject,
  type NodeKey,
  type RunError,
  type RunEvent,
  type RunEventOf,
  toJsonList,
  toJsonObject,
  type Usage,
  type Wait,
} from "@weft/schema";

/** Where one execution of one node stands. */
type NodePhase =
  | { type: "idle" }
  | { type: "started"; attempt: number; answer?: Json }
  | { type: "retrying"; attempt: number; at: number }
  | { type: "waiting"; attempt: number; wait: Wait; seq: number }
  | {
      type: "spawned";
      attempt: number;
      items: readonly Json[];
      concurrency: number;
      /** An item that failed ended only itself. */
      toleratesFailures: boolean;
      /** Items in which something can still happen, by index, in order. */
      readonly open: Set<number>;
      /** Of the first item whose failure ends the others. */
      failure: RunError | null;
    }
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
  /** Where it jumped to last, and how often since a jump from further up began its loop again. */
  jumps: { readonly to: string; readonly count: number } | null;
  /** What a human answered, by the key of the question. */
  readonly answers: Map<string, Json>;
  /** Messages of the run's conversation when it first started; null before. */
  heard: number | null;
  /** The highest number of a passage in the run when it first started; null before. */
  numberedTo: number | null;
  phase: NodePhase;
};

/** One level of the graph while it runs: the top, or one item of a spawned sub-flow. */
export type ScopeState = {
  readonly path: string;
  /** Id of the node that spawned it; the empty string at the top. */
  readonly parent: string;
  /** The execution that spawned it; null at the top. */
  readonly owner: NodeRun | null;
  readonly item: { readonly index: number; readonly value: Json } | null;
  readonly nodes: Map<string, NodeRun>;
  readonly edges: Map<string, "delivered" | "dead">;
  /** Set when a node of this scope failed and nothing caught it. */
  failure: RunError | null;
  /** What the last leaf that completed said. */
  result: Json;
  /** Jumps of the loop that jumped last in this scope, or in those around it before this one was opened. */
  loopCount: number;
};

export type EffectRecord = {
  readonly kind: EffectKind;
  readonly category: EffectCategory;
  /** Of its node. */
  readonly attempt: number;
  readonly seq: number;
  /** Failures in that attempt of its node after which it was attempted again. */
  retries: number;
  /** When the next attempt may begin, and the pause before it; null while none is waited for. */
  pause: { until: number; ms: number } | null;
  outcome: EffectOutcome | null;
  /** The model that is called, such as `openai/gpt-4o-mini`. */
  readonly model?: string | undefined;
};

/** An answer that a leaf of the top level gave. */
type Answer = { nodeKey: NodeKey; text: string; json?: Json; isReply: boolean };

/** The fold of a run's journal (invariant E1): nothing here that the events do not say. */
export type RunState = {
  started: (RunEvent & RunEventOf<"run-started">) | null;
  readonly scopes: Map<string, ScopeState>;
  readonly effects: Map<string, EffectRecord>;
  /** Whether it ever waited, and other messages of its session may have been answered meanwhile. */
  hasWaited: boolean;
  /** Whether a wait of it ever had a moment at which it ends. */
  hasTimer: boolean;
  /** Where it is suspended: whether its caller was answered, or the answer is still to come. */
  pause: "answered" | "held" | null;
  /** Its caller was answered, and then time or a signal went on with it: nobody need be there to listen. */
  isUnattended: boolean;
  readonly outputs: Map<string, { output: Json; text: Json }>;
  readonly flowState: JsonObject;
  /** What model nodes said and were told, in order, with the scope that they ran in. */
  readonly messages: { readonly scope: string; readonly message: HistoryMessage }[];
  /** The highest number that a passage has, by which answers may cite it; 0 for none. */
  numberedTo: number;
  readonly warnings: { code: string; message: string }[];
  usage: Usage;
  /** The same by model. */
  readonly usageByModel: Map<string, Usage>;
  answer: Answer | null;
  /** Messages that the user saw since the last answer, in order, apart from `answer`. */
  said: { readonly nodeKey: NodeKey; readonly text: string }[];
  /** Nodes started so far. */
  steps: number;
  /** Calls begun so far, repeated attempts included. */
  calls: { model: number; tool: number };
  lastSeq: number;
  end: "completed" | "failed" | "cancelled" | null;
};

export function emptyRunState(): RunState {
  return {
    started: null,
    scopes: new Map(),
    effects: new Map(),
    hasWaited: false,
    hasTimer: false,
    pause: null,
    isUnattended: false,
    outputs: new Map(),
    flowState: {},
    messages: [],
    numberedTo: 0,
    warnings: [],
    usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 },
    usageByModel: new Map(),
    answer: null,
    said: [],
    steps: 0,
    calls: { model: 0, tool: 0 },
    lastSeq: 0,
    end: null,
  };
}

/** What model nodes said and were told, as a node sees it: in its own scope and those around it, not in other items. */
export function conversationIn(state: RunState, node: Pick<NodeRun, "scope" | "heard">): HistoryMessage[] {
  return state.messages
    .slice(0, node.heard ?? undefined)
    .flatMap(({ scope, message }) => (node.scope.startsWith(scope) ? [message] : []));
}

/** The passages that a step names as its sources. */
export function sourcesOf(output: Json): Document[] {
  return toJsonList(toJsonObject(output).sourceDocuments).flatMap((entry) => {
    const parsed = documentSchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

/** Path of the scope of one item of a node that spawned. */
export function itemPath(node: NodeRun, index: number): string {
  return `${node.key}[${index}]/`;
}

export function effectId(nodeKey: NodeKey, effectKey: string): string {
  return `${nodeKey}:${effectKey}`;
}

/** Splits `<scope><nodeId>#<pass>`. */
export function scopeOfKey(nodeKey: NodeKey): string {
  return nodeKey.slice(0, nodeKey.lastIndexOf("/") + 1);
}
