import type { NodeContext } from "@weft/engine/node";
import type { ChatModel, ModelContentPart } from "@weft/engine/ports/chat-model";
import type { RunUpload } from "@weft/schema";

/** The texts of a node that calls a model. */
type Templates = { prompt: string; messages: readonly { content: string }[] };

/**
 * A node's message together with the files sent with the user's question, if the message passes on the question or the
 * form: the texts of documents before it, unless the node's own texts place them, and the images after it. A model
 * without image input gets none, with a warning.
 */
export async function attachFiles(
  context: NodeContext,
  { templates, message, model }: { templates: Templates; message: string; model: ChatModel },
): Promise<string | ModelContentPart[]> {
  if (!passesOn.test(templates.prompt)) return message;
  const documents = placesDocuments(templates) ? "" : (context.run.input.fileAttachment ?? "");
  const text = [documents, message].filter((part) => part !== "").join("\n\n");
  const images = await showImages(context, model);
  if (images.length === 0) return text;
  return text === "" ? images : [{ type: "text", text }, ...images];
}

const passesOn = /\{\{\s*(question|\$form)\b/;

function placesDocuments({ prompt, messages }: Templates): boolean {
  return [prompt, ...messages.map(({ content }) => content)].some((text) => /\{\{\s*file_attachment\b/.test(text));
}

async function showImages(context: NodeContext, model: ChatModel): Promise<ModelContentPart[]> {
  const images = (context.run.input.uploads ?? []).filter(isImage);
  if (images.length > 0 && !model.acceptsImages) {
    context.warn("images-ignored", `${context.label}: the model ${model.id} takes no pictures; they were left out.`);
    return [];
  }
  const { parts, gone } = await readImages(context, images);
  for (const name of gone) context.warn("file-gone", `${context.label}: the file ${name} was deleted and left out.`);
  return parts;
}

export function isImage({ kind }: RunUpload): boolean {
  return kind === "image";
}

/** The stored images, and the names of deleted ones. */
export async function readImages(context: NodeContext, images: readonly RunUpload[]) {
  const parts: ModelContentPart[] = [];
  const gone: string[] = [];
  for (const { fileId = "", name } of images) {
    const file = await context.services.files.read(fileId);
    if (file === undefined) gone.push(name);
    else parts.push({ type: "image", mediaType: file.mediaType, data: file.bytes });
  }
  return { parts, gone };
}
