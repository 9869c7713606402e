import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { StoreView } from "../../../api/document-store-view.ts";
import { documentStoreKeys, documentStoreQuery } from "../../../api/document-stores.ts";
import { StoreChangedError, saveDocumentStore } from "../../../api/save-document-store.ts";
import { notifyDone } from "../../../components/notify.ts";
import { documentStoresStrings } from "../../../strings/document-stores.ts";

const strings = documentStoresStrings.settings;

type Settings = Pick<StoreView, "embedding" | "vectorStore" | "recordManager">;

/** Settings of a store while they are edited. They are compared with the store as it was when editing began. */
export function useStoreSettings(store: StoreView) {
  const queries = useQueryClient();
  const [seen, setSeen] = useState(store);
  const [draft, setDraft] = useState<Settings>(() => settingsOf(store));
  const isDirty = !isEqual(draft, settingsOf(seen));
  const begin = (present: StoreView) => {
    setSeen(present);
    setDraft(settingsOf(present));
  };
  // Who has changed nothing sees what is stored.
  if (!isDirty && !isEqual(settingsOf(store), settingsOf(seen))) begin(store);
  const { mutate, isPending, error, reset } = useMutation({
    mutationFn: () => saveDocumentStore(seen, draft),
    async onSuccess({ status }) {
      begin({ ...seen, ...draft });
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
      notifyDone(status === "STALE" ? strings.savedOutdated : strings.saved);
    },
  });
  return {
    draft,
    change: (changed: Partial<Settings>) => setDraft((now) => ({ ...now, ...changed })),
    isDirty,
    isSaving: isPending,
    save: () => mutate(),
    error,
    hasConflict: error instanceof StoreChangedError,
    async reload() {
      begin(await queries.fetchQuery({ ...documentStoreQuery(store.id), staleTime: 0 }));
      reset();
    },
  };
}

function settingsOf({ embedding, vectorStore, recordManager }: StoreView): Settings {
  return { embedding, vectorStore, recordManager };
}

function isEqual(one: Settings, other: Settings): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
