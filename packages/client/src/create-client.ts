import { type Operations, operations, type PredictionRequest } from "./api.gen.ts";
import { type ClientOptions, callOperation, createConnection, toCall } from "./call-operation.ts";
import type { PredictionFrame } from "./prediction-frame.ts";
import { type FollowOptions, followExecution, type StreamOptions, streamPrediction } from "./stream-prediction.ts";

/**
 * Every operation of the API as a function: parameters of path and query in one object, then the body, then options,
 * each where the operation has it. They reject with `WeftApiError` when the API refuses or fails.
 */
export type Client = Operations & {
  /** Sends a message to an agent and gives the frames of its answer as they come, across broken connections. */
  streamPrediction(
    id: string,
    body: Omit<PredictionRequest, "streaming">,
    options?: StreamOptions,
  ): AsyncIterable<PredictionFrame>;
  /** The frames of a run that was begun before, until it ends or waits for a human, across broken connections. */
  followExecution(executionId: string, options?: FollowOptions): AsyncIterable<PredictionFrame>;
};

export function createClient(options: ClientOptions): Client {
  const send = createConnection(options);
  const functions = Object.entries(operations).map(([name, operation]) => [
    name,
    (...args: unknown[]) => callOperation(send, operation, toCall(operation, args)),
  ]);
  return {
    ...(Object.fromEntries(functions) as Operations),
    streamPrediction: (id, body, streamOptions = {}) => streamPrediction({ send, id, body, options: streamOptions }),
    followExecution: (executionId, followOptions = {}) =>
      followExecution({ send, executionId, options: followOptions }),
  };
}
