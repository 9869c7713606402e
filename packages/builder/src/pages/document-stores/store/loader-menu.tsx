import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { client } from "../../../api/client.ts";
import { documentStoreKeys, type LoaderView } from "../../../api/document-stores.ts";
import { Blocks, Eraser, Pencil, RefreshCw, Scissors, Trash2, Upload } from "../../../icons/icons.gen.ts";
import { documentStoresStrings } from "../../../strings.ts";
import { MenuAction } from "../../../ui/controls/actions.tsx";
import { RowMenu } from "../../../ui/list/list-page.tsx";
import { ConfirmDialog } from "../../../ui/page/dialogs.tsx";
import { useRequest } from "../../../ui/page/requests.ts";
import { upsertActions } from "../upsert-actions.ts";

const strings = documentStoresStrings.actions;

type Props = { storeId: string; loader: LoaderView; onUpsert(id: string): void };

/** Deletes a loader with its vectors: they go first, since without the loader they can no longer be identified. */
export async function deleteLoader(place: { storeId: string; loaderId: string }): Promise<void> {
  await client.deleteVectors({ id: place.storeId, docId: place.loaderId });
  await client.deleteLoader(place);
}

export function LoaderMenu({ storeId, loader, onUpsert }: Props) {
  const { id: loaderId, name, totalChunks } = loader;
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"vectors" | "delete">();
  const close = () => setDialog(undefined);
  const { mutate: begin } = useRequest(
    (action: "refresh" | "insert" | "process") => upsertActions[action](storeId, loaderId),
    { next: onUpsert, isLoud: true },
  );
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
  return (
    <ConfirmDialog
      title={documentStoresStrings.deleteLoaderTitle}
      onConfirm={() => deleteLoader({ storeId, loaderId })}
      stale={[documentStoreKeys.all]}
      done={documentStoresStrings.deleted({ name })}
      onClose={onClose}
    >
      {documentStoresStrings.deleteLoaderText({ name })}
    </ConfirmDialog>
  );
}

type DeleteVectorsProps = { storeId: string; name: string; loaderId?: string; onClose(): void };

/** Asks, and deletes the vectors of one loader, or of all. */
export function DeleteVectors({ storeId, name, loaderId, onClose }: DeleteVectorsProps) {
  const remove = () => client.deleteVectors({ id: storeId, ...(loaderId !== undefined && { docId: loaderId }) });
  return (
    <ConfirmDialog
      title={documentStoresStrings.deleteVectorsTitle}
      onConfirm={remove}
      stale={[documentStoreKeys.all]}
      done={documentStoresStrings.vectorsDeleted({ name })}
      onClose={onClose}
    >
      {documentStoresStrings.deleteVectorsText({ name })}
    </ConfirmDialog>
  );
}
