import { useQueryClient } from "@tanstack/react-query";
import { client } from "../../../api/client.ts";
import { documentStoreKeys } from "../../../api/document-stores.ts";
import { ConfirmDialog } from "../../../components/confirm-dialog.tsx";
import { notifyDone } from "../../../components/notify.ts";
import { commonStrings } from "../../../strings/common.ts";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";

type Props = { storeId: string; name: string; loaderId?: string; onClose(): void };

/** Asks, and deletes the vectors of one loader, or of all. */
export function DeleteVectors({ storeId, name, loaderId, onClose }: Props) {
  const queries = useQueryClient();
  const remove = async () => {
    await client.deleteVectors({ id: storeId, ...(loaderId !== undefined && { docId: loaderId }) });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(strings.vectorsDeleted(name));
  };
  return (
    <ConfirmDialog
      opened
      title={strings.deleteVectorsTitle}
      confirmLabel={commonStrings.delete}
      onConfirm={remove}
      onClose={onClose}
    >
      {strings.deleteVectorsText(name)}
    </ConfirmDialog>
  );
}
