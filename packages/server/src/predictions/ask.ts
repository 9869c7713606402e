import type { PredictionRequest } from "@weft/schema";
import type { Place } from "@weft/workers";
import type { Caller } from "./admit.ts";
import type { Trigger } from "./trigger.ts";

/** A message to an agent. */
export type Ask = {
  agentId: string;
  request: PredictionRequest;
  caller: Caller;
  chatType: "INTERNAL" | "EXTERNAL";
  /** Id of the run, where a repetition of the request must find it. */
  newId: string | undefined;
  /** What asks in place of a client. Without it a flow that begins otherwise takes no messages of clients. */
  trigger?: Trigger;
  /** Aborted when the client goes away. */
  signal?: AbortSignal;
  /** What `arrive` gave it. Without it the message arrives when it is asked. */
  place?: Place | undefined;
};
