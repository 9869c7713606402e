import type { JsonObject } from "@weft/schema";
import { present } from "../agentflow-v2/index.ts";
import {
  type ClassicScope,
  type ClassicTools,
  type PromptText,
  parsePromptText,
  readMessageCode,
  toLiteral,
  toModelOf,
  toPromptValues,
  toTools,
} from "../flowise-classic/index.ts";
import { toValue } from "./state.ts";
import { placesOf, type StepScope, startOf } from "./step.ts";

/**
 * What a step asks its model: its instructions, what it remembers of the conversation, and its own last words, which join
 * the conversation of nobody else.
 */
export function toQuestion(scope: StepScope): JsonObject {
  const values = valuesOf(scope);
  const [system, human] = [toText(scope, "systemMessagePrompt", values), toText(scope, "humanMessagePrompt", values)];
  const memory = toMemory(scope);
  if (memory.type === "off" && human === "") {
    scope.report.warn(
      "prompt-missing",
      "It sees neither the conversation nor a human prompt. Choose what it sees, or write a prompt.",
    );
  }
  const messages = [
    { role: "system", content: system },
    { role: "system", content: toExamples(scope) },
    { role: "user", content: human },
  ];
  return {
    model: toStepModel(scope, startOf(scope)),
    messages: messages.filter(({ content }) => content.trim() !== ""),
    prompt: "",
    memory: { ...memory, opening: memory.type !== "off" },
  };
}

/** A step without a model of its own takes the one of the team. */
export function toStepModel(scope: ClassicScope, team: ClassicScope): JsonObject {
  const model = scope.part("model") ?? team.part("model");
  if (model !== undefined) return toModelOf(model);
  scope.report.warn("model-missing", "No model is wired to it, so the operator's default model answers. Choose one.");
  return {};
}

function toMemory({ settings }: StepScope): { type: string } {
  switch (settings.text("conversationHistorySelection")) {
    case "user_question":
      return { type: "question" };
    case "last_message":
      return { type: "last" };
    case "empty":
      return { type: "off" };
    default:
      return { type: "all" };
  }
}

/** Values of the variables of its prompts. They may also name parts of the state. */
function valuesOf(scope: StepScope): ReadonlyMap<string, string> {
  const places = placesOf(scope);
  const values = [...toPromptValues(scope)].map(
    ([name, value]) => [name, toValue(scope, { source: value, template: value, places })] as const,
  );
  return new Map(values);
}

function toText(scope: StepScope, key: string, values: ReadonlyMap<string, string>): string {
  return renderPrompt(scope, parsePromptText(scope.settings.text(key)), values);
}

/** A prompt with its values. Variables without one stay as they are, with a warning. */
export function renderPrompt({ report }: ClassicScope, text: PromptText, values: ReadonlyMap<string, string>): string {
  const missing = text.variables.filter((name) => !values.has(name)).map((name) => `{${name.slice(0, 50)}}`);
  if (missing.length > 0) {
    report.warn(
      "prompt-values-missing",
      `These variables of its prompt have no value and stay in the text: ${missing.slice(0, 10).join(", ")}. Give them values, or write {{ and }} for braces.`,
    );
  }
  return text.render((name) => values.get(name));
}

const types: Readonly<Record<string, JsonObject>> = {
  "String Array": { type: "array", items: "string" },
  Number: { type: "number" },
  Boolean: { type: "boolean" },
};

/** The fields of a structured answer; nothing where it answers in words. */
export function toAnswerFields({ settings }: ClassicScope, key: string): JsonObject {
  const fields = settings
    .rows(key)
    .filter((row) => row.text("key") !== "")
    .map((row) => {
      const kind = row.text("type");
      const names = row.text("enumValues").split(",");
      const enumValues = [...new Set(names.map((name) => name.trim()).filter((name) => name !== ""))];
      const type = kind === "Enum" ? { type: "enum", enumValues } : (types[kind] ?? { type: "string" });
      const note = [row.text("description"), kind === "Enum" ? "" : row.text("enumValues")];
      const description = note.filter((text) => text !== "").join(" ") || undefined;
      return present({ name: row.text("key"), ...type, description });
    });
  return fields.length === 0 ? {} : { structuredOutput: fields };
}

/** Tools wired to components, each with its approval settings. */
export function toStepTools(scopes: readonly ClassicScope[]): ClassicTools {
  return scopes.reduce<ClassicTools>(
    (found, scope) => {
      const both = toTools(scope, "tools", found);
      const asks = toApproval(scope);
      const asking = (before: number) => (tool: JsonObject, index: number) =>
        index < before || !asks ? tool : { ...tool, requiresApproval: true };
      return {
        tools: both.tools.map(asking(found.tools.length)),
        knowledge: both.knowledge.map(asking(found.knowledge.length)),
      };
    },
    { tools: [], knowledge: [] },
  );
}

const wording = ["approvalPrompt", "approveButtonText", "rejectButtonText"];
const presetPrompt = "You are about to execute tool: {tools}. Ask if user want to proceed";

/** Whether a person is asked before tools are called. */
function toApproval({ settings, report, ignore }: ClassicScope): boolean {
  ignore(...wording);
  if (!settings.flag("interrupt")) return false;
  if (!["", presetPrompt].includes(settings.text("approvalPrompt"))) {
    report.warn(
      "approval-prompt",
      "The platform words the question before a call itself, without its approval prompt. Put what the person must know into the names and descriptions of the tools.",
    );
  }
  return true;
}

/** Labels of the approval buttons, if a person is asked. */
export function toButtons(scopes: readonly ClassicScope[]): JsonObject {
  const asking = scopes.find(({ settings }) => settings.flag("interrupt"));
  if (asking === undefined) return {};
  const [proceedLabel, rejectLabel] = ["approveButtonText", "rejectButtonText"].map((key) =>
    asking.settings.text(key).trim().slice(0, 200),
  );
  return { proceedLabel: proceedLabel || "Yes", rejectLabel: rejectLabel || "No" };
}

/** As many rounds as a component allows; 15 where it does not say. */
export function toRounds({ settings }: ClassicScope): number {
  return Math.min(100, Math.max(1, Math.floor(settings.number("maxIterations") ?? 15)));
}

const speakers = { user: "User: ", assistant: "Assistant: ", system: "" };

/**
 * Messages that code puts before the conversation, as one instruction: they are examples. Code that is more than a list
 * of messages is refused.
 */
function toExamples({ settings, report }: ClassicScope): string {
  const code = settings.text("messageHistory");
  if (code.replaceAll(/^[ \t]*\/\/.*$/gm, "").trim() === "") return "";
  const messages = readMessageCode(code);
  if (messages === undefined) {
    report.refuse(
      "prompt-code",
      "The messages before its conversation are written by code, which is not run here. Write them as messages of the step.",
    );
    return "";
  }
  const lines = messages.map(({ role, text }) => `${speakers[role]}${toLiteral(text)}`);
  return lines.length === 0 ? "" : `Messages that came before:\n\n${lines.join("\n\n")}`;
}
