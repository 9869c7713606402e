import type { Json } from "@weft/schema";
import type { EffectSpec, RunInfo } from "../node-type.ts";

/** One attempt at an effect, and whose it is. */
export type RunEffect = Omit<EffectSpec, "isTransient" | "expects"> & {
  run: RunInfo;
  nodeKey: string;
  nodeId: string;
  attempt: number;
  signal: AbortSignal;
};

/**
 * May stand between nodes and the world: makes an effect and keeps what came of it, or answers it from a recording
 * without making it. What it resolves or rejects with is journalled as the effect's outcome.
 */
export type EffectRecorder = { perform(effect: RunEffect, make: () => Promise<Json>): Promise<Json> };
