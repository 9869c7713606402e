import { useMutation, useQuery } from "@tanstack/react-query";
import type { FlowDraftRequest } from "@weft/client";
import type { FlowDraft, FlowEdit } from "@weft/schema";
import { useEffect, useRef, useState } from "react";
import { draftFlow } from "../api/agents.ts";
import { modelProvidersQuery } from "../api/settings.ts";

export type Drafting = {
  /** What the model has done so far, oldest first. */
  edits: readonly FlowEdit[];
  isRunning: boolean;
  error: unknown;
  start(request: FlowDraftRequest): void;
  cancel(): void;
};

/** Lets the model draft, until it is cancelled or the page is left. */
export function useDrafting(onDraft: (draft: FlowDraft, request: FlowDraftRequest) => unknown): Drafting {
  const [edits, setEdits] = useState<readonly FlowEdit[]>([]);
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const { mutate, isPending, error, reset } = useMutation({
    async mutationFn({ request, signal }: { request: FlowDraftRequest; signal: AbortSignal }) {
      try {
        return await draftFlow(request, { signal, onEdit: (edit) => setEdits((before) => [...before, edit]) });
      } catch (cause) {
        if (signal.aborted) return undefined;
        throw cause;
      }
    },
    onSuccess: (draft, { request, signal }) =>
      draft === undefined || signal.aborted ? undefined : onDraft(draft, request),
  });
  return {
    edits,
    isRunning: isPending,
    error,
    start(request) {
      setEdits([]);
      running.current = new AbortController();
      mutate({ request, signal: running.current.signal });
    },
    cancel() {
      running.current?.abort();
      reset();
    },
  };
}

/** Whether there is a model that can draft; undefined until it is known. */
export function useCanDraft(): boolean | undefined {
  const { data } = useQuery(modelProvidersQuery);
  return data?.some(({ isDefault, name }) => isDefault && name !== "rehearsal");
}
