import { createEventStream, type EventStream, type StreamOptions } from "@weft/http";
import { callerShareOf } from "@weft/run-host";
import { WeftError } from "@weft/schema";
import { createPlaces } from "@weft/workers";
import type { Caller } from "./admit.ts";

/** The caller that asks for a stream, as far as its share of streams is concerned. */
export type StreamCaller = Pick<Caller, "owner" | "network">;

/**
 * The open streams of this process. Opens one for a caller until nothing is kept for it, or throws `streams-at-capacity`: callers
 * share what there is, and visitors have half of it together.
 */
export type OpenStreams = {
  open(caller: StreamCaller, options?: Partial<StreamOptions>): EventStream;
};

export function createOpenStreams(total: number): OpenStreams {
  const places = createPlaces({ total });
  return {
    open(caller, options) {
      const share = callerShareOf(caller);
      if (!places.take(share)) {
        throw new WeftError("streams-at-capacity", { params: { count: places.heldBy(share), retryAfterSeconds: 5 } });
      }
      const stream = createEventStream(options);
      stream.onceDrained(() => places.give(share));
      return stream;
    },
  };
}
