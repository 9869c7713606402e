import { Button, Menu, Tooltip } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Bot, Eraser, Pencil, RefreshCw, Trash2, UserRound } from "lucide-react";
import { useState } from "react";
import type { StoreView } from "../../../api/document-store-view.ts";
import { errorSentence } from "../../../api/error-sentence.ts";
import { notifyFailed } from "../../../components/notify.ts";
import { RowMenu } from "../../../components/row-menu.tsx";
import { documentStoresStrings as strings } from "../../../strings/document-stores.ts";
import { DeleteStore } from "../delete-store.tsx";
import { StoreDialog } from "../store-dialog.tsx";
import { DeleteVectors } from "./delete-vectors.tsx";
import { upsertActions } from "./upsert-actions.ts";
import { UseInAgent } from "./use-in-agent.tsx";

/** What can be done with a whole store. */
export function StoreActions({ store, onUpsert }: { store: StoreView; onUpsert(id: string): void }) {
  const navigate = useNavigate();
  const [dialog, setDialog] = useState<"use" | "edit" | "vectors" | "delete">();
  const close = () => setDialog(undefined);
  const { mutate, isPending } = useMutation({
    mutationFn: () => upsertActions.refresh(store.id),
    onSuccess: onUpsert,
    onError: (error) => notifyFailed(errorSentence(error)),
  });
  return (
    <>
      {store.loaders.length > 0 && (
        <Tooltip label={strings.upsertAllHelp}>
          <Button leftSection={<RefreshCw size={16} aria-hidden />} loading={isPending} onClick={() => mutate()}>
            {strings.upsertAll}
          </Button>
        </Tooltip>
      )}
      <RowMenu name={store.name}>
        <Menu.Item leftSection={<Bot size={16} aria-hidden />} onClick={() => setDialog("use")}>
          {strings.actions.use}
        </Menu.Item>
        <Menu.Item
          leftSection={<UserRound size={16} aria-hidden />}
          onClick={() => void navigate({ to: "/assistants/new", search: { store: store.id } })}
        >
          {strings.actions.newAssistant}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<Pencil size={16} aria-hidden />} onClick={() => setDialog("edit")}>
          {strings.actions.editStore}
        </Menu.Item>
        <Menu.Item leftSection={<Eraser size={16} aria-hidden />} onClick={() => setDialog("vectors")}>
          {strings.actions.deleteAllVectors}
        </Menu.Item>
        <Menu.Item color="red" leftSection={<Trash2 size={16} aria-hidden />} onClick={() => setDialog("delete")}>
          {strings.actions.deleteStore}
        </Menu.Item>
      </RowMenu>
      {dialog === "use" && <UseInAgent store={store} onClose={close} />}
      {dialog === "edit" && <StoreDialog store={store} onClose={close} />}
      {dialog === "vectors" && <DeleteVectors storeId={store.id} name={store.name} onClose={close} />}
      {dialog === "delete" && (
        <DeleteStore store={store} onDeleted={() => void navigate({ to: "/document-stores" })} onClose={close} />
      )}
    </>
  );
}
