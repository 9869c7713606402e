import { askAgain, askModel } from "@weft/engine/agent";
import { defineNode, type NodeContext } from "@weft/engine/node";
import type { ChatModel, ModelMessage } from "@weft/engine/ports/chat-model";
import { templated } from "@weft/engine/template";
import type { JsonSchema, Usage } from "@weft/schema";
import { z } from "zod";
import { attachFiles } from "./attached-files.ts";
import { elsePort, portId } from "./condition-settings.ts";
import { memorySettings, remember } from "./memory.ts";
import { modelSettings, toModelParameters, toModelReference, usesModel } from "./model-settings.ts";
import { findJson } from "./read-json.ts";

const scenario = z.strictObject({
  id: portId,
  description: z
    .string()
    .max(20_000)
    .meta({
      title: "Scenario",
      help: "Describes in words when this scenario applies.",
      widget: "textarea",
      ...templated,
    }),
});
type Scenario = z.infer<typeof scenario>;

const config = z.object({
  model: modelSettings.default({}),
  instructions: z
    .string()
    .max(200_000)
    .default("")
    .meta({ title: "Instructions", help: "How to choose between the scenarios.", widget: "textarea", ...templated }),
  input: z
    .string()
    .max(200_000)
    .default("{{ question }}")
    .meta({ title: "Input", help: "The text to classify.", widget: "textarea", ...templated }),
  scenarios: z
    .array(scenario)
    .min(1)
    .max(50)
    .refine(
      (list) => new Set(list.map(({ id }) => id)).size === list.length,
      "has two scenarios with the same id. Give each a unique id",
    )
    .meta({ title: "Scenarios", widget: "rows", item: "scenario" }),
  hasElse: z
    .boolean()
    .default(true)
    .meta({ title: "Else", help: "When off, the model must choose a scenario; if it does not, the last one is used." }),
  memory: memorySettings,
});
type ConditionAgentSettings = z.infer<typeof config>;

/** Lets a model decide which scenario fits. */
export const conditionAgent = defineNode({
  type: "condition-agent",
  version: 1,
  title: "Condition agent",
  summary: "A language model picks the scenario that fits, and the flow continues there.",
  group: "logic",
  answers: "never",
  config,
  ports: [
    { each: "scenarios", titleField: "description", title: "{id}" },
    { id: elsePort, title: "Else", onlyWith: "hasElse" },
  ],
  icon: "signpost",
  outline: ["model.model", "scenarios"],
  uses: ({ model }) => usesModel(model),
  async execute(context, settings) {
    const { hasElse } = settings;
    const scenarios = settings.scenarios.map(({ id, description }) => ({
      id,
      description: context.renderText(description),
    }));
    const choices = hasElse ? [...scenarios, { id: elsePort, description: "None of the others fits." }] : scenarios;
    const choice = await choose(context, settings, choices);
    const last = choices.at(-1)?.id ?? elsePort;
    if (choice.id === undefined) {
      context.warn("scenario-unclear", `${context.label}: the model named no scenario, so "${last}" was taken.`);
    }
    const id = choice.id ?? last;
    const output = { scenario: id, model: choice.model, usage: { ...choice.usage } };
    return { type: "branch", ports: [id], output, text: id };
  },
});

type Choice = { id: string | undefined; model: string; usage: Usage };

/** Asks, and asks once more as text if the answer names no scenario. Nothing of it is streamed. */
async function choose(
  context: NodeContext,
  settings: ConditionAgentSettings,
  choices: readonly Scenario[],
): Promise<Choice> {
  const model = await context.services.models.resolve(toModelReference(settings.model));
  const answerSchema = { name: "scenario", schema: schemaOf(choices) };
  const parameters = toModelParameters(settings.model, context.run);
  let messages = await buildMessages(context, settings, { choices, model });
  const usage: Usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
  for (let round = 0; ; round += 1) {
    const answer = await askModel(context, { model, key: `model-${round}`, messages, parameters, answerSchema });
    add(usage, answer.usage);
    const rejected = answer.rejected ?? { text: answer.text, problem: "" };
    const id = readScenario(rejected.text, choices);
    if (id !== undefined || round > 0) return { id, model: model.id, usage };
    messages = [...messages, ...askAgain(rejected, answerSchema)];
  }
}

function schemaOf(choices: readonly Scenario[]): JsonSchema {
  const scenario = { type: "string", enum: choices.map(({ id }) => id) };
  return { type: "object", properties: { scenario }, required: ["scenario"], additionalProperties: false };
}

async function buildMessages(
  context: NodeContext,
  { instructions, input, memory }: ConditionAgentSettings,
  { choices, model }: { choices: readonly Scenario[]; model: ChatModel },
): Promise<ModelMessage[]> {
  const task = [
    "Decide which of the scenarios below fits the last message best. You do not answer the message itself.",
    context.renderText(instructions),
    `Scenarios:\n${choices.map(({ id, description }) => `- ${JSON.stringify(id)}: ${description}`).join("\n")}`,
    'Answer with nothing but JSON that names the id of one scenario: {"scenario": "<id>"}',
  ];
  const templates = { prompt: input, messages: [{ content: instructions }] };
  const content = await attachFiles(context, { templates, message: context.renderText(input), model });
  const asked: ModelMessage[] = content === "" ? [] : [{ role: "user", content }];
  return [
    { role: "system", content: task.filter((part) => part !== "").join("\n\n") },
    ...(await remember(context, memory, { model })),
    ...asked,
  ];
}

function add(sum: Usage, { inputTokens, outputTokens, totalTokens }: Usage): void {
  sum.inputTokens += inputTokens;
  sum.outputTokens += outputTokens;
  sum.totalTokens += totalTokens;
}

type Offered = { id: string; description: string };

/**
 * The id of the scenario that a model's answer names: as JSON, as a bare word, or by its description, which models
 * prefer to ids. Undefined if it names none, or more than one.
 */
function readScenario(answer: string, choices: readonly Offered[]): string | undefined {
  const data = findJson(answer);
  const named = data && !Array.isArray(data) ? (data.scenario ?? data.output) : undefined;
  const said = typeof named === "string" ? named : answer;
  const words = normalise(said);
  if (words === "") return undefined;
  if (choices.some(({ id }) => id === said)) return said;
  const exact = choices.filter(({ id, description }) => [id, description].some((name) => normalise(name) === words));
  if (exact.length > 0) return only(exact);
  return only(choices.filter(({ description }) => includesWords(words, normalise(description))));
}

function only(found: readonly Offered[]): string | undefined {
  return found.length === 1 ? found[0]?.id : undefined;
}

function includesWords(words: string, description: string): boolean {
  return description !== "" && (` ${words} `.includes(` ${description} `) || description.startsWith(`${words} `));
}

/** Only letters and digits, in lower case. */
function normalise(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
