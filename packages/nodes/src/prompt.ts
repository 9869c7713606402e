import { keptWith, type NodeContext } from "@weft/engine/node";
import type { ChatModel, ModelMessage } from "@weft/engine/ports/chat-model";
import { templated } from "@weft/engine/template";
import { type HistoryMessage, withoutCitations } from "@weft/schema";
import { z } from "zod";
import { attachFiles } from "./attached-files.ts";
import { memorySettings, remember } from "./memory.ts";
import { type ModelSettings, ownParameters, toModelReference } from "./model-settings.ts";
import { structuredOutput, toAnswerSchema } from "./structured-output.ts";

const roles = z.enum(["assistant", "user", "none"]);
export type ResponseRole = z.infer<typeof roles>;

/** The role under which later model nodes of the run see an answer; `none`: they see neither it nor the question. */
export const responseRoleOr = (preset: ResponseRole) =>
  roles.default(preset).meta({
    title: "Later steps see the answer as said by",
    labels: { assistant: "The assistant", user: "The user", none: "No one: it stays out of the conversation" },
    advanced: true,
  });
export const responseRole = responseRoleOr("assistant");

/** Heading of what decides which messages the model and later steps see. */
export const conversationFold = "Conversation";

/** Config fields of every node that calls a model. */
export const promptFields = {
  messages: z
    .array(
      z.object({
        role: z.enum(["system", "user", "assistant"]).meta({
          title: "Role",
          labels: { system: "System", user: "User", assistant: "Assistant" },
        }),
        content: z
          .string()
          .max(200_000)
          .meta({ title: "Text", widget: "textarea", ...templated }),
      }),
    )
    .max(100)
    .default([])
    .meta({
      title: "Instructions",
      widget: "messages",
      item: "message",
    }),
  prompt: z
    .string()
    .max(200_000)
    .default("{{ question }}")
    .meta({
      title: "User message",
      help: "The message sent to the model; by default, the user's question.",
      widget: "textarea",
      ...templated,
    }),
  memory: memorySettings,
  citations: z.boolean().default(false).meta({
    title: "Cite sources",
    help: "The answer cites the passages of documents that it rests on by number, as in [1]. Chats show the numbers as buttons that open the passage. Structured answers cite nothing.",
  }),
  structuredOutput,
  responseRole,
};

const promptSchema = z.object(promptFields);
export type PromptSettings = z.infer<typeof promptSchema>;

/** Which model answers and how, without what a run's caller changes. */
export const modelCallOf = keptWith(
  (settings: { model: ModelSettings } & Pick<PromptSettings, "structuredOutput">) => ({
    reference: toModelReference(settings.model),
    parameters: ownParameters(settings.model),
    answerSchema: toAnswerSchema(settings.structuredOutput),
  }),
);

/**
 * The messages for a model, in order: instructions, memory, the node's own examples, the question with its files.
 * `question` is without the files.
 */
export type Prompt = { messages: ModelMessage[]; question: string };

/** `withTools`: the memory includes the tool calls of earlier turns. Default false. */
export async function buildPrompt(
  context: NodeContext,
  settings: PromptSettings,
  { model, withTools }: { model: ChatModel; withTools?: boolean },
): Promise<Prompt> {
  const configured = settings.messages.map(
    ({ role, content }): ModelMessage => ({ role, content: context.renderText(content) }),
  );
  const question = context.renderText(settings.prompt);
  const memory = await remember(settings.citations ? uncitedHistory(context) : context, settings.memory, {
    model,
    withTools,
  });
  // A prompt that is the question already contains it.
  const remembered = settings.memory.type === "question" && memory[0]?.content === question ? [] : memory;
  const messages = [
    ...configured.filter((message) => message.role === "system"),
    ...remembered,
    ...configured.filter((message) => message.role !== "system"),
  ];
  const { uploads, fileAttachment } = context.run.input;
  const hasFiles = uploads !== undefined || fileAttachment !== undefined;
  const content = hasFiles ? await attachFiles(context, { templates: settings, message: question, model }) : question;
  // The user's words precede a prompt with a different task.
  const isOpening = content === question && !settings.memory.opening;
  if (isOpening && isAnsweredAlready(context, question, remembered)) return { messages, question: "" };
  if (content !== "") messages.push({ role: "user", content });
  return { messages, question };
}

/** The same, but earlier answers of the session cite nothing: their numbers now belong to other passages. */
function uncitedHistory(context: NodeContext): NodeContext {
  const history = async (limit?: number) =>
    (await context.history(limit)).map((message) =>
      message.role === "apiMessage" ? { ...message, content: withoutCitations(message.content) } : message,
    );
  return { ...context, history };
}

/**
 * Whether a loop has returned with something to answer, such as a person's feedback: the message that started the run's
 * conversation is remembered, and the user has spoken last since. Repeating it would ask for the same again.
 */
function isAnsweredAlready(
  { pass, conversation: [opening] }: NodeContext,
  question: string,
  remembered: readonly ModelMessage[],
): boolean {
  if (pass === 0 || opening?.role !== "userMessage" || opening.content !== question) return false;
  const isSaid = remembered.some(({ role, content }) => role === "user" && content === question);
  return isSaid && remembered.at(-1)?.role === "user";
}

/** The messages of this node that later model nodes of the run see. */
export function conversationOf(question: string, answer: string, role: ResponseRole): HistoryMessage[] {
  if (role === "none") return [];
  const said: HistoryMessage = { role: role === "user" ? "userMessage" : "apiMessage", content: answer };
  return question === "" ? [said] : [{ role: "userMessage", content: question }, said];
}
