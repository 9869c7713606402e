import type { Frame } from "@weft/conversation";

/**
 * The frames of a stream of server-sent events, each with one JSON object as data. Ends where the stream ends, and rejects
 * when the line breaks. Comments and blocks without data are no frames. Source: contract "Stream".
 */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<Frame, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let block: Block = {};
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + decoder.decode(value, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const frame = toFrame(block, line.replace(/\r$/, ""));
        if (frame === undefined) continue;
        block = {};
        if (frame !== "empty") yield frame;
      }
    }
  } finally {
    // Leaving early closes the connection; one that is broken has nothing left to close.
    await reader.cancel().catch(() => undefined);
  }
}

type Block = { id?: string; data?: string };

/** Adds a line to the block. The frame where the line ends a block, `empty` where that has no data. */
function toFrame(block: Block, line: string): Frame | "empty" | undefined {
  if (line !== "") {
    const [, name, value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "id") block.id = value;
    if (name === "data") block.data = block.data === undefined ? value : `${block.data}\n${value}`;
    return undefined;
  }
  if (block.data === undefined) return "empty";
  const { event, data } = JSON.parse(block.data) as { event: string; data: unknown };
  return { id: block.id ?? "", event, data };
}
