import {
  type Document,
  defaultPort,
  type EffectCategory,
  type EffectKind,
  type Finding,
  type HistoryMessage,
  type IconName,
  type Json,
  type JsonObject,
  type PortDefinition,
  type PortRule,
  portsOf,
  type RunBudgetFacts,
  type RunError,
  type RunEventOf,
  type RunInput,
  type Share,
  type Usage,
} from "@weft/schema";
import type { z } from "zod";
import type { GraphLevel } from "./flow/graph-level.ts";
import { failurePolicySchema, type NodeConfig, replySchema, stateUpdatesSchema } from "./node-config.ts";
import type { ModelParameters, ModelReference, ModelResolver } from "./ports/chat-model.ts";
import type { ChildRuns } from "./ports/child-runs.ts";
import type { HttpClient } from "./ports/http-client.ts";
import type { RememberedMessage } from "./ports/memory.ts";
import type { TextDelta } from "./ports/observer.ts";
import type { People } from "./ports/people.ts";
import type { DocumentWriter, Retriever } from "./ports/retriever.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { SqlClient } from "./ports/sql-client.ts";
import type { ToolReference, ToolResolver } from "./ports/tool.ts";

/** Everything outside the engine that a node may use, only inside an effect. */
export type NodeServices = {
  models: ModelResolver;
  tools: ToolResolver;
  http: HttpClient;
  sql: SqlClient;
  sandbox: Sandbox;
  /** Fields of a stored credential, decrypted. Rejects when it does not exist. */
  readCredential(id: string): Promise<Record<string, string>>;
  /** Files sent with the run's question. They belong to its input, so they are read outside of effects as well. */
  files: { read(id: string): Promise<StoredBytes | undefined> };
  retriever: Retriever;
  documentWriter: DocumentWriter;
  childRuns: ChildRuns;
  people: People;
};

/** A file's bytes and media type, such as `image/png`. */
type StoredBytes = { bytes: Uint8Array; mediaType: string };

export type RunInfo = {
  readonly runId: string;
  /** The lease's fencing token, for writes outside the journal: a process that takes over has another one. */
  readonly epoch: number;
  readonly agentId: string;
  readonly chatId: string;
  readonly sessionId: string;
  readonly chatType: RunEventOf<"run-started">["chatType"];
  /** The caller; undefined in runs without one, and in runs from before chats had owners. */
  readonly owner: string | undefined;
  /** Owner of the run's chat and session; empty for a chat from before chats had owners. */
  readonly chatOwner: string;
  readonly apiMessageId: string;
  readonly input: RunInput;
  readonly depth: number;
  /** On whose behalf it works, where runs share resources. */
  readonly share: Share;
  /** The run's own budget. Absent: the platform's limits, shared with nobody. */
  readonly budget?: RunBudgetFacts | undefined;
};

/** Describes one effect. `key` is unique within the node's execution and the same on every replay. */
export type EffectSpec = {
  key: string;
  kind: EffectKind;
  category: EffectCategory;
  /** Name of the callee, as the trace shows it. */
  name: string;
  /** Input of the call, as the trace shows it; never a secret. */
  input: Json;
  /** The last messages that led the model to make this call, as the trace shows them. */
  follows?: readonly string[];
  /**
   * Whether waiting may resolve a failure. Such a failed read is attempted three times in all, unless its node sets its
   * own number of retries. Default: attempted once.
   */
  isTransient?: (error: RunError) => boolean;
  /** Most a model call may use, reserved until the actual use is known. Default: unknown. */
  expects?: Usage;
};

/** Where a rendered value goes, which decides its encoding, so that it cannot break out of its place. */
export type TemplatePlace = "text" | "json" | "url";

