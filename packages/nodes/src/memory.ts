import type { ChatModel, ModelMessage, NodeContext } from "@weft/engine";
import type { HistoryMessage, JsonObject } from "@weft/schema";
import { z } from "zod";

/** Which earlier messages a model node sees: of the session, and of the nodes before it in the same run. */
export const memorySettings = z
  .object({
    type: z.enum(["all", "window", "summary", "off"]).default("all").meta({ title: "Remember" }),
    size: z.number().int().min(1).max(1_000).default(20).meta({ title: "Messages in the window" }),
    maxTokens: z.number().int().min(0).max(1_000_000).default(2_000).meta({
      title: "Tokens kept word for word",
      help: "For a summary: the newest messages up to so many tokens stay as they are; the model sums up the older ones.",
    }),
  })
  .default({ type: "all", size: 20, maxTokens: 2_000 })
  .meta({ title: "Memory", help: "Which earlier messages of the session the model sees." });
export type MemorySettings = z.infer<typeof memorySettings>;

/** The remembered messages, oldest first. A summary of the older ones comes before them, as an instruction. */
export async function remember(
  context: NodeContext,
  settings: MemorySettings,
  model: ChatModel,
): Promise<ModelMessage[]> {
  if (settings.type === "off") return [];
  const all = [...(await context.history()), ...context.conversation];
  if (settings.type === "window") return all.slice(-settings.size).map(toModelMessage);
  if (settings.type === "all") return all.map(toModelMessage);
  const kept = newestWithin(all, settings.maxTokens * charactersPerToken);
  const older = all.slice(0, all.length - kept.length);
  const rest = kept.map(toModelMessage);
  if (older.length === 0) return rest;
  const summary = await summarise(context, model, older);
  return [{ role: "system", content: `Summary of the earlier conversation:\n${summary}` }, ...rest];
}

function toModelMessage({ role, content }: HistoryMessage): ModelMessage {
  return { role: role === "userMessage" ? "user" : "assistant", content };
}

/** An estimate that holds for most languages and models. */
const charactersPerToken = 4;
/** What one call sums up; the oldest messages beyond it are left out. */
const maxTranscriptCharacters = 60_000;

const instruction =
  "Sum up the conversation below for the assistant that continues it. Keep names, numbers, decisions, open questions " +
  "and what the user wants. Write at most 300 words, in the language of the conversation, and nothing else.";

/**
 * Has the model sum messages up, once per execution of the node. The summary is journalled under a name of its own: it
 * is nothing that the node says.
 */
async function summarise(context: NodeContext, model: ChatModel, older: HistoryMessage[]): Promise<string> {
  const lines = older.map(({ role, content }) => ({
    content: `${role === "userMessage" ? "User" : "Assistant"}: ${content}`,
  }));
  const within = newestWithin(lines, maxTranscriptCharacters);
  const left = lines.length - within.length;
  if (left > 0) context.warn("memory-cut", `${context.label}: ${left} old messages are too long to be summed up.`);
  const messages: ModelMessage[] = [
    { role: "system", content: instruction },
    { role: "user", content: within.map(({ content }) => content).join("\n\n") },
  ];
  const value = await context.effect(
    { key: "memory", kind: "read", category: "model", name: model.id, input: { messages: messages as JsonObject[] } },
    async ({ signal }) => {
      const { text, usage } = await model.answer({ messages, signal });
      return { summary: text, usage } satisfies JsonObject;
    },
  );
  return value.summary;
}

/** The newest messages that fit in so many characters together. */
function newestWithin<Message extends { content: string }>(
  messages: readonly Message[],
  characters: number,
): Message[] {
  let left = characters;
  const first = messages.findLastIndex(({ content }) => {
    left -= content.length;
    return left < 0;
  });
  return messages.slice(first + 1);
}
