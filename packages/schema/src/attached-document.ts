export type AttachedDocument = { name: string; text: string };

/** Wraps a document in the form that models and existing flows expect. */
export function wrapDocument({ name, text }: AttachedDocument): string {
  return `<doc name='${name.replace(/['<>&]/g, "_")}'>${text}</doc>`;
}

/** Splits a model message into its own text, up to `maxCharacters`, and its documents. */
export function partDocuments(
  message: string,
  maxCharacters?: number,
): { text: string; documents: AttachedDocument[] } {
  const documents: AttachedDocument[] = [];
  const words: string[] = [];
  let from = 0;
  for (const { start, end, ...document } of attachedIn(message)) {
    documents.push(document);
    words.push(message.slice(from, start));
    from = end;
  }
  return { text: (words.join("") + message.slice(from)).trim().slice(0, maxCharacters), documents };
}

const [begin, close] = ["<doc name='", "</doc>"];

/** Documents in order. Their opening tag may occur thousands of times in a text without being closed. */
function* attachedIn(message: string): Generator<AttachedDocument & { start: number; end: number }> {
  for (let start = message.indexOf(begin); start >= 0; ) {
    const nameEnds = message.indexOf("'", start + begin.length);
    if (nameEnds < 0) return;
    if (message[nameEnds + 1] !== ">") {
      start = message.indexOf(begin, start + 1);
      continue;
    }
    const textEnds = message.indexOf(close, nameEnds + 2);
    if (textEnds < 0) return;
    const [name, text] = [message.slice(start + begin.length, nameEnds), message.slice(nameEnds + 2, textEnds)];
    yield { name, text, start, end: textEnds + close.length };
    start = message.indexOf(begin, textEnds + close.length);
  }
}