export type NodeContext = {
  readonly run: RunInfo;
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly label: string;
  /** Aborted by a cancel, a time limit or the node's own timeout. */
  readonly signal: AbortSignal;
  readonly services: NodeServices;
  readonly state: JsonObject;
  /** What earlier model nodes in the same run said and were told; the same on every replay. */
  readonly conversation: readonly HistoryMessage[];
  /**
   * The session's messages before this run, or those that the caller sent instead, oldest first; at most the last
   * `limit`.
   */
  history(limit?: number): Promise<readonly RememberedMessage[]>;
  /** The flow's state at the end of the session's previous run; empty if there was none. */
  lastState(): Promise<JsonObject>;
  /** Platform variables, overridden by the run's own. */
  readonly vars: JsonObject;
  /** Someone follows the text as it is written. */
  readonly live: boolean;
  /** The mark for data sent to models: letters and digits that outsiders cannot guess, constant for the whole run. */
  dataMark(): string;
  /**
   * Texts that came into the run from outside: documents sent with the question, and outputs of steps that bring data.
   */
  outsideTexts(): string[];
  /** Passages the node's model may cite; the same on every replay if only texts in its messages are considered. */
  citable(): CitablePassages;
  /** The human's answer, or a `WaitEnd`, if the node suspended and was resumed. */
  readonly answer?: Json;
  /** The human's answers by question key, for a node that suspends more than once. */
  readonly answers: ReadonlyMap<string, Json>;
  /** Outcomes of the sub-flow's items, in order, if the node spawned. */
  readonly spawned?: readonly ItemOutcome[];
  /** How often loops returned to this node or an earlier one; 0 at first. */
  readonly pass: number;
  /** How often this node has jumped back. A jump to a node before its own target resets the count. */
  readonly jumps: number;
  /** Resolves `{{ … }}`. A text that is just one reference keeps the value's type; unknown references warn. */
  render(text: string, place?: TemplatePlace): Json;
  /** Like `render`, converted to a string. */
  renderText(text: string, place?: TemplatePlace): string;
  /** The only way to touch the world (invariant E7). */
  effect<T extends Json>(spec: EffectSpec, run: (info: EffectInfo) => Promise<T>): Promise<T>;
  emitText(piece: Pick<TextDelta, "effectSeq" | "offset" | "text">): void;
  warn(code: string, message: string): void;
  /** Yields to the rest of the process between two pieces of long work. Rejects when `signal` aborts. */
  turn(): Promise<void>;
  /** Milliseconds since the epoch. An execution repeated after a restart reads a later time. */
  now(): number;
};

/** Passages from earlier steps. */
export type CitablePassages = {
  /** The highest passage number when the node first started; 0 for none. */
  after: number;
  /** Texts that steps brought, with the passages they came from. */
  brought: readonly { text: string; sourceDocuments: readonly Document[] }[];
};

export type EffectInfo = {
  /** Sequence number of the event that announced it. */
  seq: number;
  signal: AbortSignal;
  /** Stable across all repetitions of this effect. */
  idempotencyKey: string;
};

export type Completion = {
  output: Json;
  /** The node's answer as text. Default: the output as text. */
  text?: string;
  json?: Json;
  /** Merged into the flow's state. */
  state?: JsonObject;
  messages?: HistoryMessage[];
};

/**
 * What a node waits for: a human's answer to `text`, unless `asks` is false; the moment `until`, in milliseconds since
 * the epoch; the signal of that name. The first to come ends the wait. `key` tells the waits of one execution apart.
 */
export type Suspension = {
  type: "suspend";
  text: string;
  details: JsonObject;
  key?: string;
  until?: number;
  signal?: string;
  asks?: false;
};

/**
 * Given to a node in place of a human's answer. `at` is when the wait ended, in milliseconds since the epoch: the
 * moment that it waited for, or the arrival of the signal.
 */
export type WaitEnd =
  | { resumedBy: "time"; at: number }
  | { resumedBy: "signal"; at: number; signal: string; payload: Json };

