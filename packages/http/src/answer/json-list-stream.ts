import type { z } from "zod";

const chunkCharacters = 64 * 1_024;

/**
 * The JSON text of a list as a stream of pieces, each item parsed through the schema when its turn comes. A client
 * that reads slowly or goes away stops the work.
 */
export function streamJsonList(items: readonly unknown[], item: z.ZodType): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;

  function takeChunk(): string {
    let text = next === 0 ? "[" : "";
    while (next < items.length && text.length < chunkCharacters) {
      text += (next === 0 ? "" : ",") + JSON.stringify(item.parse(items[next]));
      next++;
    }
    return next === items.length ? `${text}]` : text;
  }

  let chunk = takeChunk();
  return new ReadableStream({
    pull(controller) {
      controller.enqueue(encoder.encode(chunk));
      if (next === items.length) controller.close();
      else chunk = takeChunk();
    },
  });
}
