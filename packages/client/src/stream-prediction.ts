import type { PredictionRequest } from "./api.gen.ts";
import type { Send } from "./call-operation.ts";
import type { RequestOptions } from "./operation.ts";
import type { PredictionFrame } from "./prediction-frame.ts";
import { readEvents } from "./read-events.ts";
import { WeftApiError } from "./weft-api-error.ts";

/** Waits before attempts to reconnect. After the last the stream fails; a frame begins the waits again. */
const waitsMs: readonly number[] = [0, 250, 500, 1_000, 2_000, 4_000, 8_000];

export type StreamOptions = Pick<RequestOptions, "signal" | "headers"> & {
  /** Tries the agent out, as `createInternalPrediction` does. Default false. */
  internal?: boolean;
};

export type Prediction = { send: Send; id: string; body: PredictionRequest; options: StreamOptions };

/** Id of the last frame that was read; without it everything is. */
export type FollowOptions = Pick<RequestOptions, "signal" | "headers"> & { lastEventId?: string };

export type FollowedExecution = { send: Send; executionId: string; options: FollowOptions };

/**
 * The frames of a prediction, ending with `end`. When the connection breaks it goes on from where it was: every frame
 * comes once. Throws `WeftApiError` when the prediction is refused, and what broke the connection when it cannot be
 * restored. To stop reading does not stop the run; `abortChatMessage` does.
 */
export function streamPrediction({ send, id, body, options }: Prediction): AsyncGenerator<PredictionFrame, void> {
  const { internal, ...rest } = options;
  const open = () => {
    const path = `/api/v1/${internal ? "internal-prediction" : "prediction"}/${encodeURIComponent(id)}`;
    return send(path, {
      method: "POST",
      headers: { "content-type": "application/json", ...rest.headers },
      body: JSON.stringify({ ...body, streaming: true }),
      ...(rest.signal !== undefined && { signal: rest.signal }),
    });
  };
  return readToEnd({ send, options: rest, open, lastId: undefined });
}

/** As `streamPrediction`, of a run that was begun before: what follows the frame that was read last. */
export function followExecution({ send, executionId, options }: FollowedExecution): AsyncGenerator<PredictionFrame> {
  const { lastEventId, ...rest } = options;
  const open = () => openEvents({ send, options: rest }, executionId, lastEventId);
  return readToEnd({ send, options: rest, open, lastId: lastEventId ?? `${executionId}:` });
}

type Stream = {
  send: Send;
  options: Pick<RequestOptions, "signal" | "headers">;
  open(): Promise<Response>;
  /** `<executionId>:…`: of the last frame that came, nothing after the colon before any did. */
  lastId: string | undefined;
};

async function* readToEnd(stream: Stream): AsyncGenerator<PredictionFrame, void, undefined> {
  let { lastId } = stream;
  let response = await stream.open();
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
    response = await reconnect(stream, { lastId, waits, broken });
  }
}

/** What is left of the waits is taken from `waits`. */
type Break = { lastId: string | undefined; waits: number[]; broken: unknown };

async function reconnect(stream: Stream, { lastId, waits, broken }: Break): Promise<Response> {
  for (;;) {
    const waitMs = waits.shift();
    if (lastId === undefined || waitMs === undefined || stream.options.signal?.aborted) throw broken;
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const [executionId = "", position] = lastId.split(":", 2);
    try {
      return await openEvents(stream, executionId, position === "" ? undefined : lastId);
    } catch (cause) {
      if (cause instanceof WeftApiError && !cause.retryable && cause.status < 500) throw cause;
    }
  }
}

function openEvents(
  { send, options }: Pick<Stream, "send" | "options">,
  executionId: string,
  lastEventId: string | undefined,
): Promise<Response> {
  return send(`/api/v1/executions/${encodeURIComponent(executionId)}/events`, {
    method: "GET",
    headers: { ...options.headers, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
    ...(options.signal !== undefined && { signal: options.signal }),
  });
}
