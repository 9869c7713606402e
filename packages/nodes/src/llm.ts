import { askModel, defineNode } from "@weft/engine";
import { z } from "zod";
import { modelSettings, toModelParameters, toModelReference } from "./model-settings.ts";
import { buildPrompt, conversationOf, promptFields } from "./prompt.ts";

/** One model call: instructions, memory and the question in, an answer out. */
export const llm = defineNode({
  type: "llm",
  version: 1,
  title: "LLM",
  summary: "Asks a language model once and answers with its text.",
  group: "model",
  config: z.object({ model: modelSettings.default({}), ...promptFields }),
  async execute(context, config) {
    const { messages, question } = await buildPrompt(context, config);
    const model = await context.services.models.resolve(toModelReference(config.model));
    const parameters = toModelParameters(config.model, context.run);
    const answer = await askModel(context, { model, key: "model-0", messages, parameters });
    return {
      type: "completed",
      output: { content: answer.text, model: model.id, usage: { ...answer.usage }, finishReason: answer.finishReason },
      text: answer.text,
      messages: conversationOf(question, answer.text),
    };
  },
});
