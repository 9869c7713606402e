import { type ModelMessage, type NodeContext, templated } from "@weft/engine";
import type { HistoryMessage } from "@weft/schema";
import { z } from "zod";

/** Config fields of every node that asks a model. */
export const promptFields = {
  messages: z
    .array(
      z.object({
        role: z.enum(["system", "user", "assistant"]).meta({ title: "Role" }),
        content: z
          .string()
          .max(200_000)
          .meta({ title: "Text", widget: "textarea", ...templated }),
      }),
    )
    .max(100)
    .default([])
    .meta({ title: "Messages", help: "What the model is told before the conversation.", widget: "messages" }),
  prompt: z
    .string()
    .max(200_000)
    .default("{{ question }}")
    .meta({
      title: "User message",
      help: "What the model is asked; the user's question when left as it is.",
      widget: "textarea",
      ...templated,
    }),
  memory: z
    .object({
      type: z.enum(["all", "window", "off"]).default("all").meta({ title: "Remember" }),
      size: z.number().int().min(1).max(1_000).default(20).meta({ title: "Messages in the window" }),
    })
    .default({ type: "all", size: 20 })
    .meta({ title: "Memory", help: "Which earlier messages of the session the model sees." }),
};

const promptSchema = z.object(promptFields);
export type PromptSettings = z.infer<typeof promptSchema>;

/** The messages for a model, in order: instructions, memory, the node's own examples, the question. */
export type Prompt = { messages: ModelMessage[]; question: string };

export async function buildPrompt(context: NodeContext, settings: PromptSettings): Promise<Prompt> {
  const configured = settings.messages.map(
    ({ role, content }): ModelMessage => ({ role, content: context.renderText(content) }),
  );
  const question = context.renderText(settings.prompt);
  const remembered = await remember(context, settings.memory);
  const messages = [
    ...configured.filter((message) => message.role === "system"),
    ...remembered.map(toModelMessage),
    ...configured.filter((message) => message.role !== "system"),
  ];
  if (question !== "") messages.push({ role: "user", content: question });
  return { messages, question };
}

/** What later model nodes of the run see of this one. */
export function conversationOf(question: string, answer: string): HistoryMessage[] {
  const said: HistoryMessage = { role: "apiMessage", content: answer };
  return question === "" ? [said] : [{ role: "userMessage", content: question }, said];
}

async function remember(context: NodeContext, memory: PromptSettings["memory"]): Promise<HistoryMessage[]> {
  if (memory.type === "off") return [];
  const all = [...(await context.history()), ...context.conversation];
  return memory.type === "window" ? all.slice(-memory.size) : all;
}

function toModelMessage({ role, content }: HistoryMessage): ModelMessage {
  return { role: role === "userMessage" ? "user" : "assistant", content };
}
