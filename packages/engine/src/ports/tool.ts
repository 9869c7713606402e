import type { Document, EffectKind, Json, JsonObject, JsonSchema, ToolEffect } from "@weft/schema";
import type { AgentCall, ChildRunResult } from "./child-runs.ts";
import type { HttpClient } from "./http-client.ts";
import type { Sandbox } from "./sandbox.ts";
import type { SqlClient } from "./sql-client.ts";

/** What tells whether a call changes something. */
export type EffectServices = Pick<ToolContext, "sql">;

export type ToolContext = {
  signal: AbortSignal;
  /** Stable across repetitions of this one call; idempotent tools send it as `Idempotency-Key`. */
  idempotencyKey: string;
  http: HttpClient;
  /** Absent outside of a run, for example when a tool is tried out. */
  sql?: SqlClient;
  sandbox: Sandbox;
  /** Values a tool's custom code may read as `$vars` and `$flow`. */
  vars: JsonObject;
  flow: JsonObject;
  /** Runs another agent on behalf of this call. Absent outside of a run, for example when a tool is tried out. */
  callAgent?: (call: AgentCall) => Promise<ChildRunResult>;
  /** Asks a person to take the chat over. Absent outside of a chat: in a trial, and in a run that another one started. */
  askForPerson?: (reason: string) => Promise<void>;
};

/** `content` is what the model reads. An error result does not end the run. */
export type ToolResult = {
  content: string;
  isError?: boolean;
  /** The tool's answer is the agent's answer: no further model call. */
  returnDirect?: boolean;
  /** Passages that the content came from. An agent that cites reads them, numbered, in place of the content. */
  sourceDocuments?: Document[];
  /** Structured details for the trace (status, url); never a secret. */
  details?: JsonObject;
};

/**
 * Something a model may call: data and one function.
 * `call` resolves with an error result for expected failures and rejects only for bugs and aborts.
 * Arguments were validated against `parameters` before.
 */
export type Tool = {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonSchema;
  readonly kind: EffectKind;
  /** The effect of a call on the world, which decides who may cause it; fixed, or depending on the arguments. */
  readonly effect: ToolEffect | ((args: JsonObject, services: EffectServices) => ToolEffect);
  /** A human must approve each call that an agent makes. Default false. */
  readonly requiresApproval?: boolean;
  /** Labels of the approval buttons. Default: the platform's. */
  readonly approvalLabels?: { readonly proceed: string; readonly reject: string };
  call(args: JsonObject, context: ToolContext): Promise<ToolResult>;
};

export type ToolReference = { type: string; config: Json };

export type ToolBuildContext = {
  /** Fields of a stored credential, decrypted. Rejects with `tool-invalid` when it does not exist. */
  readCredential(id: string): Promise<Record<string, string>>;
  http: HttpClient;
  signal: AbortSignal;
  /** Resolves the `{{ … }}` of a setting, encoded for its place. Only settings that allow templates are rendered. */
  render(text: string, place?: "text" | "url"): string;
  /** Reports what the run has to do without. Absent: warnings are dropped. */
  warn?(code: string, message: string): void;
};

/** Rejects with `tool-invalid` if a reference cannot be built. An OpenAPI toolkit yields several tools. */
export type ToolResolver = { resolve(reference: ToolReference, context: ToolBuildContext): Promise<Tool[]> };
