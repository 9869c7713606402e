import type { Json } from "@weft/schema";
import type { EffectSpec, RunInfo } from "../node-type.ts";

export type RunEffect = Omit<EffectSpec, "isTransient" | "expects"> & {
  run: RunInfo;
  nodeKey: string;
  nodeId: string;
  attempt: number;
  signal: AbortSignal;
};

/**
 * Optional hook between nodes and the world: performs an effect and records its outcome, or answers it from a recording
 * without performing it. Its resolution or rejection is journalled as the effect's outcome.
 */
export type EffectRecorder = { perform(effect: RunEffect, make: () => Promise<Json>): Promise<Json> };
