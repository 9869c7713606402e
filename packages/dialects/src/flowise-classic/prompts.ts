import { isJsonObject, type Json, type JsonObject } from "@weft/schema";
import { parseLenientJson } from "../agentflow-v2/index.ts";
import { readMessageCode } from "./message-code.ts";
import { type PromptText, parsePromptText, toLiteral } from "./prompt-text.ts";
import { type ClassicScope, toPromptValue } from "./scope.ts";

/** A message of a prompt, its variables still open. */
export type PromptMessage = { role: "system" | "user" | "assistant"; text: PromptText };

/** The messages of a prompt component, the human's last, and the values of its variables. */
export type ClassicPrompt = {
  messages: readonly PromptMessage[];
  /** Native templates by the name of the variable. */
  values: ReadonlyMap<string, string>;
  /** Variables without a value, each once. */
  open: readonly string[];
};

/** The prompt at an input; undefined if nothing is wired, or something other than a prompt. */
export function toPrompt(scope: ClassicScope, input: string): ClassicPrompt | undefined {
  const prompt = scope.part(input);
  return prompt && toPromptOf(prompt);
}

/** Messages and prompt of a native step. `value` gives what variables without a value of their own become. */
export function toStepPrompt(
  { messages, values }: ClassicPrompt,
  value: (name: string) => string | undefined = () => undefined,
): { messages: JsonObject[]; prompt: string } {
  const render = ({ text }: PromptMessage) => text.render((name) => values.get(name) ?? value(name));
  const last = messages.at(-1);
  return {
    messages: messages
      .slice(0, -1)
      .map((message) => ({ role: message.role, content: render(message) }))
      .filter(({ content }) => content !== ""),
    prompt: last === undefined ? "" : render(last),
  };
}

function toPromptOf(prompt: ClassicScope): ClassicPrompt | undefined {
  const { node, settings, report } = prompt;
  const message = (role: PromptMessage["role"], key: string) => ({ role, text: parsePromptText(settings.text(key)) });
  switch (node.name) {
    case "promptTemplate":
      return withValues(prompt, [message("user", "template")]);
    case "chatPromptTemplate":
      return withValues(prompt, [
        message("system", "systemMessagePrompt"),
        ...toExamples(prompt),
        message("user", "humanMessagePrompt"),
      ]);
    case "fewShotPromptTemplate":
      return withValues(prompt, [{ role: "user", text: parsePromptText(joinExamples(prompt)) }]);
    default:
      report.refuse(
        "prompt-unsupported",
        `Its prompt component ${node.name.slice(0, 100)} cannot be used here. Write the prompt as a Prompt Template.`,
      );
      return undefined;
  }
}

function withValues(prompt: ClassicScope, messages: PromptMessage[]): ClassicPrompt {
  const values = toPromptValues(prompt);
  const names = new Set(messages.flatMap(({ text }) => text.variables));
  return { messages, values, open: [...names].filter((name) => !values.has(name)) };
}

/** The values that a component gives the variables of its prompt, as native templates. */
export function toPromptValues({ settings, report }: ClassicScope): Map<string, string> {
  const values = settings.json("promptValues");
  if (values === undefined) return new Map();
  if (isJsonObject(values)) return new Map(Object.entries(values).map(([name, value]) => [name, toPromptValue(value)]));
  report.refuse("prompt-values-invalid", "The values of its prompt are not a JSON object. Correct them.");
  return new Map();
}

/** Messages between the instructions and the question, where the code that gives them is nothing but a list. */
function toExamples({ node, settings, report, ignore }: ClassicScope): PromptMessage[] {
  ignore(`selectedMessagesTab_${node.id}`, "messageHistory");
  const code = settings.text("messageHistoryCode").trim();
  if (code === "") return [];
  const coded = readMessageCode(code);
  if (coded !== undefined) return coded.map(({ role, text }) => ({ role, text: toFixed(text) }));
  const [, list = ""] = /^(?:return\b)?\s*(\[[\s\S]*\])\s*;?$/.exec(withoutComments(code)) ?? [];
  const rows = parseLenientJson(list);
  const messages = Array.isArray(rows) ? rows.map(toExample) : [undefined];
  if (messages.includes(undefined)) {
    report.refuse(
      "prompt-code",
      "The messages of its prompt are written by code, which is not run here. Write them as messages of the step.",
    );
  }
  return messages.filter((message) => message !== undefined);
}

function withoutComments(code: string): string {
  return code.replaceAll(/^[ \t]*\/\/.*$/gm, "").trim();
}

const roles: Readonly<Record<string, PromptMessage["role"]>> = {
  human: "user",
  user: "user",
  ai: "assistant",
  assistant: "assistant",
  system: "system",
};

function toExample(row: Json): PromptMessage | undefined {
  const [kind, content] = Array.isArray(row)
    ? row
    : isJsonObject(row)
      ? [row.role ?? row.type, row.content ?? row.text]
      : [];
  const role = typeof kind === "string" && Object.hasOwn(roles, kind) ? roles[kind] : undefined;
  if (role === undefined || typeof content !== "string") return undefined;
  return { role, text: toFixed(content) };
}

/** A text without variables. */
function toFixed(text: string): PromptText {
  return { variables: [], render: () => toLiteral(text), fill: () => text };
}

/** A prefix, examples that are each worded by a prompt of their own, and a suffix, as one f-string. */
function joinExamples(prompt: ClassicScope): string {
  const { settings, report } = prompt;
  const example = prompt.part("examplePrompt");
  const rows = settings.json("examples") ?? [];
  if (!Array.isArray(rows)) report.refuse("prompt-examples", "Its examples are not a JSON list. Correct them.");
  const format = settings.text("templateFormat");
  if (format !== "" && format !== "f-string") {
    report.refuse(
      "prompt-format",
      `Its template format ${format.slice(0, 50)} is not read here. Write it with {name}.`,
    );
  }
  const wording = parsePromptText(example?.settings.text("template") ?? "");
  example?.ignore("promptValues");
  const worded = (Array.isArray(rows) ? rows : []).map((row) =>
    toPromptSource(
      wording.fill((name) => (isJsonObject(row) && name in row ? toPromptValue(row[name] ?? "") : undefined)),
    ),
  );
  const separator = settings.text("exampleSeparator") || "\n\n";
  return [settings.text("prefix"), ...worded, settings.text("suffix")].filter((text) => text !== "").join(separator);
}

/** As an f-string that yields the text. */
function toPromptSource(text: string): string {
  return text.replaceAll(/[{}]/g, "$&$&");
}
