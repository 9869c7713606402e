import { callAgent } from "@weft/engine/agent";
import { defineNode, type NodeContext } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { isJsonObject, type JsonObject, WeftError } from "@weft/schema";
import { z } from "zod";
import { conversationOf, responseRole } from "./prompt.ts";

/** Calls another agent and continues with its answer. */
export const executeFlow = defineNode({
  type: "execute-flow",
  version: 1,
  title: "Execute flow",
  summary: "Runs another agent and passes on its answer.",
  group: "action",
  icon: "workflow",
  outline: ["agentId"],
  config: z.object({
    agentId: z.string().max(100).default("").meta({ title: "Agent", widget: "agent", ref: "agent" }),
    input: z
      .string()
      .max(200_000)
      .default("{{ question }}")
      .meta({ title: "Question", widget: "textarea", ...templated }),
    overrideConfig: z
      .string()
      .max(100_000)
      .default("")
      .meta({
        title: "Overrides",
        help: "A JSON object with the overrides a client of that agent could send: vars, sessionId, temperature …",
        widget: "textarea",
        advanced: true,
        ...templated,
      }),
    responseRole,
  }),
  review: ({ agentId }) =>
    agentId === ""
      ? [{ level: "error", code: "agent-missing", path: "agentId", message: "No agent is selected. Choose one." }]
      : [],
  async execute(context, config) {
    const { agentId } = config;
    if (agentId === "") throw failure(context, "no agent is selected. Choose one.");
    const question = context.renderText(config.input);
    const overrideConfig = readOverrides(context, config.overrideConfig);
    const answer = await context.effect(
      { key: "flow", kind: "idempotent", category: "flow", name: agentId, input: { question, overrideConfig } },
      async (info) => ({ ...(await callAgent(context, { agentId, question, overrideConfig }, info)) }),
    );
    const { text, json, runId } = answer;
    const data = json === undefined ? {} : { json };
    return {
      type: "completed",
      output: { content: text, executionId: runId, ...data },
      text,
      ...data,
      messages: conversationOf("", text, config.responseRole),
    };
  },
});

function readOverrides(context: NodeContext, text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = context.render(text, "json");
  if (isJsonObject(value)) return value;
  throw failure(context, "its overrides must be a JSON object.");
}

function failure({ label }: NodeContext, reason: string): WeftError {
  return new WeftError("flow-node-failed", { params: { reason: `${label}: ${reason}` } });
}
