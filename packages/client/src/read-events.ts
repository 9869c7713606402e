import { createParser } from "eventsource-parser";
import type { StreamFrame } from "./operation.ts";

/** The frames of an answer of server-sent events. Ends where the answer ends, and rejects when the connection breaks. */
export async function* readEvents(response: Response): AsyncGenerator<StreamFrame, void, undefined> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  const frames: StreamFrame[] = [];
  // A block without data, such as a heartbeat, does not count as an event.
  const parser = createParser({
    onEvent: ({ id = "", data }) => {
      frames.push({ id, ...(JSON.parse(data) as { event: string; data: unknown }) });
    },
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* frames.splice(0);
    }
  } finally {
    // Leaving early closes the connection; one that is broken has nothing left to close.
    await reader.cancel().catch(() => undefined);
  }
}
