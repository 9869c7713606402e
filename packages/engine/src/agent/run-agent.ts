import type { Document, JsonObject } from "@weft/schema";
import { isExpected, RunFailure } from "../errors.ts";
import type { EffectInfo, NodeContext, RunInfo, Suspension } from "../node-type.ts";
import type { ChatModel, ModelMessage, ModelParameters, ModelTool, ModelToolCall } from "../ports/chat-model.ts";
import type { Tool, ToolResult } from "../ports/tool.ts";
import { isBudgetError } from "../run/run-budget.ts";
import { type AgentState, afterAnswer, afterTools, beginAgent, nextStep, type ToolOutcome } from "./agent-loop.ts";
import { effectOf, guardCall } from "./approval.ts";
import { askModel } from "./ask-model.ts";
import { type Citable, citationRule, citeResults } from "./cite-passages.ts";
import { type AnswerSchema, describeAnswer } from "./read-answer.ts";
import { readArguments, showArguments } from "./read-arguments.ts";
import { toToolContext } from "./tool-context.ts";

export type RunAgentOptions = {
  model: ChatModel;
  messages: readonly ModelMessage[];
  tools: readonly Tool[];
  parameters: ModelParameters;
  /** Most model calls with tools; after them one last answer without tools. */
  maxRounds: number;
  /** Schema of the answer. Absent: free text. */
  answerSchema?: AnswerSchema | undefined;
  /** Passages the model may cite; searches add to them. Absent: it is not told to cite. */
  citable?: Citable | undefined;
};

type AgentOutcome = ({ type: "done" } & AgentState) | Suspension;

/**
 * Runs the loop between a model and its tools until there is an answer, or a human must allow a call. Every call is an
 * effect, so neither a replay nor a human's answer repeats one. Rejects with `model-invalid-answer` if the answer does
 * not fit its schema even after a correction, and with `agent-no-answer` if the model only calls tools.
 */
export async function runAgent(context: NodeContext, options: RunAgentOptions): Promise<AgentOutcome> {
  const { tools, answerSchema, citable } = options;
  const offered = tools.map(toModelTool);
  const maxRounds = tools.length > 0 ? options.maxRounds : 0;
  let state = beginAgent(openingOf(options), maxRounds, answerSchema, citable?.documents);
  let told = 0;
  let follows = sourcesOfInput(context.run.input);
  for (;;) {
    const step = nextStep(state);
    if (step.type === "done") return { type: "done", ...state };
    if (step.type === "ask") {
      const answer = await askModel(context, {
        model: options.model,
        key: `model-${step.round}`,
        messages: step.messages,
        newFrom: told,
        tools: offered,
        toolChoice: step.mayCallTools ? "auto" : "none",
        parameters: options.parameters,
        documents: citable?.texts,
        answerSchema,
        isLast: step.isLast,
      });
      told = state.messages.length + 1;
      state = afterAnswer(state, answer);
    } else {
      const outcomes = await callTools(context, tools, step.calls, { round: state.round, follows });
      if (!Array.isArray(outcomes)) return outcomes;
      follows = sourcesOfResults(outcomes);
      state = afterTools(state, citeResults(outcomes, state.sourceDocuments, citable));
    }
  }
}

/**
 * The messages, and after their instructions those of the platform: how to cite, and what the answer must be where the
 * calls cannot say so themselves.
 */
function openingOf({ messages, tools, answerSchema, citable }: RunAgentOptions): readonly ModelMessage[] {
  const own = [
    ...(citable ? [citationRule] : []),
    ...(answerSchema && tools.length > 0 ? [describeAnswer(answerSchema)] : []),
  ];
  const instructions = messages.findIndex((message) => message.role !== "system");
  const at = instructions < 0 ? messages.length : instructions;
  return messages.toSpliced(at, 0, ...own.map((content): ModelMessage => ({ role: "system", content })));
}

/** Calls a round's tools: at once when all of them only read, else in order, up to one that a human must allow. */
async function callTools(
  context: NodeContext,
  tools: readonly Tool[],
  calls: readonly ModelToolCall[],
  { round, follows }: { round: number; follows: readonly string[] },
): Promise<ToolOutcome[] | Suspension> {
  if (calls.length > maxCallsOfAnswer) return callFirst(context, tools, calls, { round, follows });
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const one = (call: ModelToolCall, index: number) =>
    callTool(context, byName, call, { key: `tool-${round}-${index}`, follows });
  const mayCallAtOnce = calls.every(({ name }) => {
    const tool = byName.get(name);
    return tool?.kind === "read" && tool.effect === "read" && !tool.requiresApproval;
  });
  const atOnce = mayCallAtOnce ? await Promise.all(calls.map(one)) : [];
  const outcomes: ToolOutcome[] = [];
  for (const [index, call] of calls.entries()) {
    const outcome = atOnce[index] ?? (await one(call, index));
    if ("type" in outcome) return outcome;
    outcomes.push(outcome);
  }
  return outcomes;
}

/** Calls of one answer. */
const maxCallsOfAnswer = 64;

