import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { UpsertJob } from "@weft/client";
import { useEffect, useState } from "react";
import { client } from "../../../api/client.ts";
import { documentStoreKeys } from "../../../api/document-stores.ts";
import { followUpsert } from "../../../api/follow-upsert.ts";

/** An upsert as it stands, live while it runs; found again after a reload. What it changed is read anew at its end. */
export function useUpsert(id: string): { job: UpsertJob | undefined; error: unknown } {
  const queries = useQueryClient();
  const [broken, setBroken] = useState<unknown>();
  const { data: job, error } = useQuery({
    queryKey: documentStoreKeys.upsert(id),
    queryFn: ({ signal }) => client.getUpsert({ id }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isRunning = job?.state === "RUNNING";
  const storeId = job?.storeId;
  useEffect(() => {
    // What it works on is there by now, and says so; also where it was over before anybody looked.
    if (storeId !== undefined) void queries.invalidateQueries({ queryKey: documentStoreKeys.one(storeId) });
  }, [storeId, queries]);
  useEffect(() => {
    if (!isRunning) return;
    const controller = new AbortController();
    const follow = async () => {
      for await (const next of followUpsert(id, controller.signal)) {
        queries.setQueryData(documentStoreKeys.upsert(id), next);
      }
    };
    follow()
      .catch((cause: unknown) => {
        if (!controller.signal.aborted) setBroken(cause);
      })
      // Also when somebody left before the end: the store is on another page then, and its list no longer true.
      .finally(() => queries.invalidateQueries({ queryKey: documentStoreKeys.all }));
    return () => controller.abort();
  }, [id, isRunning, queries]);
  return { job, error: error ?? broken };
}
