import type { Frame } from "@weft/http/event-stream";

/** The whole frames of what a client has received of a stream, however it was cut off. */
export function parseFrames(text: string): Frame[] {
  const whole = text.slice(0, text.lastIndexOf("\n\n") + 2);
  return whole.split("\n\n").flatMap((block) => {
    const [id = "", message, data = ""] = block.split("\n");
    if (block === "" || block.startsWith(":")) return [];
    if (!id.startsWith("id:") || message !== "message:" || !data.startsWith("data:")) throw new Error(`Odd: ${block}`);
    return [{ id: id.slice("id:".length), ...JSON.parse(data.slice("data:".length)) }];
  });
}

/** What a client shows after these frames: the answer, the text of each node, and the events besides text. */
export function readFrames(frames: readonly Frame[]) {
  let text = "";
  const nodes: Record<string, string> = {};
  const events: [string, unknown][] = [];
  for (const { event, data } of frames) {
    const { nodeKey, token, keep } = data as { nodeKey?: string; token?: string; keep?: number };
    if (event === "token") text += String(data);
    else if (event === "nodeToken" && nodeKey !== undefined) nodes[nodeKey] = (nodes[nodeKey] ?? "") + token;
    else if (event === "restart" && nodeKey !== undefined) nodes[nodeKey] = (nodes[nodeKey] ?? "").slice(0, keep);
    else if (event === "restart") text = text.slice(0, keep);
    else events.push([event, data]);
  }
  return { text, nodes: Object.fromEntries(Object.entries(nodes).filter(([, said]) => said !== "")), events };
}

/** A client that reads a stream piece by piece. */
export type StreamReader = {
  /** Reads until `enough` of what has come so far, or until the stream ends or breaks off. All frames so far. */
  read(enough?: (frames: readonly Frame[]) => boolean): Promise<Frame[]>;
  /** Goes away. */
  cut(): Promise<void>;
};

export function openReader(response: Response): StreamReader {
  const decoder = new TextDecoder();
  const reader = response.body?.getReader();
  let text = "";
  return {
    async read(enough = () => false) {
      try {
        while (!enough(parseFrames(text))) {
          const next = await reader?.read();
          if (!next || next.done) break;
          text += decoder.decode(next.value, { stream: true });
        }
      } catch {
        // Broken off.
      }
      return parseFrames(text);
    },
    cut: async () => reader?.cancel(),
  };
}
