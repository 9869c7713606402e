import type { HistoryMessage, Json, JsonObject, RunInput } from "@weft/schema";
import type { RunInfo } from "../node-type.ts";
import type { Clock } from "../ports/clock.ts";
import type { TemplateScope } from "../template/index.ts";
import { conversationIn, type ListeningNode, type RunState } from "./run-state.ts";

export type TemplateValuesOptions = {
  run: RunInfo;
  state: RunState;
  /** The node whose text is rendered; it sees the outputs and the conversation of its scope and the enclosing ones. */
  nodeRun: ListeningNode;
  history: readonly HistoryMessage[];
  vars: JsonObject;
  clock: Clock;
};

export function createTemplateScope(options: TemplateValuesOptions): TemplateScope {
  const { run, state, nodeRun, vars, clock } = options;
  const roots: Record<string, () => Json | undefined> = {
    question: () => run.input.question ?? "",
    chat_history: () => transcript([...options.history, ...conversationIn(state, nodeRun)]),
    current_date_time: () => new Date(clock.now()).toISOString(),
    runtime_messages_length: () => Math.max(0, conversationIn(state, nodeRun).length - 1),
    loop_count: () => state.scopes.get(nodeRun.scope)?.loopCount,
    file_attachment: () => run.input.fileAttachment ?? "",
    $form: () => run.input.form ?? {},
    $webhook: () => run.input.webhook ?? {},
    $vars: () => vars,
    $flow: () => flowFacts(options),
    $iteration: () => state.scopes.get(nodeRun.scope)?.item?.value,
  };
  return {
    root: (name) => (Object.hasOwn(roots, name) ? roots[name]?.() : undefined),
    node: (nodeId) => latestOutput(state, nodeRun.scope, nodeId),
  };
}

/** Facts about the run that `$flow` offers. Existing flows use the name `chatflowid`. */
function flowFacts({ run, state, nodeRun, history }: TemplateValuesOptions): JsonObject {
  return {
    state: state.flowState,
    chatflowId: run.agentId,
    chatflowid: run.agentId,
    chatId: run.chatId,
    sessionId: run.sessionId,
    apiMessageId: run.apiMessageId,
    executionId: run.runId,
    input: inputText(run.input),
    chatHistory: history.map(({ role, content }) => ({ role, content })),
    runtimeChatHistory: conversationIn(state, nodeRun).map(({ role, content }) => ({ role, content })),
    runtimeChatHistoryLength: Math.max(0, conversationIn(state, nodeRun).length - 1),
  };
}

function inputText(input: RunInput): Json {
  return input.question ?? input.form ?? "";
}

function transcript(messages: readonly HistoryMessage[]): string {
  return messages
    .map(({ role, content }) => `${role === "userMessage" ? "Human" : "Assistant"}: ${content}`)
    .join("\n");
}

function latestOutput(state: RunState, scopePath: string, nodeId: string) {
  for (let path = scopePath; ; path = enclosing(path)) {
    const output = state.outputs.get(path + nodeId);
    if (output || path === "") return output;
  }
}

/** `a#0[1]/b#0[2]/` → `a#0[1]/`. */
function enclosing(path: string): string {
  return path.slice(0, path.lastIndexOf("/", path.length - 2) + 1);
}
