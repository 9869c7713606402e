import type { UpsertJob } from "@weft/client";
import { useState } from "react";

/**
 * The upserts that a store's page shows: those that run, and until it is dismissed the one that the page's address
 * names; where it names none, the first that ran while the page was open.
 */
export function useWatchedUpserts(named: string | undefined, upserts: readonly UpsertJob[] = []) {
  const [followed, setFollowed] = useState<string>();
  const [dismissed, setDismissed] = useState<string>();
  const running = upserts.filter(({ id, state }) => state === "RUNNING" && id !== dismissed).map(({ id }) => id);
  const next = named === undefined ? (followed ?? running[0]) : undefined;
  if (next !== followed) setFollowed(next);
  const first = named ?? next;
  return {
    watched: [...new Set(first === undefined ? running : [first, ...running])],
    dismiss(id: string) {
      setFollowed(undefined);
      setDismissed(id);
    },
  };
}
