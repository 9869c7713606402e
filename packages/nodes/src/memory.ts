import { isTransientFailure } from "@weft/engine";
import type { NodeContext } from "@weft/engine/node";
import type { ChatModel, ModelContentPart, ModelMessage } from "@weft/engine/ports/chat-model";
import type { RememberedMessage } from "@weft/engine/ports/memory";
import type { HistoryMessage, JsonObject } from "@weft/schema";
import { z } from "zod";
import { isImage, readImages } from "./attached-files.ts";
import { createToolMemory, maxToolCharacters } from "./tool-memory.ts";

/** Which earlier messages a model node sees: of the session, and of earlier nodes in the same run. */
export const memorySettings = z
  .object({
    type: z
      .enum(["all", "window", "last", "question", "summary", "off"])
      .default("all")
      .meta({
        title: "Remember",
        labels: {
          all: "Everything",
          window: "The newest messages",
          last: "The last message",
          question: "The user's question",
          summary: "A summary",
          off: "Nothing",
        },
      }),
    size: z
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(20)
      .meta({
        title: "Messages in the window",
        showWhen: { field: "type", is: ["window"] },
      }),
    maxTokens: z
      .number()
      .int()
      .min(0)
      .max(1_000_000)
      .default(2_000)
      .meta({
        title: "Tokens kept word for word",
        showWhen: { field: "type", is: ["summary"] },
        help: "For a summary: the newest messages, up to this many tokens, are kept unchanged; the model summarises the older ones.",
      }),
    opening: z.boolean().default(false).meta({
      title: "Begin with the user's message",
      help: "What the user sent, with its files, comes before what the steps of this run said: the prompt need not pass it on.",
      advanced: true,
    }),
  })
  .default({ type: "all", size: 20, maxTokens: 2_000, opening: false })
  .meta({ title: "Memory", help: "Which earlier messages of the session the model sees." });
type MemorySettings = z.infer<typeof memorySettings>;

/**
 * The remembered messages, oldest first. A summary of the older ones precedes them, as an instruction. `withTools`:
 * includes the tool calls of earlier turns.
 */
export async function remember(
  context: NodeContext,
  settings: MemorySettings,
  { model, withTools = false }: { model: ChatModel; withTools?: boolean | undefined },
): Promise<ModelMessage[]> {
  if (settings.type === "off") return [];
  if (settings.type === "question") return questionOf(context);
  const said = [...(settings.opening ? openingOf(context) : []), ...context.conversation];
  const keptCharacters = settings.maxTokens * charactersPerToken;
  const toolCharacters = settings.type === "summary" ? Math.min(keptCharacters, maxToolCharacters) : maxToolCharacters;
  const shown = { model, toolCharacters: withTools ? toolCharacters : 0 };
  const last = async (count: number) => [...(await context.history(count)), ...said].slice(-count);
  if (settings.type === "window") return toModelMessages(context, await last(settings.size), shown);
  if (settings.type === "last") return toModelMessages(context, await last(1), shown);
  const all = [...(await context.history()), ...said];
  if (settings.type === "all") return toModelMessages(context, all, shown);
  const kept = newestWithin(all, keptCharacters);
  const older = all.slice(0, all.length - kept.length);
  const rest = await toModelMessages(context, kept, shown);
  if (older.length === 0) return rest;
  const summary = await summarise(context, model, older);
  return [{ role: "system", content: `Summary of the earlier conversation:\n${summary}` }, ...rest];
}

/** The message that started the run, with its files. */
function openingOf(context: NodeContext): RememberedMessage[] {
  const { uploads, fileAttachment } = context.run.input;
  const content = context.renderText("{{ question }}");
  if (content === "" && uploads === undefined && fileAttachment === undefined) return [];
  const files = {
    ...(uploads === undefined ? {} : { uploads }),
    ...(fileAttachment === undefined ? {} : { fileAttachment }),
  };
  return [{ role: "userMessage", content, files }];
}

function questionOf(context: NodeContext): ModelMessage[] {
  const question = context.renderText("{{ question }}");
  return question === "" ? [] : [{ role: "user", content: question }];
}

/** An estimate that holds for most languages and models. */
const charactersPerToken = 4;
/** Most text that one call summarises; the oldest messages beyond it are left out. */
const maxTranscriptCharacters = 60_000;

const instruction =
  "Sum up the conversation below for the assistant that continues it. Keep names, numbers, decisions, open questions " +
  "and what the user wants. Write at most 300 words, in the language of the conversation, and nothing else.";

/**
 * Lets the model summarise messages, once per execution of the node. The summary is journalled under a name of its own:
 * it is not part of the node's text.
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
    {
      key: "memory",
      kind: "read",
      category: "model",
      name: model.id,
      input: { messages: messages as JsonObject[] },
      isTransient: isTransientFailure,
    },
    async ({ signal }) => {
      const { text, usage } = await model.answer({ messages, signal });
      return { summary: text, usage } satisfies JsonObject;
    },
  );
  return value.summary;
}

/** The newest messages that fit in a total number of characters. */
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

/** Earlier files shown again: enough for any model's context window, and little enough to be sent each time. */
const maxDocumentCharacters = 200_000;
const maxImages = 10;

/**
 * Remembered messages for a model, each with its files: documents before its text, images after it if the model accepts
 * them. Of many files those of the newest messages are shown; a warning says how many messages lack theirs.
 */
async function toModelMessages(
  context: NodeContext,
  remembered: readonly RememberedMessage[],
  { model, toolCharacters }: { model: ChatModel; toolCharacters: number },
): Promise<ModelMessage[]> {
  if (remembered.length === 0) return [];
  const left = { characters: maxDocumentCharacters, images: maxImages };
  const recallTools = createToolMemory(toolCharacters);
  let without = 0;

  async function show({ role, content, files = {} }: RememberedMessage): Promise<ModelMessage> {
    if (role === "apiMessage") return { role: "assistant", content };
    const documents = files.fileAttachment ?? "";
    const images = model.acceptsImages ? (files.uploads ?? []).filter(isImage) : [];
    if (documents.length > left.characters || images.length > left.images) {
      without += 1;
      return { role: "user", content };
    }
    left.characters -= documents.length;
    left.images -= images.length;
    const text = [documents, content].filter((part) => part !== "").join("\n\n");
    const { parts } = await readImages(context, images);
    if (parts.length === 0) return { role: "user", content: text };
    const words: ModelContentPart[] = text === "" ? [] : [{ type: "text", text }];
    return { role: "user", content: [...words, ...parts] };
  }

  const turns: ModelMessage[][] = [];
  for (const message of remembered.toReversed()) turns.push([...(await recallTools(message)), await show(message)]);
  if (without > 0) {
    const what = `the files of ${without} earlier messages are too many or too long to be shown again.`;
    context.warn("files-left-out", `${context.label}: ${what}`);
  }
  return turns.reverse().flat();
}
