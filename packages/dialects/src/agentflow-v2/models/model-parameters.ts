import { type Json, type JsonObject, type ModelParameterName, modelParameterFields } from "@weft/schema";
import type { Report } from "../node-converter.ts";
import type { Settings } from "../settings.ts";

/** What a component's setting becomes: a parameter, and how its value reads. `when`: it has an effect only then. */
type Meaning = { to: ModelParameterName; read(text: string): Json | undefined; when?: (config: Settings) => boolean };

/** The parameters of a component, by its own names for them. */
export type ParameterTable = Readonly<Record<string, Meaning>>;

/** The native parameters of a component's settings. A value that no model takes is left out, with a warning. */
export function toParameters(config: Settings, table: ParameterTable, report: Report): JsonObject {
  const parameters: JsonObject = {};
  for (const [name, { to, read, when }] of Object.entries(table)) {
    const text = config.text(name).trim();
    if (text === "" || when?.(config) === false) continue;
    const value = read(text);
    if (value === undefined || parameters[to] !== undefined) continue;
    if (modelParameterFields[to].safeParse(value).success) parameters[to] = value;
    else {
      report.warn(
        "model-parameter-ignored",
        `Its model's ${name} of ${text.slice(0, 50)} is not a value that models take and is not used. Correct it.`,
      );
    }
  }
  return parameters;
}

const toNumber = (text: string) => (Number.isFinite(Number(text)) ? Number(text) : text);
const toCount = (text: string) => (Number.isFinite(Number(text)) ? Math.floor(Number(text)) : text);
const number = (to: ModelParameterName): Meaning => ({ to, read: toNumber });
const count = (to: ModelParameterName): Meaning => ({ to, read: toCount });
const level: Meaning = { to: "reasoning", read: (text) => text.toLowerCase() };

/** The answer's length; none stands for no limit. */
const length: Meaning = { to: "maxTokens", read: (text) => (Number(text) < 1 ? undefined : toCount(text)) };

/** Texts with commas between them. */
const list: Meaning = {
  to: "stop",
  read: (text) =>
    text
      .split(",")
      .map((one) => one.trim())
      .filter((one) => one !== ""),
};

/** A switch whose value is a parameter when it is on. */
const on = (to: ModelParameterName, value: Json): Meaning => ({
  to,
  read: (text) => (text === "true" ? value : undefined),
});

/** Every component has them. `lengths`: its names for the longest answer, the first that is set counts. */
function common(...lengths: string[]): ParameterTable {
  const limits = Object.fromEntries(lengths.map((name) => [name, length]));
  return { temperature: number("temperature"), topP: number("topP"), ...limits };
}

const penalties: ParameterTable = {
  frequencyPenalty: number("frequencyPenalty"),
  presencePenalty: number("presencePenalty"),
};

const isOn = (name: string) => (config: Settings) => config.flag(name);
const hasBudget = (config: Settings) => config.flag("extendedThinking") && !config.flag("adaptiveThinking");

export const openAiTable: ParameterTable = {
  ...common("maxTokens"),
  ...penalties,
  stopSequence: list,
  // Earlier versions had no switch for it.
  reasoningEffort: { ...level, when: (config) => config.text("reasoning") !== "false" },
};

export const anthropicTable: ParameterTable = {
  ...common("maxTokensToSample"),
  topK: count("topK"),
  budgetTokens: { ...count("thinkingTokens"), when: hasBudget },
  extendedThinking: { ...on("thinkingTokens", 1_024), when: hasBudget },
  thinkingEffort: { ...level, when: isOn("adaptiveThinking") },
  adaptiveThinking: { ...on("reasoning", "high"), when: (config) => config.text("thinkingEffort") === "" },
};

export const geminiTable: ParameterTable = {
  ...common("maxOutputTokens"),
  topK: count("topK"),
  // -1 lets the model decide, as if no budget were set.
  thinkingBudget: {
    to: "thinkingTokens",
    read: (text) => (Number(text) < 0 ? undefined : toCount(text)),
  },
  thinkingLevel: level,
};

export const ollamaTable: ParameterTable = {
  ...common("maxTokens"),
  topK: count("topK"),
  stop: list,
  think: on("reasoning", "medium"),
  numCtx: count("contextTokens"),
};

export const mistralTable: ParameterTable = {
  ...common("maxOutputTokens", "maxTokensToSample"),
  randomSeed: count("seed"),
};
export const cohereTable: ParameterTable = common("maxTokens");
export const bedrockTable: ParameterTable = common("max_tokens_to_sample");

/** Of any server that follows OpenAI. */
export const compatibleTable: ParameterTable = {
  ...common("maxTokens", "maxOutputTokens"),
  ...penalties,
  topK: count("topK"),
  stopSequence: list,
  stop: list,
};

export const huggingFaceTable: ParameterTable = {
  ...common("maxTokens"),
  hfTopK: count("topK"),
  frequencyPenalty: number("frequencyPenalty"),
  stop: list,
};
