import { defineNode, type NodeContext, runAgent, type Tool, type ToolReference } from "@weft/engine";
import { type JsonObject, jsonSchema, WeftError } from "@weft/schema";
import { z } from "zod";
import { modelSettings, toModelParameters, toModelReference } from "./model-settings.ts";
import { buildPrompt, conversationOf, promptFields } from "./prompt.ts";

/** A model that calls integrations until it can answer. */
export const agent = defineNode({
  type: "agent",
  version: 1,
  title: "Agent",
  summary: "A language model that calls tools until it can answer.",
  group: "model",
  config: z.object({
    model: modelSettings.default({}),
    ...promptFields,
    tools: z
      .array(z.object({ type: z.string().min(1).max(100), config: jsonSchema.default({}) }))
      .max(100)
      .default([])
      .meta({ title: "Tools", help: "What the agent may call.", widget: "tools" }),
    maxRounds: z.number().int().min(1).max(100).default(25).meta({
      title: "Most rounds",
      help: "Model calls with tools; then the model must answer without.",
      advanced: true,
    }),
  }),
  async execute(context, config) {
    const { messages, question } = await buildPrompt(context, config);
    const model = await context.services.models.resolve(toModelReference(config.model));
    const tools = await buildTools(context, config.tools);
    const parameters = toModelParameters(config.model, context.run);
    const done = await runAgent(context, { model, messages, tools, parameters, maxRounds: config.maxRounds });
    const text = done.answer ?? "";
    const output: JsonObject = {
      content: text,
      model: model.id,
      usage: { ...done.usage },
      usedTools: [...done.usedTools],
    };
    return {
      type: "completed",
      output,
      text,
      messages: conversationOf(question, text),
    };
  },
});

/** Tools of all references. Throws `tool-invalid` when two have the same name. */
async function buildTools(context: NodeContext, references: readonly ToolReference[]): Promise<Tool[]> {
  const { services, signal } = context;
  const building = {
    readCredential: services.readCredential,
    http: services.http,
    signal,
    render: context.renderText,
  };
  const tools: Tool[] = [];
  for (const reference of references) tools.push(...(await services.tools.resolve(reference, building)));
  const names = new Set<string>();
  for (const { name } of tools) {
    if (names.has(name)) {
      throw new WeftError("tool-invalid", {
        params: { name, reason: "another tool of this agent has the same name. Rename one." },
      });
    }
    names.add(name);
  }
  return tools;
}
