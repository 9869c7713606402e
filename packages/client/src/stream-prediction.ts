import type { PredictionRequest } from "./api.gen.ts";
import type { Send } from "./connection.ts";
import type { RequestOptions } from "./operation.ts";
import type { PredictionFrame } from "./prediction-frame.ts";
import { readEvents } from "./read-events.ts";
import { WeftApiError } from "./weft-api-error.ts";

/** Waits before attempts to reconnect. After the last the stream fails; a frame begins the waits anew. */
const waitsMs: readonly number[] = [0, 250, 500, 1_000, 2_000, 4_000, 8_000];

export type StreamOptions = Pick<RequestOptions, "signal" | "headers">;

export type Prediction = { send: Send; id: string; body: PredictionRequest; options: StreamOptions };

/**
 * The frames of a prediction, ending with `end`. When the connection breaks it goes on from where it was: every frame
 * comes once. Throws `WeftApiError` when the prediction is refused, and what broke the connection when it cannot be
 * restored. To stop reading does not stop the run; `abortChatMessage` does.
 */
export async function* streamPrediction(prediction: Prediction): AsyncGenerator<PredictionFrame, void, undefined> {
  let lastId: string | undefined;
  let response = await start(prediction);
  let waits = [...waitsMs];
  for (;;) {
    let broken: unknown = new Error("The stream ended before the run did.");
    try {
      for await (const frame of readEvents(response)) {
        waits = [...waitsMs];
        lastId = frame.id;
        yield frame as PredictionFrame;
        if (frame.event === "end") return;
      }
    } catch (cause) {
      broken = cause;
    }
    response = await reconnect(prediction, { lastId, waits, broken });
  }
}

function start({ send, id, body, options }: Prediction): Promise<Response> {
  return send(`/api/v1/prediction/${encodeURIComponent(id)}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...options.headers },
    body: JSON.stringify({ ...body, streaming: true }),
    ...(options.signal !== undefined && { signal: options.signal }),
  });
}

/** `lastId`: `<executionId>:…`, of the last frame that came. What is left of the waits is taken from `waits`. */
type Break = { lastId: string | undefined; waits: number[]; broken: unknown };

async function reconnect({ send, options }: Prediction, { lastId, waits, broken }: Break): Promise<Response> {
  for (;;) {
    const waitMs = waits.shift();
    if (lastId === undefined || waitMs === undefined || options.signal?.aborted) throw broken;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    try {
      return await send(`/api/v1/executions/${lastId.split(":", 1)[0]}/events`, {
        method: "GET",
        headers: { ...options.headers, "last-event-id": lastId },
        ...(options.signal !== undefined && { signal: options.signal }),
      });
    } catch (cause) {
      if (cause instanceof WeftApiError && !cause.retryable && cause.status < 500) throw cause;
    }
  }
}
