import type { RunBroadcast } from "../runs/run-broadcast.ts";
import type { Frame, FrameWriter } from "./stream-frames.ts";

export type StreamOptions = {
  /** Between two comment lines that keep idle connections open. Default 15 s. */
  heartbeatMs: number;
  /** A client that leaves this much unread is dropped; its run goes on. Default 4 MiB. */
  maxUnreadBytes: number;
};

const defaultStreamOptions: StreamOptions = { heartbeatMs: 15_000, maxUnreadBytes: 4 * 1024 * 1024 };

/** A stream of server-sent events that ends after the frame `end`. */
export function createEventStream(
  broadcast: RunBroadcast,
  runId: string,
  writer: FrameWriter,
  options: StreamOptions = defaultStreamOptions,
): { response: Response; fail(message: string): void } {
  const encoder = new TextEncoder();
  const { readable, controller } = openStream(options.maxUnreadBytes, () => close());
  let isOpen = true;

  function close(): void {
    if (!isOpen) return;
    isOpen = false;
    clearInterval(heartbeat);
    stopFollowing();
  }

  function send(frames: readonly Frame[]): void {
    if (!isOpen || frames.length === 0) return;
    controller.enqueue(encoder.encode(frames.map(toText).join("")));
    const isOver = frames.some((frame) => frame.event === "end");
    const isStuck = (controller.desiredSize ?? 0) < 0;
    if (!isOver && !isStuck) return;
    close();
    if (isStuck && !isOver) controller.error(new Error("The client does not read."));
    else controller.close();
  }

  const heartbeat = setInterval(
    () => isOpen && controller.enqueue(encoder.encode(":heartbeat\n\n")),
    options.heartbeatMs,
  );
  const stopFollowing = broadcast.follow(runId, {
    events: (events) => send(writer.events(events)),
    delta: (delta) => send(writer.delta(delta)),
  });
  const headers = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };
  return {
    response: new Response(readable, { headers }),
    fail: (message) =>
      send([
        { id: runId, event: "error", data: message },
        { id: runId, event: "end", data: "[DONE]" },
      ]),
  };
}

function openStream(highWaterMark: number, onCancel: () => void) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const readable = new ReadableStream<Uint8Array>(
    {
      start(opened) {
        controller = opened;
      },
      cancel: onCancel,
    },
    { highWaterMark, size: (chunk) => chunk.byteLength },
  );
  if (!controller) throw new Error("A stream starts at once.");
  return { readable, controller };
}

/** Three lines and a blank one: the id, the line that existing clients skip, the data as one line of JSON. */
function toText({ id, event, data }: Frame): string {
  return `id:${id}\nmessage:\ndata:${JSON.stringify({ event, data })}\n\n`;
}
