import type { JsonObject } from "@weft/schema";
import type { Exit } from "../draft.ts";
import { toMemory } from "../memory.ts";
import { toModel } from "../models.ts";
import { parsePromptText } from "../prompt-text.ts";
import { exitsBefore } from "../scope.ts";
import { question, toSystem, whatUserSays } from "./chains.ts";
import { drawSearch, drawStoreSearch } from "./search.ts";
import {
  addHelper,
  addStep,
  type DrawnStep,
  type StepConverter,
  type StepScope,
  textStep,
  toResponseRole,
} from "./step.ts";

const presetResponse =
  "Answer the user's question from the passages below alone, as if you were the document that they are from. When they do not hold the answer, say that you are not sure, and make nothing up.\n\n{context}";

const fromContext =
  "Use the passages below to answer the user's question. When they do not hold the answer, say that you do not know it.\n\n{context}";

const conversationalRetrievalQAChain: StepConverter = {
  draw(scope) {
    const memory = toMemory(scope, "all");
    const { exit, context } = drawSearch(scope, { memory, from: exitsBefore(scope.conversion, scope.node) });
    scope.ignore("inputModeration");
    const config = {
      model: toModel(scope),
      messages: toContext(toResponsePrompt(scope), context),
      prompt: question,
      memory,
      ...toResponseRole(scope),
    };
    return textStep(addStep(scope, { type: "llm", config, from: [exit] }));
  },
};

/** Instructions of earlier versions came before a short one about the passages, and took the place of the others. */
function toResponsePrompt({ settings, ignore }: StepScope): string {
  const earlier = settings.text("systemMessagePrompt").trim();
  if (earlier === "") return settings.text("responsePrompt").trim() || presetResponse;
  ignore("responsePrompt");
  return `${earlier}\n\n${fromContext}`;
}

function toContext(text: string, context: string): JsonObject[] {
  return toSystem(text, (name) => (name === "context" ? context : undefined));
}

/** Searches with the question and answers it from what was found, without memory. */
function answerFrom(input: string): StepConverter {
  return {
    draw(scope) {
      scope.ignore("inputModeration");
      return drawAnswer(scope, input);
    },
  };
}

function drawAnswer(scope: StepScope, input: string): DrawnStep {
  const from = exitsBefore(scope.conversion, scope.node);
  const { exit, context } = drawStoreSearch(scope, { input, from });
  const config = toAnswer(scope, context);
  return textStep(addStep(scope, { type: "llm", config, from: [exit] }));
}

function toAnswer(scope: StepScope, context: string): JsonObject {
  return {
    model: toModel(scope),
    messages: toContext(fromContext, context),
    prompt: question,
    memory: { type: "off" },
    ...toResponseRole(scope),
  };
}

/** A model chooses the store that fits; where none fits it answers without. One store, or stores without names, need no choice. */
const multiRetrievalQAChain: StepConverter = {
  draw(scope) {
    scope.ignore("inputModeration");
    const input = "vectorStoreRetriever";
    const stores = scope.parts(input).map(({ settings }) => ({
      name: settings.text("name"),
      description: settings.text("description"),
    }));
    if (stores.length < 2 || stores.some(({ description }) => description === "")) return drawAnswer(scope, input);
    return drawRouter(
      scope,
      stores.map(({ name, description }, only) => ({
        description: `${name}: ${description}`,
        draw(from) {
          const { exit, context } = drawStoreSearch(scope, { input, only, from });
          const config = toAnswer(scope, context);
          return addHelper(scope, {
            name: `answer_${only}`,
            label: name || "Answer",
            type: "llm",
            config,
            from: [exit],
          });
        },
      })),
    );
  },
};

/** A model chooses the instructions that fit; where none fit it answers without. */
const multiPromptChain: StepConverter = {
  draw(scope) {
    scope.ignore("inputModeration");
    const prompts = scope.parts("promptRetriever");
    if (prompts.length === 0) {
      scope.report.refuse("prompt-missing", "No prompts are wired to it. Add them.");
      return textStep(addStep(scope, { type: "llm", config: toPlainAnswer(scope, []) }));
    }
    return drawRouter(
      scope,
      prompts.map(({ settings }, index) => ({
        description: `${settings.text("name")}: ${settings.text("description")}`,
        draw: (from) =>
          addHelper(scope, {
            name: `answer_${index}`,
            label: settings.text("name") || "Answer",
            type: "llm",
            config: toRoutedAnswer(scope, settings.text("systemMessage")),
            from,
          }),
      })),
    );
  },
};

/** Instructions that hold what the user says are the whole message. */
function toRoutedAnswer(scope: StepScope, instructions: string): JsonObject {
  const prompt = parsePromptText(instructions);
  return prompt.variables.includes("input")
    ? { ...toPlainAnswer(scope, []), prompt: prompt.render(whatUserSays) }
    : toPlainAnswer(scope, toSystem(instructions));
}

type Route = { description: string; draw(from: readonly Exit[]): Exit };

function drawRouter(scope: StepScope, routes: readonly Route[]): DrawnStep {
  const scenarios = routes.map(({ description }, index) => ({ id: `route_${index}`, description }));
  const choice = { model: toModel(scope), scenarios, hasElse: true, memory: { type: "off" } };
  const router = addStep(scope, { type: "condition-agent", config: choice });
  const answers = routes.map(({ draw }, index) => draw([{ ...router, port: `route_${index}` }]));
  const config = toPlainAnswer(scope, []);
  const from = [{ ...router, port: "else" }];
  const plain = addHelper(scope, { name: "answer", label: "Answer", type: "llm", config, from });
  return { exits: [...answers, plain], value: () => `{{ ${plain.id} }}` };
}

function toPlainAnswer(scope: StepScope, messages: JsonObject[]): JsonObject {
  return { model: toModel(scope), messages, prompt: question, memory: { type: "off" }, ...toResponseRole(scope) };
}

export const retrieval: Readonly<Record<string, StepConverter>> = {
  conversationalRetrievalQAChain,
  retrievalQAChain: answerFrom("vectorStoreRetriever"),
  vectorDBQAChain: answerFrom("vectorStore"),
  vectaraQAChain: answerFrom("vectaraStore"),
  multiRetrievalQAChain,
  multiPromptChain,
};