/** The closed set of results that the scheduler interprets. */
export type NodeResult =
  | ({ type: "completed" } & Completion)
  | ({ type: "branch"; ports: string[] } & Completion)
  | ({ type: "jump"; to: string } & Completion)
  | Suspension
  | { type: "spawn"; items: Json[]; concurrency: number; toleratesFailures?: true }
  | { type: "failed"; error: RunError };

/** One item of a spawned sub-flow: the result of its last leaf, or the error that ended it. */
export type ItemOutcome = { ok: true; value: Json } | { ok: false; error: RunError };

type NodeGroup = "start" | "model" | "action" | "logic" | "answer" | "note";

/** A node's position: the nodes beside it on its level, and those inside its own sub-flow, if any. */
type NodePlace = {
  readonly nodeId: string;
  readonly level: GraphLevel;
  readonly subFlow: GraphLevel | undefined;
};

/** `message` is a sentence that says what to do, to be prefixed with the node's label. */
export type NodeProblem = Pick<Finding, "level" | "code" | "path" | "message" | "fix">;

/** Argument names and where they appear in the config. */
type ToolArguments = { toolName: string; names: readonly { path: string; name: string }[] };

/** Platform resources that a node uses when reached. `path`: where in its config. */
export type NodeUses = {
  models?: readonly { path: string; reference: ModelReference; parameters?: ModelParameters }[];
  /** `toolArguments`: arguments for the only tool, or for the tool of that name. */
  tools?: readonly { path: string; reference: ToolReference; toolArguments?: ToolArguments }[];
  /** Names that must not collide with the names of the model's tools. */
  toolNames?: readonly { path: string; name: string }[];
};

type NodeTypeDefinition<Shape extends z.ZodRawShape> = {
  type: string;
  version: number;
  title: string;
  summary: string;
  group: NodeGroup;
  config: z.ZodObject<Shape>;
  /** Output ports besides the error port. Default: one, `out`. */
  ports?: readonly PortRule[];
  /** Name of its icon in the builder's palette. Default: that of its group. */
  icon?: IconName;
  /** Config fields (dotted when nested) that summarise in one line what a node does. Default none. */
  outline?: readonly string[];
  /** Nodes can be placed inside it, which it runs as a sub-flow. Default false. */
  hasSubFlow?: boolean;
  /**
   * `reply`: its text is the answer, ahead of other leaves; `leaf`: its text is the answer if it completes last among
   * the leaves; `never`: a start or a note. Default `leaf`.
   */
  answers?: "reply" | "leaf" | "never";
  /** Its text comes from outside and is data to models: passages, answers of services. Default false. */
  bringsData?: boolean;
  /** Whether it is useful without incoming edges, as an upload slot is. Default: never. */
  standsAlone?: (config: z.infer<z.ZodObject<Shape>>) => boolean;
  /** Finds mistakes in a node's place in its flow. Called only if the config of every node fits. */
  check?: (config: z.infer<z.ZodObject<Shape>>, place: NodePlace) => NodeProblem[];
  /**
   * Finds settings that would make it fail when reached, or have no effect. An error rejects runs that may reach it,
   * since earlier steps may have written by then.
   */
  review?: (config: z.infer<z.ZodObject<Shape>>) => NodeProblem[];
  /** The platform resources it uses, so that they can be checked before a run. Default: nothing. */
  uses?: (config: z.infer<z.ZodObject<Shape>>) => NodeUses;
  /** Names in the flow's state that this node initialises. */
  declaresState?: (config: z.infer<z.ZodObject<Shape>>) => string[];
  /** Runs of its flow see nothing of their session before them. Default false. */
  isEphemeral?: (config: z.infer<z.ZodObject<Shape>>) => boolean;
  /** False: the node is never retried and has no time limit, so its config has no `onFailure`. Default true. */
  mayRetry?: boolean;
  /** Absent: the node is never executed (a note). */
  execute?: (context: NodeContext, config: z.infer<z.ZodObject<Shape>>) => Promise<NodeResult>;
};

