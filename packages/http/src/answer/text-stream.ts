import { endOfPiece } from "../body/json-pieces.ts";

const pieceCharacters = 256 * 1_024;

/** The body of an answer: a long text is encoded in pieces, so that it does not stop the event loop. */
export function toBody(text: string): string | ReadableStream<Uint8Array> {
  return text.length <= 4 * pieceCharacters ? text : toTextStream(slicesOf(text));
}

/** Pieces of a text as the body of an answer, each made and encoded in a turn of its own, when the client takes it. */
export function toTextStream(pieces: Iterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator = pieces[Symbol.iterator]();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = iterator.next();
      if (done) {
        controller.close();
        return;
      }
      controller.enqueue(encoder.encode(value));
      await new Promise((resolve) => setImmediate(resolve));
    },
  });
}

function* slicesOf(text: string): Generator<string> {
  for (let start = 0; start < text.length; ) {
    const end = endOfPiece(text, start + pieceCharacters);
    yield text.slice(start, end);
    start = end;
  }
}
