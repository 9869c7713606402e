import { effectOf, guardCall, readArguments, toToolContext } from "@weft/engine/agent";
import { defineNode, type NodeContext, type NodeResult } from "@weft/engine/node";
import type { Tool, ToolResult } from "@weft/engine/ports/tool";
import { templated } from "@weft/engine/template";
import { isJsonObject, type Json, type JsonObject, type JsonSchema, parseJsonOrText, WeftError } from "@weft/schema";
import { z } from "zod";
import { toolReference, toolsFor } from "./agent.ts";

const toolConfig = z.object({
  tool: toolReference.default({ type: "", config: {} }).meta({ title: "Tool", widget: "tool" }),
  toolName: z.string().max(64).optional().meta({
    title: "Name of the tool",
    help: "Which tool to call, if the integration has several, such as an OpenAPI toolkit.",
  }),
  arguments: z
    .array(
      z.strictObject({
        name: z.string().max(500).meta({ title: "Parameter" }),
        value: z
          .string()
          .max(200_000)
          .default("")
          .meta({ title: "Value", help: "Enter data as JSON, or as a single {{ reference }}.", ...templated }),
      }),
    )
    .max(100)
    .default([])
    .meta({ title: "Arguments", widget: "rows", item: "argument" }),
  failOnError: z
    .boolean()
    .default(true)
    .meta({ title: "Fail when the tool fails", help: "When off, the error is treated as a normal result." }),
});
type ToolNodeConfig = z.infer<typeof toolConfig>;

/** Calls one tool as a step of the flow, without a model. */
export const tool = defineNode({
  type: "tool",
  version: 1,
  title: "Tool",
  summary: "Calls a tool with arguments you specify.",
  group: "action",
  icon: "wrench",
  outline: ["tool.type"],
  bringsData: true,
  config: toolConfig,
  review: ({ tool: { type } }) =>
    type === "" ? [{ level: "error", code: "tool-missing", path: "tool", message: "It has no tool. Choose one." }] : [],
  uses: ({ tool: reference, toolName = "", arguments: rows }) => {
    if (reference.type === "") return {};
    const names = rows.flatMap(({ name }, index) => (name === "" ? [] : [{ path: `arguments.${index}.name`, name }]));
    return { tools: [{ path: "tool", reference, toolArguments: { toolName, names } }] };
  },
  async execute(context, config) {
    const called = await findTool(context, config);
    const args = readRows(context, called, config.arguments);
    const { name } = called;
    const guarded = guardCall(context, {
      name,
      args,
      key: "tool",
      effect: effectOf(called.effect, args, context.services),
    });
    if (guarded.type === "suspend") return guarded;
    if (guarded.type === "refused") return toCompleted(called, args, refusedResult(guarded.message, config));
    const result = await context.effect<ToolResult>(
      { key: "tool", kind: called.kind, category: "tool", name: called.name, input: args },
      async (info) => refuseFailure(called, config, await called.call(args, toToolContext(context, info))),
    );
    return toCompleted(called, args, result);
  },
});

/** Throws `flow-call-refused` if a failure should fail the step. */
function refusedResult(reason: string, { failOnError }: ToolNodeConfig): ToolResult {
  if (failOnError) throw new WeftError("flow-call-refused", { params: { reason } });
  return { content: reason, isError: true };
}

function toCompleted({ name }: Tool, args: JsonObject, { content, isError, sourceDocuments }: ToolResult): NodeResult {
  const used = { tool: name, toolInput: args, toolOutput: content, ...(isError ? { error: content } : {}) };
  const output: JsonObject = { content, data: parseJsonOrText(content), isError: isError ?? false, usedTools: [used] };
  if (sourceDocuments) output.sourceDocuments = sourceDocuments;
  return { type: "completed", output, text: content };
}

async function findTool(context: NodeContext, { tool: reference, toolName = "" }: ToolNodeConfig): Promise<Tool> {
  const tools = await toolsFor(context)(reference);
  const named = toolName === "" ? tools : tools.filter(({ name }) => name === toolName);
  const [found, ...others] = named;
  if (found && others.length === 0) return found;
  const names = tools.map(({ name }) => name).join(", ");
  throw new WeftError("tool-invalid", {
    params: { name: toolName || reference.type, reason: `choose one of its tools: ${names || "none"}.` },
  });
}

/** Throws `tool-failed` if the arguments do not fit the tool. */
function readRows(context: NodeContext, { name, parameters }: Tool, rows: ToolNodeConfig["arguments"]): JsonObject {
  const given = rows.flatMap((row) => {
    const value = fitArgument(parameters, row.name, context.render(row.value));
    return row.name === "" || value === undefined ? [] : [[row.name, value] as const];
  });
  const read = readArguments(JSON.stringify(Object.fromEntries(given)), parameters);
  if (read.ok) return read.args;
  throw new WeftError("tool-failed", { params: { name, reason: read.message } });
}

/** A failure fails the effect itself, so that a retry repeats the call. */
function refuseFailure({ name }: Tool, { failOnError }: ToolNodeConfig, result: ToolResult): ToolResult {
  if (!result.isError || !failOnError) return result;
  const status = Number(result.details?.status ?? 0);
  throw new WeftError("tool-failed", {
    params: { name, reason: result.content.slice(0, 2_000) },
    retryable: status === 429 || status >= 500,
    ...(status === 0 ? {} : { upstream: { status } }),
  });
}

/**
 * A setting's value for a parameter: data as it is, a text parsed as JSON if the parameter is not a text.
 * Undefined for an empty text then: the parameter is left out.
 */
function fitArgument(parameters: JsonSchema, name: string, value: Json): Json | undefined {
  if (typeof value !== "string" || takesText(parameters, name)) return value;
  return value.trim() === "" ? undefined : parseJsonOrText(value);
}

function takesText({ properties }: JsonSchema, name: string): boolean {
  const type = isJsonObject(properties) && isJsonObject(properties[name]) ? properties[name].type : undefined;
  return type === undefined || [type].flat().includes("string");
}
