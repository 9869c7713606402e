/** The text of a file that comes with a message. */
export type AttachedDocument = { name: string; text: string };

const attached = /<doc name='([^']*)'>([\s\S]*?)<\/doc>/g;

/** The form in which models and existing flows expect a document. */
export function wrapDocument({ name, text }: AttachedDocument): string {
  return `<doc name='${name.replace(/['<>&]/g, "_")}'>${text}</doc>`;
}

/** What a message for a model says besides its documents, up to `maxCharacters`, and those. */
export function partDocuments(
  message: string,
  maxCharacters?: number,
): { text: string; documents: AttachedDocument[] } {
  const documents = Array.from(message.matchAll(attached), ([, name = "", text = ""]) => ({ name, text }));
  return { text: message.replaceAll(attached, "").trim().slice(0, maxCharacters), documents };
}
