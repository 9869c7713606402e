import { askModel } from "@weft/engine/agent";
import { defineNode, type NodeContext } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import type { HistoryMessage, Json, JsonObject } from "@weft/schema";
import { z } from "zod";
import { memorySettings, remember } from "./memory.ts";
import { modelSettings, toModelParameters, toModelReference, usesModel } from "./model-settings.ts";

const defaultInstruction =
  "Write what a person must know to decide whether this may go on: what has been done so far and what is proposed next. " +
  "Use the facts of the conversation alone, be brief, and end with the question that is to be decided.";

const config = z.object({
  writtenBy: z
    .enum(["author", "model"])
    .default("author")
    .meta({
      title: "The question is written by",
      labels: { author: "You", model: "A model" },
    }),
  question: z
    .string()
    .max(200_000)
    .default("Do you want to proceed?")
    .meta({
      title: "Question",
      help: "Text shown to the person. If a model writes the question, this is the fallback.",
      widget: "textarea",
      ...templated,
    }),
  model: modelSettings.default({}).meta({ showWhen: { field: "writtenBy", is: ["model"] } }),
  instruction: z
    .string()
    .max(200_000)
    .default(defaultInstruction)
    .meta({
      title: "Instruction for the model",
      widget: "textarea",
      advanced: true,
      showWhen: { field: "writtenBy", is: ["model"] },
      ...templated,
    }),
  memory: memorySettings.meta({ showWhen: { field: "writtenBy", is: ["model"] } }),
  proceedLabel: z.string().min(1).max(100).default("Proceed").meta({ title: "Label of yes" }),
  rejectLabel: z.string().min(1).max(100).default("Reject").meta({ title: "Label of no" }),
  feedback: z.boolean().default(true).meta({ title: "Feedback", help: "Lets the person add a comment to the answer." }),
});
type HumanInputSettings = z.infer<typeof config>;

/** Waits, for as long as it takes, until a person says yes or no. */
export const humanInput = defineNode({
  type: "human-input",
  version: 1,
  title: "Human input",
  summary: "Asks a person, waits for the answer and continues accordingly.",
  group: "logic",
  config,
  ports: [
    { id: "proceed", title: "Proceed", titleField: "proceedLabel" },
    { id: "reject", title: "Reject", titleField: "rejectLabel" },
  ],
  icon: "person",
  outline: ["question"],
  uses: ({ writtenBy, model }) => (writtenBy === "model" ? usesModel(model) : {}),
  async execute(context, settings) {
    const decision = readDecision(context.answer);
    if (decision) return decided(decision, settings);
    const { proceedLabel, rejectLabel, feedback } = settings;
    const details: JsonObject = {
      kind: "human-input",
      labels: { proceed: proceedLabel, reject: rejectLabel },
      feedbackEnabled: feedback,
    };
    return { type: "suspend", text: await questionOf(context, settings), details };
  },
});

type Decision = { port: "proceed" | "reject"; feedback: string };

/** Reads a human's answer, `{ type, feedback? }`. Undefined for one that says neither yes nor no: it is asked again. */
function readDecision(answer: Json | undefined): Decision | undefined {
  const { type, feedback } = (answer ?? {}) as { type?: Json; feedback?: Json };
  const port = type === "approve" ? "proceed" : type;
  if (port !== "proceed" && port !== "reject") return undefined;
  return { port, feedback: typeof feedback === "string" ? feedback.trim() : "" };
}

/** Later model nodes hear the feedback as the user's words. */
function decided({ port, feedback }: Decision, settings: HumanInputSettings) {
  const said = settings.feedback ? feedback : "";
  const messages: HistoryMessage[] = said === "" ? [] : [{ role: "userMessage", content: said }];
  const text = said || port;
  const output = { content: text, decision: port, feedback: said };
  return { type: "branch" as const, ports: [port], output, text, messages };
}

async function questionOf(context: NodeContext, settings: HumanInputSettings): Promise<string> {
  if (settings.writtenBy === "author") return context.renderText(settings.question);
  const model = await context.services.models.resolve(toModelReference(settings.model));
  const remembered = await remember(context, settings.memory, model);
  const { text } = await askModel(
    // The question is told when the run waits; what is written on the way there is not.
    { ...context, live: false },
    {
      model,
      key: "question",
      messages: [...remembered, { role: "user", content: context.renderText(settings.instruction) }],
      parameters: toModelParameters(settings.model, context.run),
    },
  );
  return text.trim() || context.renderText(settings.question);
}
