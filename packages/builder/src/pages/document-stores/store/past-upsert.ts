import type { UpsertHistoryRecord } from "@weft/client";

/** An entry of a store's history. */
export type PastUpsert = {
  id: string;
  date: string;
  loaderIds: readonly string[];
  embedding: string;
  added: number;
  updated: number;
  skipped: number;
  deleted: number;
  /** Why sources could not be loaded. */
  failures: readonly string[];
};

type Result = { numAdded?: number; numUpdated?: number; numSkipped?: number; numDeleted?: number };

/** Reads what the API gives as JSON text; what an entry of another client lacks is zero or empty. */
export function toPastUpsert({ id, date, result, flowData }: UpsertHistoryRecord): PastUpsert {
  const counts = JSON.parse(result || "{}") as Result & { failed?: { message: string }[] };
  const what = JSON.parse(flowData || "{}") as { embedding?: string; loaders?: { docId: string }[] };
  return {
    id,
    date,
    loaderIds: (what.loaders ?? []).map(({ docId }) => docId),
    embedding: what.embedding ?? "",
    added: counts.numAdded ?? 0,
    updated: counts.numUpdated ?? 0,
    skipped: counts.numSkipped ?? 0,
    deleted: counts.numDeleted ?? 0,
    failures: (counts.failed ?? []).map(({ message }) => message),
  };
}
