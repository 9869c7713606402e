import type { JsonObject } from "@weft/schema";
import { toMemory } from "../memory.ts";
import { toModel, toModelOf } from "../models.ts";
import { type ClassicScope, exitsBefore } from "../scope.ts";
import { toTools } from "../tools.ts";
import { question, toSystem } from "./chains.ts";
import { drawStoreSearch } from "./search.ts";
import { addStep, type StepConverter, type StepScope, textStep, toResponseRole } from "./step.ts";

const simpleChatEngine: StepConverter = {
  draw(scope) {
    const config = {
      model: toModel(scope),
      messages: toSystem(scope.settings.text("systemMessagePrompt")),
      prompt: question,
      memory: toMemory(scope, "missing"),
      ...toResponseRole(scope),
    };
    return textStep(addStep(scope, { type: "llm", config }));
  },
};

const passages = "\n\nPassages that may help to answer:\n\n{context}";

const contextChatEngine: StepConverter = {
  draw(scope) {
    const from = exitsBefore(scope.conversion, scope.node);
    const { exit, context } = drawStoreSearch(scope, { input: "vectorStoreRetriever", from });
    const system = `${scope.settings.text("systemMessagePrompt")}${passages}`.trim();
    const config = {
      model: toModel(scope),
      messages: toSystem(system, (name) => (name === "context" ? context : undefined)),
      prompt: question,
      memory: toMemory(scope, "missing"),
      ...toResponseRole(scope),
    };
    return textStep(addStep(scope, { type: "llm", config, from: [exit] }));
  },
};

const presetAnswer =
  "Context information is below.\n\n{context}\n\nAnswer the question from the context and from nothing you knew before.\n\nQuestion: {query}\n\nAnswer:";

/** Answers from a store, without memory. The model is that of the store. */
const queryEngine: StepConverter = {
  draw(scope) {
    const from = exitsBefore(scope.conversion, scope.node);
    const store = scope.part("vectorStoreRetriever");
    const model = store?.part("model");
    const { exit, context } = drawStoreSearch(scope, { input: "vectorStoreRetriever", from });
    const values: Readonly<Record<string, string>> = { context, query: question };
    const [message] = toSystem(toAnswerPrompt(scope), (name) =>
      Object.hasOwn(values, name) ? values[name] : undefined,
    );
    if (model === undefined) {
      scope.report.warn(
        "model-missing",
        "Its store has no model, so the operator's default model answers. Choose one.",
      );
    }
    const config = {
      model: model === undefined ? {} : toModelOf(model),
      prompt: message?.content ?? question,
      memory: { type: "off" },
      ...toResponseRole(scope),
    };
    return textStep(addStep(scope, { type: "llm", config, from: [exit] }));
  },
};

/** Of few passages every way to put an answer together comes to asking once with all of them. */
function toAnswerPrompt(scope: StepScope): string {
  const synthesiser = scope.part("responseSynthesizer");
  if (synthesiser === undefined) return presetAnswer;
  const prompt = synthesiser.settings.text("textQAPrompt") || synthesiser.settings.text("prompt");
  reportRefinement(synthesiser);
  return prompt.trim() || presetAnswer;
}

function reportRefinement({ settings, report }: ClassicScope): void {
  if (settings.text("refinePrompt").trim() === "") return;
  report.warn(
    "refine-left-out",
    "Its refine prompt is not used: the model reads all passages at once. Put what it asks for into the other prompt.",
  );
}

const presetSubQuestions =
  "Divide the question into the sub-questions that it takes to answer it, look each of them up with the tool that fits, and put one answer together from what you find.";

/** A model that looks up each part of a question with the tool that fits. */
const subQuestionQueryEngine: StepConverter = {
  draw(scope) {
    const { knowledge, tools } = toTools(scope, "queryEngineTools");
    const shown = scope.settings.flag("returnSourceDocuments");
    const synthesiser = scope.part("responseSynthesizer");
    if (synthesiser !== undefined) {
      scope.report.warn(
        "synthesiser-left-out",
        "The agent words what it finds itself, without the response synthesizer. Put what the answers need into its instructions.",
      );
      synthesiser.ignore(...Object.keys(synthesiser.node.inputs));
    }
    const embeddings = scope.part("embeddings");
    if (embeddings !== undefined) {
      scope.report.warn("embeddings-left-out", "Its embeddings are not used: each store has its own. Remove them.");
      embeddings.ignore(...Object.keys(embeddings.node.inputs));
    }
    const config = {
      model: toModel(scope),
      messages: toSystem(presetSubQuestions),
      prompt: question,
      tools,
      knowledge: knowledge.map(
        (entry): JsonObject => ({ ...entry, ...(shown ? { returnSourceDocuments: true } : {}) }),
      ),
      memory: { type: "off" },
      ...toResponseRole(scope),
    };
    return textStep(addStep(scope, { type: "agent", config }));
  },
};

export const engines: Readonly<Record<string, StepConverter>> = {
  simpleChatEngine,
  contextChatEngine,
  queryEngine,
  subQuestionQueryEngine,
};
