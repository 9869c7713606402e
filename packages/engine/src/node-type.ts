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
import type { DocumentWriter, Retriever } from "./ports/retriever.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { SqlClient } from "./ports/sql-client.ts";
import type { ToolReference, ToolResolver } from "./ports/tool.ts";

/** Everything outside the engine that a node may use, and only inside an effect. */
export type NodeServices = {
  models: ModelResolver;
  tools: ToolResolver;
  http: HttpClient;
  sql: SqlClient;
  sandbox: Sandbox;
  /** Fields of a stored credential, decrypted. Rejects when it does not exist. */
  readCredential(id: string): Promise<Record<string, string>>;
  /** Files that came with the run's question. They belong to its input, so they are read outside of effects as well. */
  files: { read(id: string): Promise<StoredBytes | undefined> };
  retriever: Retriever;
  documentWriter: DocumentWriter;
  childRuns: ChildRuns;
};

/** A file's bytes and what they are, as in `image/png`. */
type StoredBytes = { bytes: Uint8Array; mediaType: string };

/** What a node knows of its run. */
export type RunInfo = {
  readonly runId: string;
  /** The lease's fencing token, for what a step writes outside of the journal: another process goes on under another one. */
  readonly epoch: number;
  readonly agentId: string;
  readonly chatId: string;
  readonly sessionId: string;
  readonly chatType: RunEventOf<"run-started">["chatType"];
  /** The caller; undefined in runs from before chats had owners, and in runs without a caller. */
  readonly owner: string | undefined;
  /** The owner of its chat and session; empty: a chat from before chats had owners. */
  readonly chatOwner: string;
  readonly apiMessageId: string;
  readonly input: RunInput;
  readonly depth: number;
  /** In whose name it works, where runs share what there is. */
  readonly share: Share;
  /** What it may take; absent: what holds everywhere, shared with nobody. */
  readonly budget?: RunBudgetFacts | undefined;
};

/** Describes one touch of the world. `key` is unique within the node's execution and the same on every replay. */
export type EffectSpec = {
  key: string;
  kind: EffectKind;
  category: EffectCategory;
  /** What is called, as the trace shows it. */
  name: string;
  /** What it is called with, as the trace shows it; never a secret. */
  input: Json;
  /** What the model had just been told that wants it, as the trace shows it. */
  follows?: readonly string[];
  /**
   * Whether a failure of it passes by waiting. A read that failed so is attempted three times in all, unless its node
   * says how often it is retried itself. Default: it is attempted once.
   */
  isTransient?: (error: RunError) => boolean;
  /** What a model call may take, reserved until it is known. Default: nothing is known. */
  expects?: Usage;
};

/** Where a rendered value goes: decides how it is encoded, so that it can not break out of its place. */
export type TemplatePlace = "text" | "json" | "url";

export type NodeContext = {
  readonly run: RunInfo;
  readonly nodeKey: string;
  readonly nodeId: string;
  readonly label: string;
  /** Aborted by a cancel, a time limit or the node's own timeout. */
  readonly signal: AbortSignal;
  readonly services: NodeServices;
  /** The flow's state as it is now. */
  readonly state: JsonObject;
  /** What the model nodes before this one in the same run have said and been told; the same on every replay. */
  readonly conversation: readonly HistoryMessage[];
  /** The session's messages before this run, oldest first, or those that the caller gave instead; at most the last `limit`. */
  history(limit?: number): Promise<readonly RememberedMessage[]>;
  /** The flow's state as the session's run before this one left it; empty when there was none. */
  lastState(): Promise<JsonObject>;
  /** Platform variables with the run's own on top. */
  readonly vars: JsonObject;
  /** Whether someone follows the text while it is written. */
  readonly live: boolean;
  /** Marks data in what models are told: letters and digits that nobody outside can guess, the same for the whole run. */
  dataMark(): string;
  /** Texts that came into the run from outside: documents with the question, and what such steps brought. */
  outsideTexts(): string[];
  /** What the node's model may cite; the same on every replay as long as only texts count that stand in its messages. */
  citable(): CitablePassages;
  /** The human's answer, or a `WaitEnd`, when the node suspended and was resumed. */
  readonly answer?: Json;
  /** The human's answers by the keys of the questions, for a node that suspends more than once. */
  readonly answers: ReadonlyMap<string, Json>;
  /** What came of the sub-flow's items, in their order, when the node spawned. */
  readonly spawned?: readonly ItemOutcome[];
  /** How often loops went back to this node, or to one before it: 0 at first. */
  readonly pass: number;
  /** How often this node has jumped back. A jump to a node before its own target begins the count again. */
  readonly jumps: number;
  /** Resolves `{{ … }}`. A text that is nothing but one reference keeps the value's type; unknown references warn. */
  render(text: string, place?: TemplatePlace): Json;
  /** As `render`, and made a string. */
  renderText(text: string, place?: TemplatePlace): string;
  /** The only way to touch the world (invariant E7). */
  effect<T extends Json>(spec: EffectSpec, run: (info: EffectInfo) => Promise<T>): Promise<T>;
  /** Streams a piece of what a model says. */
  emitText(piece: Pick<TextDelta, "effectSeq" | "offset" | "text">): void;
  warn(code: string, message: string): void;
  /** Lets everything else that the process does have a turn, between two pieces of long work. Rejects when `signal` aborts. */
  turn(): Promise<void>;
  /** Milliseconds since the epoch. Another execution after a restart reads a later one. */
  now(): number;
};

/** Passages of steps before a node. */
export type CitablePassages = {
  /** The highest number that a passage had when the node first started; 0 for none. */
  after: number;
  /** The texts that steps brought, and the passages that they were taken from, which the steps show. */
  brought: readonly { text: string; sourceDocuments: readonly Document[] }[];
};

