import type { UpsertJob } from "@weft/client";

export type UpsertPhase = "loading" | "upserting" | "upserted" | "processed" | "failed" | "cancelled";

type Job = Pick<UpsertJob, "state" | "planned" | "written" | "results">;

/**
 * The phase of an upsert. While planned chunks are not yet written it is upserting. One that wrote nothing new but
 * split something new only loaded and split.
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
