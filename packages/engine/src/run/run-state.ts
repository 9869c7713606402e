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
import type { GraphNode } from "../flow/graph.ts";

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
      /** A failed item ends only itself. */
      toleratesFailures: boolean;
      /** Indexes of items in which something can still happen, in order. */
      readonly open: Set<number>;
      /** Of the first item whose failure ends the others. */
      failure: RunError | null;
    }
  | { type: "completed" }
  | { type: "failed"; error: RunError }
  | { type: "skipped" };

/** A node, and how much of its scope's conversation it heard. */
export type ListeningNode = Pick<NodeRun, "scope" | "heard">;

export type NodeRun = {
  readonly nodeId: string;
  readonly scope: string;
  readonly key: NodeKey;
  readonly pass: number;
  /** A jump ended here: it runs without waiting for its incoming edges. */
  readonly forced: boolean;
  /** Target of its last jump, and the number of jumps since one from further up restarted its loop. */
  jumps: { readonly to: string; readonly count: number } | null;
  /** Human answers, by question key. */
  readonly answers: Map<string, Json>;
  /** Number of messages in the run's conversation when it first started; null before. */
  heard: number | null;
  /** Highest passage number in the run when it first started; null before. */
  numberedTo: number | null;
  phase: NodePhase;
};

/** One level of the running graph: the top, or one item of a spawned sub-flow. */
export type ScopeState = {
  readonly path: string;
  /** Id of the node that spawned it; empty at the top. */
  readonly parent: string;
  /** The execution that spawned it; null at the top. */
  readonly owner: NodeRun | null;
  readonly item: { readonly index: number; readonly value: Json } | null;
  readonly nodes: Map<string, NodeRun>;
  readonly edges: Map<string, "delivered" | "dead">;
  /** Set when a node of this scope failed and nothing caught it. */
  failure: RunError | null;
  /** Output of the last completed leaf. */
  result: Json;
  /** Jumps of the loop that jumped last in this scope, or in the scopes around it before this one opened. */
  loopCount: number;
};

export type EffectRecord = {
  readonly kind: EffectKind;
  readonly category: EffectCategory;
  /** Of its node. */
  readonly attempt: number;
  readonly seq: number;
  /** Failures within that attempt of its node that were followed by a retry. */
  retries: number;
  /** When the next attempt may start, and the pause before it; null if none is pending. */
  pause: { until: number; ms: number } | null;
  outcome: EffectOutcome | null;
  /** The model called, such as `openai/gpt-4o-mini`. */
  readonly model?: string | undefined;
};

/** An answer that a leaf of the top level gave. */
type Answer = { nodeKey: NodeKey; text: string; json?: Json; isReply: boolean };

/** The fold of a run's journal (invariant E1): everything here follows from the events. */
export type RunState = {
  started: (RunEvent & RunEventOf<"run-started">) | null;
  readonly scopes: Map<string, ScopeState>;
  readonly effects: Map<string, EffectRecord>;
  /** It has waited at some time, so other messages of its session may have been answered meanwhile. */
  hasWaited: boolean;
  /** One of its waits had a deadline. */
  hasTimer: boolean;
  /** While suspended: whether its caller was answered, or still waits for the answer. */
  pause: "answered" | "held" | null;
  /** Its caller was answered before time or a signal resumed it: nobody may be listening. */
  isUnattended: boolean;
  readonly outputs: Map<string, { output: Json; text: Json }>;
  readonly flowState: JsonObject;
  /** What model nodes said and were told, in order, with the scope in which they ran. */
  readonly messages: { readonly scope: string; readonly message: HistoryMessage }[];
  /** The highest passage number, used for citations; 0 for none. */
  numberedTo: number;
  readonly warnings: { code: string; message: string }[];
  usage: Usage;
  readonly usageByModel: Map<string, Usage>;
  answer: Answer | null;
  /** Messages shown to the user since the last answer, in order, apart from `answer`. */
  said: { readonly nodeKey: NodeKey; readonly text: string }[];
  /** Nodes started so far. */
  steps: number;
  /** Calls started so far, including retries. */
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

/**
 * What model nodes said and were told, as a node sees it: in its own scope and the enclosing ones, not in other items.
 */
export function conversationIn(state: RunState, node: ListeningNode): HistoryMessage[] {
  return state.messages
    .slice(0, node.heard ?? undefined)
    .flatMap(({ scope, message }) => (node.scope.startsWith(scope) ? [message] : []));
}

/** The passages that a step's output lists as sources. */
export function sourcesOf(output: Json): Document[] {
  return toJsonList(toJsonObject(output).sourceDocuments).flatMap((entry) => {
    const parsed = documentSchema.safeParse(entry);
    return parsed.success ? [parsed.data] : [];
  });
}

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

/** Separator between the messages of one turn. */
export const betweenMessages = "\n\n";

/** Whether a node's text is always shown as a message of its own. */
export function isMessage({ type, config }: GraphNode): boolean {
  return type.answers !== "never" && config.reply === "always";
}

/** Whether a node's text can be the answer if it comes last. */
export function mayAnswer({ type, config }: GraphNode): boolean {
  return type.answers !== "never" && config.reply !== "never";
}

/** Everything a run has said since its last answer: its messages, then its answer or, if it waits, its question. */
export function turnText({ said, answer }: RunState, question?: string): string {
  const isSaid = answer !== null && said.some(({ nodeKey }) => nodeKey === answer.nodeKey);
  const last = question ?? (isSaid ? "" : (answer?.text ?? ""));
  return [...said.map(({ text }) => text), last].filter((text) => text !== "").join(betweenMessages);
}
