import type { RunEvent } from "@weft/schema";

/** A piece of a message while a model writes it. Streamed, never journalled. */
export type TextDelta = {
  runId: string;
  nodeKey: string;
  nodeId: string;
  /** Sequence number of the model call's `effect-started`, which identifies the message within the run. */
  effectSeq: number;
  /** Characters (UTF-16 code units) of this message before `text`. */
  offset: number;
  text: string;
};

/** Receives durable events, in order, and text as it is written. Must return at once and must not throw. */
export type RunObserver = {
  committed(runId: string, events: readonly RunEvent[]): void;
  delta(delta: TextDelta): void;
};
