import type { DocumentStoreStatus } from "@weft/schema";

/** Where one loader stands. Source: contract, "Document store status". */
export type LoaderStatus = Exclude<DocumentStoreStatus, "EMPTY">;

/** What happens to a loader. */
export type LoaderEvent =
  /** Its configuration, its source or one of its chunks is another now, or the vectors' collection. */
  | "changed"
  | "processing"
  | "processed"
  | "upserting"
  | "upserted"
  /** Its vectors were deleted. */
  | "vectors-deleted";

const anyOf = ["NEW", "SYNCING", "SYNC", "STALE", "UPSERTING", "UPSERTED"] as const;

/**
 * Every transition there is: event, the state before, the state after. A failure is none of them: it goes back to the
 * state before its processing or upsert.
 */
const transitions: Readonly<Record<LoaderEvent, Readonly<Record<LoaderStatus, LoaderStatus>>>> = {
  changed: {
    // What was never processed has nothing that could be outdated.
    NEW: "NEW",
    SYNCING: "SYNCING",
    SYNC: "STALE",
    STALE: "STALE",
    UPSERTING: "UPSERTING",
    UPSERTED: "STALE",
  },
  processing: all("SYNCING"),
  processed: all("SYNC"),
  upserting: all("UPSERTING"),
  upserted: all("UPSERTED"),
  "vectors-deleted": { ...same(), UPSERTED: "SYNC" },
};

export function nextStatus(status: LoaderStatus, event: LoaderEvent): LoaderStatus {
  return transitions[event][status];
}

/** What a store shows: the most that is left to do with any of its loaders. */
export function storeStatus(loaders: readonly { status: string }[]): DocumentStoreStatus {
  if (loaders.length === 0) return "EMPTY";
  const present = new Set(loaders.map(({ status }) => status));
  const mostToDo = ["UPSERTING", "SYNCING", "STALE", "NEW", "SYNC"] as const;
  return mostToDo.find((status) => present.has(status)) ?? "UPSERTED";
}

function all(status: LoaderStatus): Record<LoaderStatus, LoaderStatus> {
  return Object.fromEntries(anyOf.map((before) => [before, status])) as Record<LoaderStatus, LoaderStatus>;
}

function same(): Record<LoaderStatus, LoaderStatus> {
  return Object.fromEntries(anyOf.map((before) => [before, before])) as Record<LoaderStatus, LoaderStatus>;
}
