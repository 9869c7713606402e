import type { Json, JsonObject, RunEvent, UpsertFailure } from "@weft/schema";
import { loadEffect, writeEffect } from "./upsert-node.ts";

/** How far an upsert is, as its journal says. */
export type UpsertProgress = {
  documents: number;
  chunks: number;
  /** Chunks that are to be embedded and written, of what is loaded so far. */
  planned: number;
  embedded: number;
  written: number;
  failed: UpsertFailure[];
  /** The loader whose documents are being loaded at this moment. */
  loading: string | undefined;
};

export function noProgress(): UpsertProgress {
  return { documents: 0, chunks: 0, planned: 0, embedded: 0, written: 0, failed: [], loading: undefined };
}

/** Takes one event in. */
export function addProgress(progress: UpsertProgress, event: RunEvent): void {
  if (event.type !== "effect-started" && event.type !== "effect-finished") return;
  const { effectKey } = event;
  if (event.type === "effect-started") {
    if (effectKey.startsWith(loadEffect)) progress.loading = effectKey.slice(loadEffect.length);
    return;
  }
  if (!event.outcome.ok) return;
  const value = toObject(event.outcome.value);
  if (effectKey.startsWith(loadEffect)) {
    progress.loading = undefined;
    progress.documents += Number(value.documents ?? 0);
    progress.chunks += Number(value.chunks ?? 0);
    progress.planned += Number(value.planned ?? 0);
    progress.failed = progress.failed.concat((value.failures ?? []) as UpsertFailure[]);
  } else if (effectKey.startsWith(writeEffect)) {
    progress.embedded += Number(value.embedded ?? 0);
    progress.written += Number(value.written ?? 0);
  }
}

function toObject(value: Json): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}
