import { type Json, type JsonObject, WeftError } from "@weft/schema";
import { RunFailure } from "../errors.ts";
import type { NodeContext } from "../node-type.ts";
import type { ChatModel, ModelMessage, ModelParameters, ModelTool, ModelToolCall } from "../ports/chat-model.ts";
import type { Tool, ToolResult } from "../ports/tool.ts";
import { type AgentState, afterAnswer, afterTools, beginAgent, nextStep, type ToolOutcome } from "./agent-loop.ts";
import { askModel } from "./ask-model.ts";
import { flowFactsOf } from "./flow-facts.ts";
import { readArguments } from "./read-arguments.ts";

export type RunAgentOptions = {
  model: ChatModel;
  messages: readonly ModelMessage[];
  tools: readonly Tool[];
  parameters: ModelParameters;
  /** Model calls with tools; then one last answer without. */
  maxRounds: number;
};

/** Lets a model and its tools talk until there is an answer. Every call is an effect, so a replay repeats none. */
export async function runAgent(context: NodeContext, options: RunAgentOptions): Promise<AgentState> {
  const offered = options.tools.map(toModelTool);
  let state = beginAgent(options.messages, options.tools.length > 0 ? options.maxRounds : 0);
  let told = 0;
  for (;;) {
    const step = nextStep(state);
    if (step.type === "done") return state;
    if (step.type === "ask") {
      const answer = await askModel(context, {
        model: options.model,
        key: `model-${step.round}`,
        messages: state.messages,
        newFrom: told,
        tools: offered,
        toolChoice: step.mayCallTools ? "auto" : "none",
        parameters: options.parameters,
      });
      told = state.messages.length + 1;
      state = afterAnswer(state, answer);
    } else {
      state = afterTools(state, await callTools(context, options.tools, step.calls, state.round));
    }
  }
}

/** Calls a round's tools: at once when all of them only read, else in order. */
async function callTools(
  context: NodeContext,
  tools: readonly Tool[],
  calls: readonly ModelToolCall[],
  round: number,
): Promise<ToolOutcome[]> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const one = (call: ModelToolCall, index: number) => callTool(context, byName, call, `tool-${round}-${index}`);
  if (calls.every((call) => byName.get(call.name)?.kind === "read")) return Promise.all(calls.map(one));
  const outcomes: ToolOutcome[] = [];
  for (const [index, call] of calls.entries()) outcomes.push(await one(call, index));
  return outcomes;
}

async function callTool(
  context: NodeContext,
  tools: ReadonlyMap<string, Tool>,
  call: ModelToolCall,
  key: string,
): Promise<ToolOutcome> {
  const tool = tools.get(call.name);
  if (!tool) {
    const names = [...tools.keys()].join(", ");
    return refused(call, call.arguments, `No tool named ${call.name} exists. Available: ${names}.`);
  }
  const read = readArguments(call.arguments, tool.parameters);
  if (!read.ok) return refused(call, call.arguments, read.message);
  const { args } = read;
  try {
    const result = await context.effect(
      { key, kind: tool.kind, category: "tool", name: tool.name, input: args },
      ({ signal, idempotencyKey }) => callOnce(context, tool, args, { signal, idempotencyKey }),
    );
    return finished(call, args, result);
  } catch (cause) {
    if (cause instanceof RunFailure && cause.error.code === "flow-outcome-unknown") {
      return refused(call, args, cause.message);
    }
    throw cause;
  }
}

async function callOnce(
  context: NodeContext,
  tool: Tool,
  args: JsonObject,
  info: { signal: AbortSignal; idempotencyKey: string },
): Promise<JsonObject> {
  const { http, sandbox } = context.services;
  try {
    const result = await tool.call(args, { ...info, http, sandbox, vars: context.vars, flow: flowFactsOf(context) });
    return { ...result };
  } catch (cause) {
    if (cause instanceof WeftError) return { content: cause.message, isError: true };
    throw cause;
  }
}

function finished(call: ModelToolCall, toolInput: JsonObject, result: JsonObject): ToolOutcome {
  const { content, isError, returnDirect } = result as unknown as ToolResult;
  const used = { tool: call.name, toolInput, toolOutput: content, ...(isError ? { error: content } : {}) };
  return { call, used, returnDirect: returnDirect === true && !isError };
}

function refused(call: ModelToolCall, toolInput: Json, message: string): ToolOutcome {
  return { call, used: { tool: call.name, toolInput, toolOutput: message, error: message }, returnDirect: false };
}

function toModelTool(tool: Tool): ModelTool {
  return { name: tool.name, description: tool.description, parameters: tool.parameters };
}