export type EffectInfo = {
  /** Sequence number of the event that announced it. */
  seq: number;
  signal: AbortSignal;
  /** Stable over every repetition of this effect. */
  idempotencyKey: string;
};

/** What a node that is done leaves behind. */
export type Completion = {
  output: Json;
  /** The node's answer in words. Absent: the output, as text. */
  text?: string;
  json?: Json;
  /** Merged into the flow's state. */
  state?: JsonObject;
  messages?: HistoryMessage[];
};

/**
 * What a node waits for: a human's answer to `text`, unless `asks` is false; the moment `until`, in milliseconds since the
 * epoch; the signal of that name. What comes first ends the wait. `key` tells the waits of one execution apart.
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
 * What a node gets instead of a human's answer. `at` is when the wait ended, in milliseconds since the epoch: the moment
 * that it waited for, or that of the signal.
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

/** Where a node stands: beside the nodes of its level, and around those of its own sub-flow when it has one. */
type NodePlace = {
  readonly nodeId: string;
  readonly level: GraphLevel;
  readonly subFlow: GraphLevel | undefined;
};

/** `message` is a sentence that says what to do; the node's label is put before it. */
export type NodeProblem = Pick<Finding, "level" | "code" | "path" | "message" | "fix">;

/** Names of arguments, and where they stand. */
type ToolArguments = { toolName: string; names: readonly { path: string; name: string }[] };

/** What a node asks of the platform when it is reached. `path`: where in its config. */
export type NodeUses = {
  models?: readonly { path: string; reference: ModelReference; parameters?: ModelParameters }[];
  /** `toolArguments`: what the node gives the only tool, or that of the name. */
  tools?: readonly { path: string; reference: ToolReference; toolArguments?: ToolArguments }[];
  /** Names that a model must be able to tell from those of the tools. */
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
  /** Name of its picture in the builder's palette. Default: that of its group. */
  icon?: IconName;
  /** Fields of its config, dotted where they lie deeper, that say in a line what a node does. Default none. */
  outline?: readonly string[];
  /** Whether nodes can lie inside of it, which it runs as a sub-flow. Default false. */
  hasSubFlow?: boolean;
  /**
   * `reply`: its text is the answer before that of other leaves; `leaf`: when it completes last among the leaves;
   * `never`: a start or a note. Default `leaf`.
   */
  answers?: "reply" | "leaf" | "never";
  /** Whether its text comes from outside and is data to models: passages, answers of services. Default false. */
  bringsData?: boolean;
  /** Whether it is of use where nothing leads to it, as a place for uploads is. Default: never. */
  standsAlone?: (config: z.infer<z.ZodObject<Shape>>) => boolean;
  /** Finds what is wrong with a node's place in its flow. Called only when the config of every node fits. */
  check?: (config: z.infer<z.ZodObject<Shape>>, place: NodePlace) => NodeProblem[];
  /**
   * Finds what would make it fail once it is reached, or leave it without effect. An error refuses runs that
   * may come to it: steps before it may have written by then.
   */
  review?: (config: z.infer<z.ZodObject<Shape>>) => NodeProblem[];
  /** What it asks of the platform, so that one can know before a run whether it gets it. Default: nothing. */
  uses?: (config: z.infer<z.ZodObject<Shape>>) => NodeUses;
  /** Names in the flow's state that this node gives a first value. */
  declaresState?: (config: z.infer<z.ZodObject<Shape>>) => string[];
  /** Whether runs of its flow see nothing of their session before them. Default false. */
  isEphemeral?: (config: z.infer<z.ZodObject<Shape>>) => boolean;
  /** False: the node is never retried and has no time limit of its own, so its config has no `onFailure`. Default true. */
  mayRetry?: boolean;
  /** Absent: the node is never executed (a note). */
  execute?: (context: NodeContext, config: z.infer<z.ZodObject<Shape>>) => Promise<NodeResult>;
};

/** A node type with its types erased, as the registry, the scheduler and the catalogue use it. */
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

/** Declares a node type: types, validation, palette entry, form and docs all derive from it. */
export function defineNode<Shape extends z.ZodRawShape>(definition: NodeTypeDefinition<Shape>): NodeType {
  const { execute, standsAlone, check, review, uses, declaresState, isEphemeral } = definition;
  const portRules = definition.ports ?? [{ id: defaultPort, title: "Next" }];
  // Strict: a misspelt setting is a finding, not a default that nobody chose.
  const config = definition.config.extend(sharedFieldsOf(definition)).strict();
  type Config = z.infer<z.ZodObject<Shape>>;
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
    standsAlone: (value) => standsAlone?.(value as Config) ?? false,
    check: (value, place) => check?.(value as Config, place) ?? [],
    review: (value) => review?.(value as Config) ?? [],
    uses: (value) => uses?.(value as Config) ?? {},
    declaresState: (value) => declaresState?.(value as Config) ?? [],
    isEphemeral: (value) => isEphemeral?.(value as Config) ?? false,
    execute(context, value) {
      if (!execute) throw new Error(`A ${definition.type} node does not execute.`);
      return execute(context, value as Config);
    },
  };
}

/** Settings that nodes have whatever their type is. The start node's own state is what updates build on. */
function sharedFieldsOf<Shape extends z.ZodRawShape>(definition: NodeTypeDefinition<Shape>): z.ZodRawShape {
  const { execute, group, mayRetry = true, answers = "leaf" } = definition;
  if (!execute) return {};
  return {
    ...(answers === "never" ? {} : { reply: replySchema.optional() }),
    ...(group === "start" ? {} : { updateState: stateUpdatesSchema.optional() }),
    ...(mayRetry ? { onFailure: failurePolicySchema.optional() } : {}),
  };
}