/** A node type with its config type erased, as the registry, the scheduler and the catalogue use it. */
export type NodeType = {
  readonly type: string;
  readonly version: number;
  readonly title: string;
  readonly summary: string;
  readonly group: NodeGroup;
  readonly config: z.ZodType<NodeConfig>;
  readonly answers: "reply" | "leaf" | "never";
  readonly executes: boolean;
  readonly icon: string;
  readonly outline: readonly string[];
  readonly hasSubFlow: boolean;
  readonly bringsData: boolean;
  readonly portRules: readonly PortRule[];
  ports(config: NodeConfig): PortDefinition[];
  standsAlone(config: NodeConfig): boolean;
  check(config: NodeConfig, place: NodePlace): NodeProblem[];
  review(config: NodeConfig): NodeProblem[];
  uses(config: NodeConfig): NodeUses;
  declaresState(config: NodeConfig): string[];
  isEphemeral(config: NodeConfig): boolean;
  execute(context: NodeContext, config: NodeConfig): Promise<NodeResult>;
};

export type NodeRegistry = Readonly<Record<string, NodeType>>;

/**
 * Makes a value once for each object and keeps it as long as the object: what follows from a node's settings alone is
 * made once a flow version.
 */
export function keptWith<Of extends object, Value>(make: (of: Of) => Value): (of: Of) => Value {
  const kept = new WeakMap<Of, { value: Value }>();
  return (of) => {
    const known = kept.get(of) ?? { value: make(of) };
    kept.set(of, known);
    return known.value;
  };
}

export function defineNode<Shape extends z.ZodRawShape>(definition: NodeTypeDefinition<Shape>): NodeType {
  const { execute, standsAlone, check, review, uses, declaresState, isEphemeral } = definition;
  const portRules = definition.ports ?? [{ id: defaultPort, title: "Next" }];
  // Strict: a misspelt setting becomes a finding instead of a silent default.
  const config = definition.config.extend(sharedFieldsOf(definition)).strict();
  // `config` has parsed what these functions are given.
  const own = (value: NodeConfig) => value as z.infer<z.ZodObject<Shape>>;
  return {
    type: definition.type,
    version: definition.version,
    title: definition.title,
    summary: definition.summary,
    group: definition.group,
    config: config as unknown as z.ZodType<NodeConfig>,
    answers: definition.answers ?? "leaf",
    executes: execute !== undefined,
    icon: definition.icon ?? definition.group,
    outline: definition.outline ?? [],
    hasSubFlow: definition.hasSubFlow ?? false,
    bringsData: definition.bringsData ?? false,
    portRules,
    ports: (value) => portsOf(portRules, value),
    standsAlone: (value) => standsAlone?.(own(value)) ?? false,
    check: (value, place) => check?.(own(value), place) ?? [],
    review: (value) => review?.(own(value)) ?? [],
    uses: (value) => uses?.(own(value)) ?? {},
    declaresState: (value) => declaresState?.(own(value)) ?? [],
    isEphemeral: (value) => isEphemeral?.(own(value)) ?? false,
    execute(context, value) {
      if (!execute) throw new Error(`A ${definition.type} node does not execute.`);
      return execute(context, own(value));
    },
  };
}

/** Settings of every node type. The start node's own state is what updates build on. */
function sharedFieldsOf<Shape extends z.ZodRawShape>(definition: NodeTypeDefinition<Shape>): z.ZodRawShape {
  const { execute, group, mayRetry = true, answers = "leaf" } = definition;
  if (!execute) return {};
  return {
    ...(answers === "never" ? {} : { reply: replySchema.optional() }),
    ...(group === "start" ? {} : { updateState: stateUpdatesSchema.optional() }),
    ...(mayRetry ? { onFailure: failurePolicySchema.optional() } : {}),
  };
}
