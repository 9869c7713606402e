export { effectOf, type GuardContext, type Guarded, guardCall, guardHttp } from "./agent/approval.ts";
export { askModel } from "./agent/ask-model.ts";
export { withoutMarks } from "./agent/mark-data.ts";
export { type AnswerSchema, askAgain } from "./agent/read-answer.ts";
export { readArguments } from "./agent/read-arguments.ts";
export { runAgent } from "./agent/run-agent.ts";
export { callAgent, flowFactsOf, toToolContext } from "./agent/tool-context.ts";
export { HostUnavailableError, isTransientFailure, RunFailure, toRunError } from "./errors.ts";
export { checkVariables, formSchemaOf } from "./flow/check-templates.ts";
export {
  type CompiledFlow,
  compileFlow,
  compileNode,
  reviewNodes,
  toFinding,
  whyNotRunnable,
} from "./flow/compile-flow.ts";
export type { GraphNode } from "./flow/graph.ts";
export { reachableFrom } from "./flow/graph-level.ts";
export { parseFlow } from "./flow/parse-flow.ts";
export { isHttpAddress, normaliseBaseUrl } from "./http/base-url.ts";
export { credentialHeaders } from "./http/credential-headers.ts";
export { describeNetworkError, isNetworkError, toReason } from "./http/network-error.ts";
export {
  defineNode,
  type ItemOutcome,
  type NodeContext,
  type NodeProblem,
  type NodeRegistry,
  type NodeResult,
  type NodeServices,
  type NodeType,
  type NodeUses,
  type RunInfo,
  type TemplatePlace,
  type WaitEnd,
} from "./node-type.ts";
export type {
  ChatModel,
  ModelAnswer,
  ModelCall,
  ModelContentPart,
  ModelMessage,
  ModelParameters,
  ModelReference,
  ModelResolver,
  ModelTool,
  ModelToolCall,
} from "./ports/chat-model.ts";
export type { AgentCall, ChildRunRequest, ChildRunResult, ChildRuns } from "./ports/child-runs.ts";
export type { Clock, IdSource, WallClock } from "./ports/clock.ts";
export type { FileTextReader, LoadedPart, LoaderServices, StoredFile } from "./ports/document-loader.ts";
export type { EffectRecorder, RunEffect } from "./ports/effect-recorder.ts";
export type { EmbeddingModel, EmbeddingRequest } from "./ports/embedding-model.ts";
export type { HttpClient, HttpRequest, HttpResponse } from "./ports/http-client.ts";
export { type Journal, type JournalBatch, LeaseLostError } from "./ports/journal.ts";
export type { Memory, MemorySession, RememberedMessage } from "./ports/memory.ts";
export type { RunObserver, TextDelta } from "./ports/observer.ts";
export type { DocumentWrite, DocumentWriter, Retrieval, Retriever } from "./ports/retriever.ts";
export { missingModulesSentence, type Sandbox, type SandboxCall, type SandboxResult } from "./ports/sandbox.ts";
export type { SpeechRecording, SpeechToText } from "./ports/speech-to-text.ts";
export type { Tool, ToolBuildContext, ToolContext, ToolReference, ToolResolver, ToolResult } from "./ports/tool.ts";
export type {
  CollectionName,
  VectorCollection,
  VectorMatch,
  VectorRecord,
  VectorSearch,
} from "./ports/vector-store.ts";
export { dueWaits, endBySignal, endByTime, openQuestions } from "./run/due-waits.ts";
export { applyEvent } from "./run/fold.ts";
export { type OpenWait, openWaits } from "./run/readiness.ts";
export { defaultRunLimits } from "./run/run-context.ts";
export { confidenceMs } from "./run/run-journal.ts";
export { linkSignal } from "./run/run-signals.ts";
export { emptyRunState, type RunState } from "./run/run-state.ts";
export type { RunOutcome } from "./scheduler.ts";
export { type EngineDeps, type Resumption, type RunHandle, type StartRunOptions, startRun } from "./start-run.ts";
export { parsePath, parseTemplate, templated } from "./template/parse-template.ts";
export { encodeForUrl, renderJson, renderTemplate, templateRoots, toText } from "./template/render-template.ts";
