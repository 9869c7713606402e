import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { DocumentComponent } from "@weft/client";
import type { JsonObject } from "@weft/schema";
import { useMemo, useState } from "react";
import { documentStoreKeys } from "../../../api/document-stores.ts";
import { notifyDone } from "../../../components/notify.ts";
import { documentStoresStrings } from "../../../strings/document-stores.ts";
import { draftKey, isComplete, type LoaderDraft, loaderName } from "./loader-draft.ts";
import { saveDraft, upsertDraft } from "./send-loader.ts";
import { toLoaderForm } from "./upload-field.ts";

const strings = documentStoresStrings.loader;

export type EditorInput = {
  storeId: string;
  loaderId: string | undefined;
  initial: LoaderDraft;
  types: readonly DocumentComponent[];
  splitters: readonly DocumentComponent[];
};

/** A loader while it is edited, and both ways to keep it. */
export function useLoaderEditor({ storeId, loaderId, initial, types, splitters }: EditorInput) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [draft, setDraft] = useState(initial);
  const type = types.find(({ name }) => name === draft.type);
  const splitter = splitters.find(({ name }) => name === draft.splitter.name);
  const form = useMemo(() => (type === undefined ? undefined : toLoaderForm(type.schema as JsonObject)), [type]);
  const loader = { storeId, loaderId, draft, uploadName: form?.uploadName };
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: async (how: "save" | "upsert") => (how === "upsert" ? upsertDraft(loader) : saveDraft(loader)),
    async onSuccess(upsert) {
      if (upsert === undefined) notifyDone(strings.saved(loaderName(draft) || (type?.title ?? "")));
      await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
      const search = upsert === undefined ? {} : { upsert };
      await navigate({ to: "/document-stores/$storeId", params: { storeId }, search, ignoreBlocker: true });
    },
  });
  return {
    draft,
    change: (changed: Partial<LoaderDraft>) => setDraft((now) => ({ ...now, ...changed })),
    type,
    form,
    loader,
    isDirty: draftKey(draft) !== draftKey(initial),
    canSend: type !== undefined && splitter !== undefined && isComplete(draft, type, splitter),
    send: mutate,
    sending: isPending ? variables : undefined,
    error,
  };
}
