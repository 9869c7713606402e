import type { UpsertJob } from "@weft/client";

export type UpsertPhase = "loading" | "upserting" | "upserted" | "processed" | "failed" | "cancelled";

type Job = Pick<UpsertJob, "state" | "planned" | "written" | "results">;

/**
 * How far an upsert is, in a word. While something is planned and not written it is upserting. One that wrote nothing
 * new, and split something new, was to load and split only.
 */
export function upsertPhase({ state, planned, written, results }: Job): UpsertPhase {
  switch (state) {
    case "RUNNING":
      return written < planned ? "upserting" : "loading";
    case "FINISHED":
      return written === 0 && results.some(({ numAdded, numUpdated }) => numAdded + numUpdated > 0)
        ? "processed"
        : "upserted";
    case "FAILED":
      return "failed";
    case "CANCELLED":
      return "cancelled";
  }
}
