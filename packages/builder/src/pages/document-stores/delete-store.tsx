import { useQueryClient } from "@tanstack/react-query";
import { client } from "../../api/client.ts";
import type { StoreView } from "../../api/document-store-view.ts";
import { documentStoreKeys } from "../../api/document-stores.ts";
import { ConfirmDialog } from "../../components/confirm-dialog.tsx";
import { notifyDone } from "../../components/notify.ts";
import { commonStrings } from "../../strings/common.ts";
import { documentStoresStrings as strings } from "../../strings/document-stores.ts";

type Props = { store: StoreView; onDeleted?: () => void; onClose: () => void };

/** Asks, and deletes a store with everything in it. */
export function DeleteStore({ store: { id, name, whereUsed }, onDeleted, onClose }: Props) {
  const queries = useQueryClient();
  const remove = async () => {
    await client.deleteDocumentStore({ id });
    notifyDone(strings.deleted(name));
    onDeleted?.();
    queries.removeQueries({ queryKey: documentStoreKeys.one(id) });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
  };
  return (
    <ConfirmDialog
      opened
      title={strings.deleteTitle}
      confirmLabel={commonStrings.delete}
      onConfirm={remove}
      onClose={onClose}
    >
      {strings.deleteText(name, whereUsed.length)}
    </ConfirmDialog>
  );
}
