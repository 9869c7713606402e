import type { JsonObject } from "@weft/schema";
import { toMemory } from "../memory.ts";
import { toModel } from "../models.ts";
import { toAnswerFormat } from "../parsers.ts";
import { parsePromptText } from "../prompt-text.ts";
import { type ClassicPrompt, toPrompt, toStepPrompt } from "../prompts.ts";
import { addStep, dataStep, type StepConverter, type StepScope, textStep, toResponseRole } from "./step.ts";

export const question = "{{ question }}";

/** One model call without memory. Earlier in a graph it gives later prompts its text. */
const llmChain: StepConverter = {
  worksBefore: ({ output }) => output === "outputPrediction",
  draw(scope) {
    const config = {
      model: toModel(scope),
      ...toChainPrompt(scope),
      memory: { type: "off" },
      ...toAnswerFormat(scope),
      ...toResponseRole(scope),
    };
    scope.ignore("inputModeration");
    const label = scope.settings.text("chainName").trim() || scope.node.label;
    return dataStep(addStep(scope, { type: "llm", label, config }), "json");
  },
};

/** The one variable without a value is the question. */
function toChainPrompt(scope: StepScope): { messages: JsonObject[]; prompt: string } {
  const prompt = toPrompt(scope, "prompt");
  if (prompt === undefined) {
    scope.report.refuse("prompt-missing", "No prompt is wired to it. Write one.");
    return { messages: [], prompt: question };
  }
  const open = prompt.open.filter((name) => !isOfParser(scope, name));
  if (open.length > 1) {
    const names = open.map((name) => `{${name.slice(0, 50)}}`).slice(0, 10);
    scope.report.refuse(
      "prompt-values-missing",
      `These variables of its prompt have no value: ${names.join(", ")}. Give all but one of them a value; that one becomes the question.`,
    );
  }
  const asked = toStepPrompt(prompt, (name) => {
    if (isOfParser(scope, name)) return "";
    return open.length === 1 ? question : undefined;
  });
  if (asked.prompt === "" && asked.messages.length === 0) {
    scope.report.refuse("prompt-missing", "Its prompt is empty. Write one.");
  }
  return asked;
}

/** What a parser tells the model about the form of its answer. The structured output of the step says it here. */
function isOfParser(scope: StepScope, name: string): boolean {
  return name === "format_instructions" && scope.part("outputParser") !== undefined;
}

const friendly =
  "You have a friendly conversation with a person. You are talkative and give many specific details. When you do not know an answer, you say so truthfully.";

const conversationChain: StepConverter = {
  draw(scope) {
    const { settings } = scope;
    const prompt = toPrompt(scope, "chatPromptTemplate");
    if (prompt) scope.ignore("systemMessagePrompt");
    const asked = prompt
      ? toConversation(scope, { ...prompt, messages: ends(prompt) })
      : { messages: toSystem(settings.text("systemMessagePrompt") || friendly, whatUserSays), prompt: question };
    const config = {
      model: toModel(scope),
      ...asked,
      memory: toMemory(scope, "missing"),
      ...toResponseRole(scope),
    };
    scope.ignore("inputModeration");
    return textStep(addStep(scope, { type: "llm", config }));
  },
};

/** The first message and the last: no other counts. */
function ends({ messages }: ClassicPrompt): ClassicPrompt["messages"] {
  return messages.filter((_, index) => index === 0 || index === messages.length - 1);
}

/** A prompt of a conversation: `{input}` is what the user says. */
export function toConversation(
  { report }: StepScope,
  prompt: ClassicPrompt,
): { messages: JsonObject[]; prompt: string } {
  const asked = toStepPrompt(prompt, whatUserSays);
  if (!/\{\{\s*question\s*\}\}/.test(asked.prompt)) {
    report.warn(
      "prompt-without-question",
      "The human message of its prompt does not hold {input}, so that the model does not read what the user says. Add it.",
    );
  }
  return asked;
}

/** The variable of conversations that holds what the user says. */
export function whatUserSays(name: string): string | undefined {
  return name === "input" ? question : undefined;
}

/** A system message from an f-string; unknown variables stay. Nothing when it is empty. */
export function toSystem(text: string, value: (name: string) => string | undefined = () => undefined): JsonObject[] {
  const content = parsePromptText(text).render(value);
  return content.trim() === "" ? [] : [{ role: "system", content }];
}

export const chains: Readonly<Record<string, StepConverter>> = { llmChain, conversationChain };
