import { runAgent } from "@weft/engine/agent";
import { defineNode } from "@weft/engine/node";
import { z } from "zod";
import { modelSettings, toModelParameters, toModelReference, usesModel } from "./model-settings.ts";
import { buildPrompt, conversationOf, promptFields } from "./prompt.ts";
import { toAnswerSchema, withAnswerFields } from "./structured-output.ts";

/** One model call: instructions, memory and the question in, an answer out. */
export const llm = defineNode({
  type: "llm",
  version: 1,
  title: "LLM",
  summary: "Calls a language model once and returns its answer as text or structured data.",
  group: "model",
  icon: "sparkles",
  outline: ["model.model"],
  config: z.object({ model: modelSettings.default({}), ...promptFields }),
  uses: ({ model }) => usesModel(model),
  async execute(context, config) {
    const model = await context.services.models.resolve(toModelReference(config.model));
    const { messages, question } = await buildPrompt(context, config, model);
    const parameters = toModelParameters(config.model, context.run);
    const answerSchema = toAnswerSchema(config.structuredOutput);
    const done = await runAgent(context, { model, messages, tools: [], parameters, maxRounds: 0, answerSchema });
    if (done.type === "suspend") return done;
    const { answer, json, usage, finishReason } = done;
    const text = answer ?? "";
    const facts = { content: text, model: model.id, usage: { ...usage }, finishReason };
    return {
      type: "completed",
      output: withAnswerFields(facts, json),
      text,
      ...(json === undefined ? {} : { json }),
      messages: conversationOf(question, text, config.responseRole),
    };
  },
});
