import { citePassages, runAgent } from "@weft/engine/agent";
import { defineNode, type NodeContext } from "@weft/engine/node";
import type { Tool, ToolBuildContext, ToolReference } from "@weft/engine/ports/tool";
import { type JsonObject, jsonSchema, WeftError } from "@weft/schema";
import { z } from "zod";
import { type KnowledgeSettings, knowledgeSettings, knowledgeTools, usesHelperModel } from "./knowledge.ts";
import { modelSettings, usesModel } from "./model-settings.ts";
import { buildPrompt, conversationFold, conversationOf, modelCallOf, promptFields } from "./prompt.ts";
import { withAnswerFields } from "./structured-output.ts";

/** One integration with its settings. */
export const toolReference = z.object({
  type: z.string().min(1, "Choose a tool").max(100).meta({ title: "Tool" }),
  config: jsonSchema.default({}).meta({ title: "Settings", settingsOf: { kind: "tool", named: "type" } }),
});

const agentTool = toolReference.extend({
  requiresApproval: z
    .boolean()
    .default(false)
    .meta({ title: "Require approval", help: "The run waits until someone approves each call." }),
  returnDirect: z.boolean().default(false).meta({
    title: "Answer with its result",
    help: "What it returns is the answer; the model does not word it.",
    advanced: true,
  }),
});

const { messages, ...otherFields } = promptFields;

const toolCallsFold = "Tool calls";

/** If empty, the platform's label. */
const approvalLabel = z.string().trim().max(200).default("");

/** A model that calls integrations until it can answer. */
export const agent = defineNode({
  type: "agent",
  version: 1,
  title: "Agent",
  summary: "A language model that calls tools until it can answer.",
  group: "model",
  icon: "bot",
  outline: ["model.model", "tools", "knowledge"],
  config: z.object({
    messages,
    model: modelSettings.default({}),
    tools: z.array(agentTool).max(100).default([]).meta({ title: "Tools", widget: "tools", item: "tool" }),
    knowledge: knowledgeSettings,
    ...otherFields,
    prompt: promptFields.prompt.meta({ fold: conversationFold }),
    memory: promptFields.memory.meta({ fold: conversationFold }),
    responseRole: promptFields.responseRole.meta({ fold: conversationFold }),
    rememberTools: z.boolean().default(true).meta({
      title: "Remember tool calls",
      help: "The memory holds what earlier turns called and what came of it, the newest first.",
      fold: toolCallsFold,
    }),
    proceedLabel: approvalLabel.meta({ title: "Button that allows a call", fold: toolCallsFold }),
    rejectLabel: approvalLabel.meta({ title: "Button that refuses a call", fold: toolCallsFold }),
    maxRounds: z.number().int().min(1).max(100).default(25).meta({
      title: "Most rounds",
      help: "Maximum number of model calls with tools; after that the model must answer without them.",
      fold: toolCallsFold,
    }),
  }),
  uses: ({ model, tools, knowledge }) => ({
    models: [
      ...(usesModel(model).models ?? []),
      ...knowledge.flatMap(({ search }, index) => usesHelperModel(search, `knowledge.${index}.search`).models ?? []),
    ],
    tools: tools.map(({ type, config }, index) => ({ path: `tools.${index}`, reference: { type, config } })),
    toolNames: knowledge.map(({ name }, index) => ({ path: `knowledge.${index}.name`, name })),
  }),
  async execute(context, config) {
    const { reference, parameters: own, answerSchema } = modelCallOf(config);
    const model = await context.services.models.resolve(reference);
    const tools = withLabels(await buildTools(context, config), config);
    // Vendors reject calls in a conversation without tools.
    const withTools = config.rememberTools && tools.length > 0;
    const { messages, question } = await buildPrompt(context, config, { model, withTools });
    const parameters = { ...own, ...context.run.input.modelParameters };
    const { maxRounds } = config;
    const maySearch = config.knowledge.some(({ returnSourceDocuments }) => returnSourceDocuments);
    const prompt = config.citations && !answerSchema ? citePassages(context, messages, { maySearch }) : { messages };
    const done = await runAgent(context, { model, ...prompt, tools, parameters, maxRounds, answerSchema });
    if (done.type === "suspend") return done;
    const { json, usage, usedTools, sourceDocuments } = done;
    const text = done.answer ?? "";
    const facts: JsonObject = { content: text, model: model.id, usage: { ...usage } };
    const answered = json === undefined ? facts : withAnswerFields(facts, json);
    const output: JsonObject = { ...answered, usedTools: [...usedTools] };
    if (sourceDocuments.length > 0) output.sourceDocuments = [...sourceDocuments];
    return {
      type: "completed",
      output,
      text,
      ...(json === undefined ? {} : { json }),
      messages: conversationOf(question, text, config.responseRole),
    };
  },
});

type ToolSettings = { tools: z.infer<typeof agentTool>[]; knowledge: KnowledgeSettings };

/** Tools of all references and stores. Throws `tool-invalid` if two have the same name. */
async function buildTools(context: NodeContext, { tools: references, knowledge }: ToolSettings): Promise<Tool[]> {
  const tools: Tool[] = [];
  const resolve = toolsFor(context);
  for (const { requiresApproval, returnDirect, ...reference } of references) {
    const resolved = await resolve(reference);
    const built = returnDirect ? resolved.map(answering) : resolved;
    tools.push(...(requiresApproval ? built.map((tool) => ({ ...tool, requiresApproval })) : built));
  }
  if (knowledge.length > 0) tools.push(...knowledgeTools(context, knowledge));
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

/** The same tool, whose result becomes the answer. */
function answering(tool: Tool): Tool {
  return { ...tool, call: async (args, context) => ({ ...(await tool.call(args, context)), returnDirect: true }) };
}

type Labels = { proceedLabel: string; rejectLabel: string };

function withLabels(tools: Tool[], { proceedLabel: proceed, rejectLabel: reject }: Labels): Tool[] {
  if (proceed === "" && reject === "") return tools;
  return tools.map((tool) => ({ ...tool, approvalLabels: { proceed, reject } }));
}

/** Returns a function for the tools of an integration. It rejects with `tool-invalid` if they cannot be built. */
export function toolsFor(context: NodeContext): (reference: ToolReference) => Promise<Tool[]> {
  const { services, signal, renderText: render } = context;
  const build: ToolBuildContext = {
    readCredential: services.readCredential,
    get http() {
      return services.http;
    },
    signal,
    render,
    warn: (code, message) => context.warn(code, `${context.label}: ${message}`),
  };
  return (reference) => services.tools.resolve(reference, build);
}