/** Calls as many as one answer may ask for, and tells the model of the others. */
async function callFirst(
  context: NodeContext,
  tools: readonly Tool[],
  calls: readonly ModelToolCall[],
  how: { round: number; follows: readonly string[] },
): Promise<ToolOutcome[] | Suspension> {
  const outcomes = await callTools(context, tools, calls.slice(0, maxCallsOfAnswer), how);
  if (!Array.isArray(outcomes)) return outcomes;
  const message = `Not called: one answer may call ${maxCallsOfAnswer} tools at most. Call this one again in your next answer if you still need it.`;
  const others = calls.slice(maxCallsOfAnswer);
  return [...outcomes, ...others.map((call) => refused(call, showArguments(call.arguments), message))];
}

async function callTool(
  context: NodeContext,
  tools: ReadonlyMap<string, Tool>,
  call: ModelToolCall,
  { key, follows }: { key: string; follows: readonly string[] },
): Promise<ToolOutcome | Suspension> {
  const tool = tools.get(call.name);
  if (!tool) {
    const names = [...tools.keys()].join(", ");
    return refused(call, showArguments(call.arguments), `No tool named ${call.name} exists. Available: ${names}.`);
  }
  const read = readArguments(call.arguments, tool.parameters);
  if (!read.ok) return refused(call, showArguments(call.arguments), read.message);
  const { args } = read;
  const { id, name } = call;
  const { requiresApproval, approvalLabels: labels } = tool;
  const guarded = guardCall(context, {
    id,
    name,
    args,
    key,
    effect: effectOf(tool.effect, args, context.services),
    requiresApproval,
    labels,
  });
  if (guarded.type === "suspend") return guarded;
  if (guarded.type === "refused") return refused(call, args, guarded.message);
  return makeCall(context, tool, call, { args, key, follows });
}

async function makeCall(
  context: NodeContext,
  tool: Tool,
  call: ModelToolCall,
  { args, key, follows }: { args: JsonObject; key: string; follows: readonly string[] },
): Promise<ToolOutcome> {
  try {
    const result = await context.effect<ToolResult>(
      { key, kind: tool.kind, category: "tool", name: tool.name, input: args, follows },
      (info) => callOnce(context, tool, args, info),
    );
    return finished(call, args, result);
  } catch (cause) {
    if (cause instanceof RunFailure && cause.error.code === "flow-outcome-unknown") {
      return refused(call, args, cause.message);
    }
    throw cause;
  }
}

async function callOnce(context: NodeContext, tool: Tool, args: JsonObject, info: EffectInfo): Promise<ToolResult> {
  try {
    return await tool.call(args, toToolContext(context, info));
  } catch (cause) {
    if (cause instanceof Error && isExpected(cause) && !isBudgetError(cause))
      return { content: cause.message, isError: true };
    throw cause;
  }
}

function finished(call: ModelToolCall, toolInput: JsonObject, result: ToolResult): ToolOutcome {
  const { content, isError, returnDirect, sourceDocuments = [] } = result;
  const used = { tool: call.name, toolInput, toolOutput: content, ...(isError ? { error: content } : {}) };
  return { call, used, returnDirect: returnDirect === true && !isError, sourceDocuments };
}

function refused(call: ModelToolCall, toolInput: JsonObject, message: string): ToolOutcome {
  const used = { tool: call.name, toolInput, toolOutput: message, error: message };
  return { call, used, returnDirect: false, sourceDocuments: [], isOwn: true };
}

function toModelTool(tool: Tool): ModelTool {
  return { name: tool.name, description: tool.description, parameters: tool.parameters };
}

const maxNames = 10;
const maxNameCharacters = 100;

/** What a model had been told when it wanted its first calls: what the run was asked, and the documents with it. */
function sourcesOfInput(input: RunInfo["input"]): string[] {
  const asked = input.webhook ? "webhook request" : input.form ? "form" : "question";
  const documents = (input.uploads ?? []).filter(({ kind }) => kind === "document").map(({ name }) => name);
  return [asked, ...namesOf("documents", documents)];
}

/** Data the model received since: the previous round's results and the documents they came from. */
function sourcesOfResults(outcomes: readonly ToolOutcome[]): string[] {
  const tools = outcomes.map(({ call }) => `result of ${call.name}`);
  const documents = outcomes.flatMap(({ sourceDocuments }) => sourceDocuments.map(documentName));
  return [...new Set(tools), ...namesOf("documents", documents)];
}

function namesOf(what: string, all: readonly string[]): string[] {
  const names = [...new Set(all)];
  if (names.length === 0) return [];
  const shown = names.slice(0, maxNames).map((name) => name.slice(0, maxNameCharacters));
  const more = names.length - shown.length;
  return [`${what} ${shown.join(", ")}${more > 0 ? ` and ${more} more` : ""}`];
}

function documentName({ metadata }: Document): string {
  const { source, fileName, title } = metadata;
  const name = [source, fileName, title].find((value) => typeof value === "string" && value !== "");
  return typeof name === "string" ? name : "without a name";
}
