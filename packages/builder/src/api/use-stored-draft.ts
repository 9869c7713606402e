import { useMutation } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { isApiError } from "./client.ts";

/** Something of the API while it is edited, with its entity tag; without an id it is new. */
export type StoredDraft<Draft> = { id: string | undefined; etag: string; draft: Draft };

/** Options that the client's operations accept besides their own parameters. */
type CallOptions = { ifMatch?: string; onResponse(response: Response): void };

type Operations<Draft, Stored> = {
  create(draft: Draft, options: CallOptions): Promise<Stored>;
  update(id: string, draft: Draft, options: CallOptions): Promise<Stored>;
  /** As it is at this moment. */
  load(id: string): Promise<{ draft: Draft; etag: string }>;
  onSaved(stored: Stored): Promise<void>;
};

const preconditionFailed = 412;

/** Changes, saves and resets a draft. A save that would overwrite someone else's is refused, with a message. */
export function useStoredDraft<Draft extends object, Stored>(
  { id, etag, draft: initial }: StoredDraft<Draft>,
  { create, update, load, onSaved }: Operations<Draft, Stored>,
) {
  const [draft, setDraft] = useState(initial);
  const [saved, setSaved] = useState(initial);
  const tag = useRef(etag);
  const { mutate, isPending, error } = useMutation({
    mutationFn(sent: Draft) {
      const onResponse = (response: Response) => {
        tag.current = response.headers.get("etag") ?? "";
      };
      if (id === undefined) return create(sent, { onResponse });
      return update(id, sent, { onResponse, ...(tag.current !== "" && { ifMatch: tag.current }) });
    },
    async onSuccess(stored, sent) {
      setSaved(sent);
      await onSaved(stored);
    },
  });
  return {
    draft,
    change: (changed: Partial<Draft>) => setDraft((now) => ({ ...now, ...changed })),
    isDirty: JSON.stringify(draft) !== JSON.stringify(saved),
    isSaving: isPending,
    error,
    hasConflict: isApiError(error) && error.status === preconditionFailed,
    save: () => mutate(draft),
    async reload() {
      if (id === undefined) return;
      const present = await load(id);
      tag.current = present.etag;
      setDraft(present.draft);
      setSaved(present.draft);
    },
  };
}
