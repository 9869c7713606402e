import type { ChatModel, ModelContentPart, ModelMessage, NodeContext, RememberedMessage } from "@weft/engine";
import { isImage, readImages } from "./attached-files.ts";

/** What of earlier files is shown again: enough for any window of a model, and little enough to be sent each time. */
const maxDocumentCharacters = 200_000;
const maxImages = 10;

/**
 * Remembered messages for a model, each with the files that came with it: documents before its words, pictures after
 * them where the model sees. Of many files those of the newest messages are shown; a warning says how many messages go
 * without theirs.
 */
export async function toModelMessages(
  context: NodeContext,
  remembered: readonly RememberedMessage[],
  model: ChatModel,
): Promise<ModelMessage[]> {
  const left = { characters: maxDocumentCharacters, images: maxImages };
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

  const messages: ModelMessage[] = [];
  for (const message of remembered.toReversed()) messages.push(await show(message));
  if (without > 0) {
    const what = `the files of ${without} earlier messages are too many or too long to be shown again.`;
    context.warn("files-left-out", `${context.label}: ${what}`);
  }
  return messages.reverse();
}
