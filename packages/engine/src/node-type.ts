import type { EffectCategory, EffectKind, HistoryMessage, Json, JsonObject, RunError, RunInput } from "@weft/schema";
import { z } from "zod";
import type { ModelResolver } from "./ports/chat-model.ts";
import type { HttpClient } from "./ports/http-client.ts";
import type { Sandbox } from "./ports/sandbox.ts";
import type { ToolResolver } from "./ports/tool.ts";

/** Everything outside the engine that a node may use, and only inside an effect. */
export type NodeServices = {
  models: ModelResolver;
  tools: ToolResolver;
  http: HttpClient;
  sandbox: Sandbox;
  /** Fields of a stored credential, decrypted. Rejects when it does not exist. */
  readCredential(id: string): Promise<Record<string, string>>;
};

/** What a node knows of its run. */
export type RunInfo = {
  readonly runId: string;
  readonly agentId: string;
  readonly chatId: string;
  readonly sessionId: string;
  readonly apiMessageId: string;
  readonly input: RunInput;
  readonly depth: number;
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
  /** What the model nodes before this one in the same run have said and been told. */
  readonly conversation: readonly HistoryMessage[];
  /** The session's messages before this run, oldest first, or those that the caller gave instead. */
  history(): Promise<readonly HistoryMessage[]>;
  /** Platform variables with the run's own on top. */
  readonly vars: JsonObject;
  /** Whether somebody follows the text while it is written. */
  readonly live: boolean;
  /** The human's answer, when the node suspended and was resumed. */
  readonly answer?: Json;
  /** Results of the sub-flow's items, when the node spawned. */
  readonly spawned?: readonly Json[];
  /** Resolves `{{ … }}`. A text that is nothing but one reference keeps the value's type; unknown references warn. */
  render(text: string, place?: TemplatePlace): Json;
  /** As `render`, and made a string. */
  renderText(text: string, place?: TemplatePlace): string;
  /** The only way to touch the world (invariant E7). */
  effect<T extends Json>(spec: EffectSpec, run: (info: EffectInfo) => Promise<T>): Promise<T>;
  /** Streams a piece of the node's text. `offset` counts the characters of the message before it. */
  emitText(text: string, offset: number): void;
  warn(code: string, message: string): void;
};

export type EffectInfo = {
  signal: AbortSignal;
  /** Stable over every repetition of this effect. */
  idempotencyKey: string;
};

type Completion = {
  output: Json;
  /** The node's answer in words. Absent: the output, as text. */
  text?: string;
  json?: Json;
  /** Merged into the flow's state. */
  state?: JsonObject;
  messages?: HistoryMessage[];
};

/** The closed set of results that the scheduler interprets. */
export type NodeResult =
  | ({ type: "completed" } & Completion)
  | ({ type: "branch"; ports: string[] } & Completion)
  | ({ type: "jump"; to: string } & Completion)
  | { type: "suspend"; text: string; details: JsonObject }
  | { type: "spawn"; items: Json[]; concurrency: number }
  | { type: "failed"; error: RunError };

export type NodeGroup = "start" | "model" | "action" | "logic" | "answer" | "note";

/** Retries and time limit that every executing node may declare. */
export const failurePolicySchema = z
  .object({
    retries: z.number().int().min(0).max(10).default(0).meta({ title: "Retries" }),
    retryDelayMs: z.number().int().min(0).max(600_000).default(1_000).meta({ title: "Delay before a retry (ms)" }),
    timeoutMs: z.number().int().min(1).max(900_000).optional().meta({ title: "Time limit (ms)" }),
  })
  .meta({ title: "On failure", advanced: true });
export type FailurePolicy = z.infer<typeof failurePolicySchema>;

export type PortDefinition = { id: string; title: string };

export type NodeTypeDefinition<Shape extends z.ZodRawShape> = {
  type: string;
  version: number;
  title: string;
  summary: string;
  group: NodeGroup;
  config: z.ZodObject<Shape>;
  /** Output ports besides the error port. Default: one, `out`. */
  ports?: (config: z.infer<z.ZodObject<Shape>>) => PortDefinition[];
  /**
   * `reply`: its text is the answer before that of other leaves; `leaf`: when it completes last among the leaves;
   * `never`: a start or a note. Default `leaf`.
   */
  answers?: "reply" | "leaf" | "never";
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
  ports(config: NodeConfig): PortDefinition[];
  execute(context: NodeContext, config: NodeConfig): Promise<NodeResult>;
};

export type NodeConfig = { onFailure?: FailurePolicy | undefined } & Record<string, unknown>;

export type NodeRegistry = Readonly<Record<string, NodeType>>;

/** Declares a node type: types, validation, palette entry, form and docs all derive from it. */
export function defineNode<Shape extends z.ZodRawShape>(definition: NodeTypeDefinition<Shape>): NodeType {
  const { execute, ports } = definition;
  // Strict: a misspelt setting is a finding, not a default that nobody chose.
  const config = (
    execute ? definition.config.extend({ onFailure: failurePolicySchema.optional() }) : definition.config
  ).strict();
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
    ports: (value) => ports?.(value as Config) ?? [{ id: "out", title: "Next" }],
    execute(context, value) {
      if (!execute) throw new Error(`A ${definition.type} node does not execute.`);
      return execute(context, value as Config);
    },
  };
}
