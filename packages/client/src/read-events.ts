import type { StreamFrame } from "./operation.ts";

/** The frames of an answer of server-sent events. Ends where the answer ends, and rejects when the connection breaks. */
export async function* readEvents(response: Response): AsyncGenerator<StreamFrame, void, undefined> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  let unread = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const blocks = (unread + decoder.decode(value, { stream: true })).split("\n\n");
      unread = blocks.pop() ?? "";
      for (const block of blocks) yield* toFrames(block);
    }
  } finally {
    // Leaving early closes the connection; one that is broken has nothing left to close.
    await reader.cancel().catch(() => undefined);
  }
}

/** A block without data, such as a heartbeat, is no frame. */
function toFrames(block: string): StreamFrame[] {
  const lines = block.split("\n");
  const textAfter = (name: string) => lines.find((line) => line.startsWith(`${name}:`))?.slice(name.length + 1);
  const data = textAfter("data");
  if (data === undefined) return [];
  return [{ id: textAfter("id") ?? "", ...(JSON.parse(data) as { event: string; data: unknown }) }];
}
