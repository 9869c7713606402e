import { Menu } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client, errorSentence } from "../../../api/client.ts";
import { documentStoreKeys, type LoaderView } from "../../../api/document-stores.ts";
import { Blocks, Eraser, Pencil, RefreshCw, Scissors, Trash2, Upload } from "../../../icons/icons.gen.ts";
import { commonStrings, documentStoresStrings } from "../../../strings.ts";
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
        <Menu.Item
          leftSection={<Pencil size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/document-stores/$storeId/loaders/$loaderId", params })}
        >
          {strings.edit}
        </Menu.Item>
        <Menu.Item
          leftSection={<Blocks size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/document-stores/$storeId/loaders/$loaderId/chunks", params })}
        >
          {strings.chunks}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<RefreshCw size={16} aria-hidden />} onClick={() => begin("refresh")}>
          {strings.upsert}
        </Menu.Item>
        {totalChunks > 0 && (
          <Menu.Item leftSection={<Upload size={16} aria-hidden />} onClick={() => begin("insert")}>
            {strings.insert}
          </Menu.Item>
        )}
        <Menu.Item leftSection={<Scissors size={16} aria-hidden />} onClick={() => begin("process")}>
          {strings.process}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Eraser size={16} aria-hidden />} onClick={() => setDialog("vectors")}>
          {strings.deleteVectors}
        </Menu.Item>
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<Trash2 size={16} aria-hidden />}
          onClick={() => setDialog("delete")}
        >
          {strings.delete}
        </Menu.Item>
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
