import type { WithGraph } from "@weft/engine";
import { askModel } from "@weft/engine/agent";
import { defineNode, type NodeContext, type NodeResult } from "@weft/engine/node";
import { templated } from "@weft/engine/template";
import { type HistoryMessage, type Json, type JsonObject, toJsonObject } from "@weft/schema";
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
  answer: z
    .enum(["decision", "text", "choice"])
    .default("decision")
    .meta({
      title: "The person answers with",
      labels: { decision: "Yes or no", text: "Text", choice: "One of several options" },
    }),
  options: z
    .array(
      z.strictObject({
        label: z.string().trim().min(1).max(200).meta({ title: "Option" }),
        value: z
          .string()
          .max(200)
          .default("")
          .meta({ title: "Value", help: "What later steps read. Empty: the option itself." }),
      }),
    )
    .max(50)
    .default([])
    .meta({ title: "Options", widget: "rows", item: "option", showWhen: { field: "answer", is: ["choice"] } }),
  otherAnswers: z
    .boolean()
    .default(false)
    .meta({
      title: "Other answers",
      help: "Accepts text that is none of the options.",
      showWhen: { field: "answer", is: ["choice"] },
    }),
  takesMessages: z
    .boolean()
    .default(false)
    .meta({
      title: "The next message answers",
      help: "What the user writes next in the chat is the answer. Otherwise it starts another run, and this one keeps waiting.",
      showWhen: { field: "answer", is: ["text", "choice"] },
    }),
  proceedLabel: z
    .string()
    .min(1)
    .max(100)
    .default("Proceed")
    .meta({ title: "Label of yes", showWhen: { field: "answer", is: ["decision"] } }),
  rejectLabel: z
    .string()
    .min(1)
    .max(100)
    .default("Reject")
    .meta({ title: "Label of no", showWhen: { field: "answer", is: ["decision"] } }),
  feedback: z
    .boolean()
    .default(true)
    .meta({
      title: "Feedback",
      help: "Lets the person add a comment to the answer.",
      showWhen: { field: "answer", is: ["decision"] },
    }),
});
type HumanInputSettings = z.infer<typeof config>;

const decides = { field: "answer", is: ["decision"] };
const tells = { field: "answer", is: ["text", "choice"] };

/** Waits, for as long as it takes, until a person says yes or no, or answers with text. */
export const humanInput = defineNode({
  type: "human-input",
  version: 1,
  title: "Human input",
  summary: "Asks a person, waits for the answer and continues accordingly.",
  group: "logic",
  config,
  ports: [
    { id: "proceed", title: "Proceed", titleField: "proceedLabel", onlyWhen: decides },
    { id: "proceed", title: "Answered", onlyWhen: tells },
    { id: "reject", title: "Reject", titleField: "rejectLabel", onlyWhen: decides },
  ],
  icon: "person",
  outline: ["question"],
  review: ({ answer, options }) =>
    answer === "choice" && options.length === 0
      ? [
          {
            level: "error",
            code: "options-missing",
            path: "options",
            message: "It offers no options. Add at least one.",
          },
        ]
      : [],
  uses: ({ writtenBy, model }) => (writtenBy === "model" ? usesModel(model) : {}),
  async execute(context, settings) {
    const result = settings.answer === "decision" ? decide(context.answer, settings) : tell(context.answer, settings);
    return result ?? { type: "suspend", text: await questionOf(context, settings), details: detailsOf(settings) };
  },
});

/** Facts for clients that show the question: the allowed forms of the answer. */
function detailsOf({
  answer,
  options,
  otherAnswers,
  takesMessages,
  proceedLabel,
  rejectLabel,
  feedback,
}: HumanInputSettings): JsonObject {
  const labels = { proceed: proceedLabel, reject: rejectLabel };
  if (answer === "decision") return { kind: "human-input", labels, feedbackEnabled: feedback };
  const choice = answer === "choice" ? { options: options.map(({ label }) => label), otherAnswers } : {};
  return { kind: "human-input", answer: { type: answer, ...choice }, ...(takesMessages ? { takesMessages } : {}) };
}

/** Whether a flow has a question that the next message of its chat answers. */
export function asksForMessages({ graph }: WithGraph): boolean {
  return [...graph.nodes.values()].some(({ type, config }) => type === humanInput && config.takesMessages === true);
}

type Decision = { port: "proceed" | "reject"; feedback: string };

/** Reads a human's answer, `{ type, feedback? }`. Undefined if it is neither yes nor no: it is asked again. */
function readDecision(answer: Json | undefined): Decision | undefined {
  const { type, feedback } = toJsonObject(answer);
  const port = type === "approve" ? "proceed" : type;
  if (port !== "proceed" && port !== "reject") return undefined;
  return { port, feedback: typeof feedback === "string" ? feedback.trim() : "" };
}

/** Undefined: it is asked again. Later model nodes see the feedback as the user's words. */
function decide(answer: Json | undefined, settings: HumanInputSettings): NodeResult | undefined {
  const decision = readDecision(answer);
  if (decision === undefined) return undefined;
  const { port, feedback } = decision;
  const said = settings.feedback ? feedback : "";
  const messages: HistoryMessage[] = said === "" ? [] : [{ role: "userMessage", content: said }];
  const text = said || port;
  const output = { content: text, decision: port, feedback: said };
  return { type: "branch", ports: [port], output, text, messages };
}

/** Reads a text answer, which is sent as the feedback. Undefined if there is none, or if it matches no option. */
function tell(
  answer: Json | undefined,
  { answer: kind, options, otherAnswers }: HumanInputSettings,
): NodeResult | undefined {
  const { port, feedback: words = "" } = readDecision(answer) ?? {};
  if (port !== "proceed" || words === "") return undefined;
  const isMeant = (name: string) => name.trim().toLowerCase() === words.toLowerCase();
  const option = kind === "choice" ? options.find(({ label, value }) => isMeant(label) || isMeant(value)) : undefined;
  if (kind === "choice" && option === undefined && !otherAnswers) return undefined;
  const text = option?.label ?? words;
  const output = { content: text, text, value: option?.value || text };
  return { type: "branch", ports: ["proceed"], output, text, messages: [{ role: "userMessage", content: text }] };
}

async function questionOf(context: NodeContext, settings: HumanInputSettings): Promise<string> {
  if (settings.writtenBy === "author") return context.renderText(settings.question);
  const model = await context.services.models.resolve(toModelReference(settings.model));
  const remembered = await remember(context, settings.memory, { model });
  const { text } = await askModel(
    // The question is sent when the run waits; its generation is not streamed.
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
