import { Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client, errorSentence } from "../../../api/client.ts";
import { documentStoreKeys, type LoaderView } from "../../../api/document-stores.ts";
import { Blocks, Eraser, Pencil, RefreshCw, Scissors, Trash2, Upload } from "../../../icons/icons.gen.ts";
import { commonStrings, documentStoresStrings } from "../../../strings.ts";
import { MenuAction } from "../../../ui/controls/actions.tsx";
import { RowMenu } from "../../../ui/list/list-page.tsx";
import { ConfirmDialog } from "../../../ui/page/dialogs.tsx";
import { notifyDone, notifyFailed } from "../../../ui/page/notices.tsx";
import { upsertActions } from "../upsert-actions.ts";

const strings = documentStoresStrings.actions;

type Props = { storeId: string; loader: LoaderView; onUpsert(id: string): void };

/** Deletes a loader with its vectors: they go first, since without the loader they can no longer be identified. */
export async function deleteLoader(place: { storeId: string; loaderId: string }): Promise<void> {
  await client.deleteVectors({ id: place.storeId, docId: place.loaderId });
  await client.deleteLoader(place);
}

/** Actions for a loader. */
export function LoaderMenu({ storeId, loader, onUpsert }: Props) {
  const { id: loaderId, name, totalChunks } = loader;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"vectors" | "delete">();
  const close = () => setDialog(undefined);
  const { mutate: begin } = useMutation({
    mutationFn: (action: "refresh" | "insert" | "process") => upsertActions[action](storeId, loaderId),
    onSuccess: onUpsert,
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  const params = { storeId, loaderId };
  return (
    <>
      <RowMenu name={name}>
        <MenuAction
          icon={Pencil}
          label={strings.edit}
          onClick={() => void navigate({ to: "/document-stores/$storeId/loaders/$loaderId", params })}
        />
        <MenuAction
          icon={Blocks}
          label={strings.chunks}
          onClick={() => void navigate({ to: "/document-stores/$storeId/loaders/$loaderId/chunks", params })}
        />
        <Menu.Divider />
        <MenuAction icon={RefreshCw} label={strings.upsert} onClick={() => begin("refresh")} />
        {totalChunks > 0 && <MenuAction icon={Upload} label={strings.insert} onClick={() => begin("insert")} />}
        <MenuAction icon={Scissors} label={strings.process} onClick={() => begin("process")} />
        <Menu.Divider />
        <MenuAction icon={Eraser} label={strings.deleteVectors} onClick={() => setDialog("vectors")} />
        <MenuAction icon={Trash2} label={strings.delete} isDanger onClick={() => setDialog("delete")} />
      </RowMenu>
      {dialog === "vectors" && <DeleteVectors {...params} name={name} onClose={close} />}
      {dialog === "delete" && <DeleteLoader {...params} name={name} onClose={close} />}
    </>
  );
}

type DeleteProps = { storeId: string; loaderId: string; name: string; onClose(): void };

function DeleteLoader({ storeId, loaderId, name, onClose }: DeleteProps) {
  const queries = useQueryClient();
  const remove = async () => {
    await deleteLoader({ storeId, loaderId });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(documentStoresStrings.deleted({ name }));
  };
  return (
    <ConfirmDialog
      opened
      title={documentStoresStrings.deleteLoaderTitle}
      confirmLabel={commonStrings.delete}
      onConfirm={remove}
      onClose={onClose}
    >
      {documentStoresStrings.deleteLoaderText({ name })}
    </ConfirmDialog>
  );
}

type DeleteVectorsProps = { storeId: string; name: string; loaderId?: string; onClose(): void };

/** Asks, and deletes the vectors of one loader, or of all. */
export function DeleteVectors({ storeId, name, loaderId, onClose }: DeleteVectorsProps) {
  const queries = useQueryClient();
  const remove = async () => {
    await client.deleteVectors({ id: storeId, ...(loaderId !== undefined && { docId: loaderId }) });
    await queries.invalidateQueries({ queryKey: documentStoreKeys.all });
    notifyDone(documentStoresStrings.vectorsDeleted({ name }));
  };
  return (
    <ConfirmDialog
      opened
      title={documentStoresStrings.deleteVectorsTitle}
      confirmLabel={commonStrings.delete}
      onConfirm={remove}
      onClose={onClose}
    >
      {documentStoresStrings.deleteVectorsText({ name })}
    </ConfirmDialog>
  );
}
