import type { JsonObject } from "@weft/schema";
import { toMemory } from "../memory.ts";
import { toModel } from "../models.ts";
import { parsePromptText } from "../prompt-text.ts";
import { type ClassicPrompt, toPrompt, toStepPrompt } from "../prompts.ts";
import type { ClassicScope } from "../scope.ts";
import { parseZodText } from "../zod-text.ts";
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

/** The structured output that the wired parser asks for; empty if no parser is wired. */
function toAnswerFormat(scope: ClassicScope): JsonObject {
  const parser = scope.part("outputParser");
  if (parser === undefined) return {};
  // An answer that does not fit is always asked for again.
  parser.ignore("autofixParser");
  const format = toFormat(parser);
  return format === undefined ? {} : { structuredOutput: format };
}

function toFormat(parser: ClassicScope): JsonObject | JsonObject[] | undefined {
  const { node, settings, report } = parser;
  switch (node.name) {
    case "structuredOutputParser":
      return settings
        .rows("jsonStructure")
        .filter((row) => row.text("property") !== "")
        .map((row) => ({
          name: row.text("property"),
          ...toFieldType(row.text("type"), row.text("description")),
          required: row.flag("required"),
        }));
    case "advancedStructuredOutputParser":
      return toWrittenFormat(parser);
    case "csvOutputParser":
      return toList(undefined);
    case "customListOutputParser":
      if (!["", ","].includes(settings.text("separator"))) {
        report.warn("parser-separator", "Its separator has no effect: the list comes as data. Remove it.");
      }
      return toList(settings.number("length"));
    default:
      report.refuse(
        "parser-unsupported",
        `Its output parser ${node.name.slice(0, 100)} cannot be used here. Describe the answer as structured output of the step.`,
      );
      return undefined;
  }
}

function toFieldType(type: string, description: string): JsonObject {
  if (type === "date")
    return { type: "string", description: description === "" ? "A date" : `${description} (a date)` };
  return { type: type === "number" || type === "boolean" ? type : "string", description };
}

function toList(length: number | undefined): JsonObject {
  const exact =
    length === undefined || length < 1 ? {} : { minItems: Math.floor(length), maxItems: Math.floor(length) };
  return { type: "array", items: { type: "string" }, ...exact };
}

function toWrittenFormat({ settings, report }: ClassicScope): JsonObject | undefined {
  const schema = parseZodText(settings.text("exampleJson"));
  if (schema === undefined) {
    report.refuse(
      "parser-schema",
      "The Zod schema of its output parser uses what is not read here. Describe the answer as structured output of the step.",
    );
  }
  return schema;
}
