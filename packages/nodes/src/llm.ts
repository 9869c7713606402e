import { citePassages, runAgent } from "@weft/engine/agent";
import { defineNode } from "@weft/engine/node";
import type { JsonObject } from "@weft/schema";
import { z } from "zod";
import { modelSettings, usesModel } from "./model-settings.ts";
import { buildPrompt, conversationFold, conversationOf, modelCallOf, promptFields } from "./prompt.ts";
import { withAnswerFields } from "./structured-output.ts";

const { messages, ...otherFields } = promptFields;

/** One model call: instructions, memory and the question in, an answer out. */
export const llm = defineNode({
  type: "llm",
  version: 1,
  title: "LLM",
  summary: "Calls a language model once and returns its answer as text or structured data.",
  group: "model",
  icon: "sparkles",
  outline: ["model.model"],
  config: z.object({
    messages,
    model: modelSettings.default({}),
    ...otherFields,
    memory: promptFields.memory.meta({ fold: conversationFold }),
    responseRole: promptFields.responseRole.meta({ fold: conversationFold }),
  }),
  uses: ({ model }) => usesModel(model),
  async execute(context, config) {
    const { reference, parameters: own, answerSchema } = modelCallOf(config);
    const model = await context.services.models.resolve(reference);
    const { messages, question } = await buildPrompt(context, config, { model });
    const parameters = { ...own, ...context.run.input.modelParameters };
    const prompt =
      config.citations && !answerSchema ? citePassages(context, messages, { maySearch: false }) : { messages };
    const done = await runAgent(context, { model, ...prompt, tools: [], parameters, maxRounds: 0, answerSchema });
    if (done.type === "suspend") return done;
    const { answer, json, usage, finishReason, sourceDocuments } = done;
    const text = answer ?? "";
    const facts: JsonObject = { content: text, model: model.id, usage: { ...usage }, finishReason };
    const output: JsonObject = json === undefined ? facts : withAnswerFields(facts, json);
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
